import { Client, signUpOwner } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerServer } from '../../support/handler-server.js';
import { RestartableRedis } from '../support/restartable-redis.js';
import { endedRun, registerJobs } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const ITEMS = Array.from({ length: 20 }, (_none, n) => ({ payload: { n }, idempotency_key: `item-${n}` }));
const PATH = '/jobs/v1/jobs/echo/trigger/batch';

describe('a batch of triggers, when the instance is killed after the commit and before the answer,', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let redis: RestartableRedis;
  let variables: Record<string, string>;

  beforeAll(async () => {
    [environment, handlers, redis] = await Promise.all([
      createEnvironment(),
      HandlerServer.start(),
      RestartableRedis.create(),
    ]);
    variables = { ...environment.variables, ...handlers.variables, ...redis.variables };
  });

  afterAll(async () => {
    await redis.dispose();
    await handlers.stop();
    await environment.dispose();
  });

  async function storedIds(): Promise<string[]> {
    const stored = await environment.database.query<{ id: string }>(
      `SELECT id FROM runs ORDER BY (payload ->> 'n')::int`,
    );
    return stored.map(({ id }) => id);
  }

  it('gives the same runs when it is sent again, and each of them ends', async () => {
    const first = await ServiceProcess.start({ ...variables, SERVICE_ROLE: 'api' });
    const { client } = await signUpOwner(first.url ?? '');
    await registerJobs(client, { echo: {} });
    // The answer waits for the wake-ups, which wait for Redis for up to a second.
    redis.hang();
    const answer = client.post(PATH, { items: ITEMS }).then(
      ({ status }) => status,
      () => 'none',
    );
    await until(async () => (await storedIds()).length === ITEMS.length);
    process.kill(first.pid, 'SIGKILL');
    expect(await answer).toBe('none');
    redis.goOn();
    const stored = await storedIds();
    const second = await ServiceProcess.start(variables);
    try {
      const again = new Client(second.url ?? '').with(client.headers);
      const { status, body } = await again.post<{ runs: RunBody[] }>(PATH, { items: ITEMS });
      expect([status, body.runs.map(({ id }) => id)]).toEqual([202, stored]);
      expect(await storedIds()).toEqual(stored);
      for (const id of stored)
        expect(await endedRun(again, id)).toMatchObject({ status: 'completed', attempt: 1 });
    } finally {
      await second.stop();
    }
  });
});
