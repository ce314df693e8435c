import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { settings } from './settings.mjs';
import { callHandler, serveTriggers } from './trigger-api.mjs';

const QUEUE = 'bench';

const queue = new Queue(QUEUE, {
  connection: new Redis(settings.redisUrl),
  prefix: process.env.BENCH_PREFIX,
  // docs.bullmq.io/guide/going-to-production: ended jobs should not be kept for ever.
  defaultJobOptions: { removeOnComplete: { count: 1_000 }, removeOnFail: { count: 1_000 } },
});
const worker = new Worker(QUEUE, ({ data }) => callHandler(data), {
  // A worker's connection waits for jobs as long as it takes.
  connection: new Redis(settings.redisUrl, { maxRetriesPerRequest: null }),
  prefix: process.env.BENCH_PREFIX,
  concurrency: settings.concurrency,
});
worker.on('error', (error) => console.error(error));

await serveTriggers({
  enqueue: async (payload) => (await queue.add('bench', payload)).id,
  unfinished: async () => {
    const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized', 'paused');
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  },
  stop: async () => {
    await worker.close();
    await queue.close();
    process.exit(0);
  },
});
