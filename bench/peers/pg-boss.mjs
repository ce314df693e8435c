import { PgBoss } from 'pg-boss';
import { settings } from './settings.mjs';
import { callHandler, serveTriggers } from './trigger-api.mjs';

const QUEUE = 'bench';
const boss = new PgBoss({
  connectionString: settings.postgresUrl,
  max: settings.poolSize,
  useListenNotify: true,
});
boss.on('error', (error) => console.error(error));
await boss.start();
await boss.createQueue(QUEUE, { notify: true, retryLimit: 0 });
await boss.work(
  QUEUE,
  {
    // One worker that fetches as many as may run at one time: faster here than several that fetch fewer each.
    batchSize: settings.concurrency,
    perJobResults: true,
    // Goes on without a pause as long as there is more.
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 0.5,
    notifyPollingIntervalSeconds: 0.5,
  },
  (jobs) => Promise.all(jobs.map(work)),
);

async function work({ id, data }) {
  try {
    return { id, status: 'completed', output: await callHandler(data) };
  } catch (error) {
    return { id, status: 'failed', output: { message: error.message } };
  }
}

const database = boss.getDb();
await serveTriggers({
  enqueue: (payload) => boss.send(QUEUE, payload),
  unfinished: async () => {
    const { rows } = await database.executeSql(
      `SELECT count(*)::int AS count FROM pgboss.job WHERE name = $1 AND state < 'completed'`,
      [QUEUE],
    );
    return rows[0].count;
  },
  stop: () => boss.stop({ graceful: false }),
});
