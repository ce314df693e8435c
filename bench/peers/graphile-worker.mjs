import { Logger, run } from 'graphile-worker';
import pg from 'pg';
import { settings } from './settings.mjs';
import { callHandler, serveTriggers } from './trigger-api.mjs';

const pool = new pg.Pool({ connectionString: settings.postgresUrl, max: settings.poolSize });
pool.on('error', (error) => console.error(error));

const runner = await run({
  pgPool: pool,
  noHandleSignals: true,
  logger: new Logger(() => (level, message) => {
    if (level === 'error') console.error(message);
  }),
  // The settings for throughput of worker.graphile.org/docs/performance.
  preset: {
    worker: {
      concurrentJobs: settings.concurrency,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
  taskList: { bench: async (payload) => void (await callHandler(payload)) },
});

await serveTriggers({
  enqueue: async (payload) => (await runner.addJob('bench', payload, { maxAttempts: 1 })).id,
  // A job that has ended leaves no row.
  unfinished: async () => {
    const { rows } = await pool.query('SELECT count(*)::int AS count FROM graphile_worker.jobs');
    return rows[0].count;
  },
  stop: async () => {
    await runner.stop();
    await pool.end();
  },
});
