import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { IS_EXHAUSTIVE } from '../support/exhaustive.js';
import { registerJobs, triggerMany } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

/** All 100,000 take a quarter of an hour; what each leaves shows in fewer. */
const RUNS = IS_EXHAUSTIVE ? 100_000 : 500;
/** Enough that everything is there that Redis and Bull make once. */
const FIRST_RUNS = 250;
/** 5 MB for 100,000. */
const BYTES_PER_RUN = 52;
const BATCH = 250;
const BATCH_LIMIT_MS = 60_000;
/** At ten a second, on whatever machine. */
const LIMIT_MS = 60_000 + RUNS * 100;

describe('the memory of Redis', () => {
  let environment: TestEnvironment;
  let handlers: Server;
  let services: ServiceProcess[];
  let client: Client;

  beforeAll(async () => {
    environment = await createEnvironment({ redis: 'server' });
    // One that remembers no call: there are many.
    handlers = createServer((request, response) => {
      request.resume();
      response.writeHead(request.url === '/fails' ? 500 : 200).end();
    }).listen(0, '127.0.0.1');
    await once(handlers, 'listening');
    const { port } = handlers.address() as AddressInfo;
    const variables = {
      ...environment.variables,
      SERVICE_FUNCTIONS__URL: `http://127.0.0.1:${port}/{handler}`,
      SERVICE_JOBS__WORKER_COUNT: '20',
      SERVICE_LOG__LEVEL: 'info',
      // Some wait for capacity.
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: '15',
    };
    services = [
      await ServiceProcess.start({ ...variables, SERVICE_ROLE: 'api,scheduler' }),
      await ServiceProcess.start({ ...variables, SERVICE_ROLE: 'worker' }),
    ];
    ({ client } = await signUpOwner(services[0]?.url ?? ''));
    const backoff = { type: 'exponential', initial_ms: 20, max_ms: 20, multiplier: 1 };
    // On a machine that stands still, attempts are lost with their worker; that is not what this is about.
    await registerJobs(client, { quick: { retries: 3 }, fails: { retries: 1, retry_backoff: backoff } });
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    handlers.closeAllConnections();
    handlers.close();
    await environment.dispose();
  });

  /** Every fifth fails, and is tried again after a delay. In batches, as a long backlog only takes more time. */
  async function finish(count: number): Promise<void> {
    for (let begun = 0; begun < count; begun += BATCH) {
      const failing = BATCH / 5;
      await triggerMany(client, 'fails', failing);
      await triggerMany(client, 'quick', BATCH - failing);
      await until(async () => {
        const unfinished = await environment.database.query(
          `SELECT FROM runs WHERE status IN ('queued', 'running', 'retrying') LIMIT 1`,
        );
        return unfinished.length === 0;
      }, BATCH_LIMIT_MS);
    }
    // A wake-up ends a moment after the run that it was for.
    await until(async () => (await environment.redis.client.llen('service:runs:active')) === 0);
  }

  /** What Redis keeps of the queue, in bytes. */
  async function kept(): Promise<number> {
    const { client: redis } = environment.redis;
    const sizes = await Promise.all((await redis.keys('*')).map((key) => redis.memory('USAGE', key)));
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  }

  /** What it has allocated in all, in bytes. */
  async function used(): Promise<number> {
    const memory = await environment.redis.client.info('memory');
    return Number(/^used_memory:(\d+)/m.exec(memory)?.[1]);
  }

  it(
    `is after ${RUNS} finished runs what it was before`,
    async () => {
      await finish(FIRST_RUNS);
      const [keptBefore, usedBefore] = [await kept(), await used()];
      await finish(RUNS);
      // In a moment nothing is under way; what is kept for good is still there then.
      await until(async () => (await kept()) - keptBefore < 100);
      if (IS_EXHAUSTIVE) expect((await used()) - usedBefore).toBeLessThan(RUNS * BYTES_PER_RUN);
      const ended = await environment.database.query(
        'SELECT status, count(*)::int FROM runs GROUP BY status ORDER BY status',
      );
      const total = RUNS + FIRST_RUNS;
      expect(ended).toEqual([
        { status: 'completed', count: (total * 4) / 5 },
        { status: 'failed', count: total / 5 },
      ]);
    },
    LIMIT_MS,
  );
});
