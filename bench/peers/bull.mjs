import Queue from 'bull';
import { settings } from './settings.mjs';
import { callHandler, serveTriggers } from './trigger-api.mjs';

// Bull's reference advises against changes of its advanced settings.
const queue = new Queue('bench', settings.redisUrl, {
  prefix: process.env.BENCH_PREFIX,
  defaultJobOptions: { removeOnComplete: 1_000, removeOnFail: 1_000 },
});
queue.on('error', (error) => console.error(error));
void queue.process(settings.concurrency, ({ data }) => callHandler(data));
await queue.isReady();

await serveTriggers({
  enqueue: async (payload) => String((await queue.add(payload)).id),
  unfinished: async () => {
    const { waiting, active, delayed, paused } = await queue.getJobCounts();
    return waiting + active + delayed + paused;
  },
  stop: async () => {
    await queue.close();
    process.exit(0);
  },
});
