import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, trigger, triggerMany } from '../../support/runs.js';
import { RestartableRedis } from '../support/restartable-redis.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { PROMPTLY_MS } from '../promptly.js';
import { slow } from '../slow-handler.js';

/** What the contract gives every accepted run once Redis is back. */
const AFTER_REDIS_MS = 30_000;

describe('losing Redis', () => {
  let environment: TestEnvironment;
  let redis: RestartableRedis;
  let handlers: HandlerServer;
  let variables: Record<string, string>;
  let service: ServiceProcess;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers, redis] = await Promise.all([
      createEnvironment(),
      HandlerServer.start(),
      RestartableRedis.create(),
    ]);
    variables = {
      ...environment.variables,
      ...handlers.variables,
      ...redis.variables,
      SERVICE_JOBS__WORKER_COUNT: '3',
    };
    service = await ServiceProcess.start(variables);
    ({ client } = await signUpOwner(service.url ?? ''));
    await registerJobs(client, { job: {}, held: {}, slow: {} });
    handlers.on('slow', slow(1000));
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await redis.dispose();
    await environment.dispose();
  });

  async function allEnded(jobId: string): Promise<void> {
    await until(async () => {
      const left = await environment.database.query(
        `SELECT FROM runs WHERE job_id = $1 AND status <> 'completed'`,
        [jobId],
      );
      return left.length === 0;
    }, AFTER_REDIS_MS);
  }

  it('to FLUSHALL while 100 runs wait: each ends completed, after exactly one call', async () => {
    const release: (() => void)[] = [];
    handlers.on('held', (response) => {
      release.push(() => response.end());
    });
    const ids = await triggerMany(client, 'held', 100);
    await until(() => release.length === 2);
    await redis.flush();
    handlers.on('held', slow(10));
    for (const answerHeld of release) answerHeld();
    await allEnded('held');
    expect(handlers.runIdsOf('held').sort()).toEqual(ids.sort());
    const attempts = await environment.database.query(
      `SELECT DISTINCT attempt, failures, losses FROM runs WHERE job_id = 'held'`,
    );
    expect(attempts).toEqual([{ attempt: 1, failures: 0, losses: 0 }]);
  });

  async function triggerInTime(jobId: string): Promise<string> {
    const before = performance.now();
    const { id } = await trigger(client, jobId);
    expect(performance.now() - before).toBeLessThan(PROMPTLY_MS);
    return id;
  }

  it('for the whole time: runs begin and end without it, those of a flood included', async () => {
    handlers.on('job', slow(5));
    await redis.kill();
    await until(
      async () => (await client.get<{ checks: { redis: string } }>('/health')).body.checks.redis === 'down',
    );
    const ids = await triggerMany(client, 'job', 60);
    for (const id of ids)
      expect(await endedRun(client, id)).toMatchObject({ status: 'completed', attempt: 1 });
    for (const id of ids) expect(handlers.callsOf(id)).toHaveLength(1);
    await redis.start();
    await until(async () => (await client.get<{ status: string }>('/health')).body.status === 'ok');
  });

  it('to its death: triggers answer in time, health says so, and the runs end once it is back', async () => {
    const running = await trigger(client, 'slow');
    await until(() => handlers.callsOf(running.id).length === 1);
    await redis.kill();
    const ids = [await triggerInTime('job'), await triggerInTime('job'), await triggerInTime('job')];
    await until(async () => {
      const { body } = await client.get<{ capabilities: { jobs: string }; checks: { redis: string } }>(
        '/health',
      );
      return body.capabilities.jobs !== 'ok' && body.checks.redis === 'down';
    });
    expect((await client.get('/health')).status).toBe(200);
    // What runs needs no Redis to end.
    expect(await endedRun(client, running.id)).toMatchObject({ status: 'completed', attempt: 1 });
    await redis.start();
    for (const id of ids) {
      expect(await endedRun(client, id, AFTER_REDIS_MS)).toMatchObject({ status: 'completed', attempt: 1 });
      expect(handlers.callsOf(id)).toHaveLength(1);
    }
    await until(async () => (await client.get<{ status: string }>('/health')).body.status === 'ok');
  });

  it('to silence: triggers answer in time, and the runs end once it answers again', async () => {
    redis.hang();
    try {
      const ids = [await triggerInTime('job'), await triggerInTime('job')];
      await until(async () => {
        const { body } = await client.get<{ checks: { redis: string } }>('/health');
        return body.checks.redis === 'down';
      });
      redis.goOn();
      for (const id of ids) {
        expect(await endedRun(client, id, AFTER_REDIS_MS)).toMatchObject({ status: 'completed', attempt: 1 });
      }
    } finally {
      redis.goOn();
    }
  });

  it('with all its data: runs that were delayed still start', async () => {
    const { id } = await trigger(client, 'job', { delay_ms: 1500 });
    await redis.flush();
    expect(await endedRun(client, id, AFTER_REDIS_MS)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('piece by piece, where it may evict: no instance is ready, and jobs are not well, until that is mended', async () => {
    let seen = '';
    const states = async (wanted: string): Promise<void> => {
      await until(
        async () => {
          const { body } = await client.get<{ status: string; checks: { redis: string } }>('/health');
          seen = `${(await client.get('/health/ready')).status} ${body.status}, redis ${body.checks.redis}`;
          return seen === wanted;
        },
        undefined,
        () => seen,
      );
    };
    await states('200 ok, redis ok');
    await redis.configure('maxmemory-policy', 'allkeys-lru');
    await states('503 degraded, redis down');
    await redis.configure('maxmemory-policy', 'noeviction');
    await states('200 ok, redis ok');
  });

  it('keeps no one from stopping the program, nor from starting it', async () => {
    await redis.kill();
    const before = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - before).toBeLessThan(10_000);
    service = await ServiceProcess.start(variables);
    client = client.at(service.url ?? '');
    const id = await triggerInTime('job');
    await redis.start();
    expect(await endedRun(client, id, AFTER_REDIS_MS)).toMatchObject({ status: 'completed', attempt: 1 });
  });
});
