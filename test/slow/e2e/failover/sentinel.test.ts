import { signUpOwner } from '../../../support/client.js';
import type { Client } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { answer, HandlerServer } from '../../../support/handler-server.js';
import { registerJobs, runIn, trigger, triggerMany } from '../../../support/runs.js';
import { SentinelRedis } from '../../support/sentinel-redis.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

const BACKOFF = { type: 'exponential', initial_ms: 5000, max_ms: 5000, multiplier: 1, jitter: 0 };

describe('a program that asks Sentinel for its Redis', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let redis: SentinelRedis;
  let service: ServiceProcess;
  let client: Client;

  beforeEach(async () => {
    [environment, handlers, redis] = await Promise.all([
      createEnvironment(),
      HandlerServer.start(),
      SentinelRedis.start(),
    ]);
    service = await ServiceProcess.start({
      ...environment.variables,
      ...handlers.variables,
      ...redis.variables,
    });
    ({ client } = await signUpOwner(service.url ?? ''));
    await registerJobs(client, { job: {}, failing: { retries: 1, retry_backoff: BACKOFF } });
  });

  afterEach(async () => {
    await service.stop();
    await handlers.stop();
    await redis.dispose();
    await environment.dispose();
  });

  async function health(): Promise<unknown> {
    return (await client.get<{ checks?: unknown }>('/health')).status;
  }

  it.each([
    [
      'dies',
      () => {
        redis.killPrimary();
      },
    ],
    [
      'does not answer any more, though its connections stay open',
      () => {
        redis.hangPrimary();
      },
    ],
  ] as const)('goes over to the replica that is promoted when the primary %s', async (_how, fail) => {
    // Its second attempt is woken from Redis.
    handlers.on('failing', answer(500, {}));
    const waiting = await trigger(client, 'failing');
    await runIn(client, waiting.id, ['retrying']);
    handlers.on('failing', answer(200, {}));
    fail();
    const meanwhile = await triggerMany(client, 'job', 20);
    await until(() => redis.isReplicaPromoted());
    await until(async () => (await redis.programsAtReplica()) > 0);
    await until(async () => (await health()) === 200);
    const after = await triggerMany(client, 'job', 20);
    for (const id of [waiting.id, ...meanwhile, ...after]) await runIn(client, id, ['completed']);
  });

  it('does not start with a password that the Sentinels refuse, and says which settings to correct', async () => {
    const refused = ServiceProcess.spawn({
      ...environment.variables,
      ...redis.variables,
      SERVICE_REDIS__SENTINEL_PASSWORD: 'another one',
    });
    expect(await refused.exit()).toBe(78);
    expect(refused.log).toContain('refused the user name or the password; correct redis.url');
    expect(refused.log).toContain('SERVICE_REDIS__SENTINEL_PASSWORD');
  });
});
