import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, PASSWORD, signUp, signUpOwner } from '../support/client.js';
import type { RunBody } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { redisCommandsOf } from '../support/redis-commands.js';
import { ServiceInProcess } from '../support/service-in-process.js';
import { until } from '../support/until.js';

const SIGN_IN = '/auth/v1/token?grant_type=password';
const REFRESH = '/auth/v1/token?grant_type=refresh_token';
const WRONG = 'not the password of anyone';

async function hashesOf(client: Client, work: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> => {
    const { body } = await client.get<string>('/metrics');
    return Number(/^service_password_hashes_total (\d+)$/m.exec(body)?.[1]);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

function answerOf({ status, headers, body }: { status: number; headers: Headers; body: unknown }): unknown {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, body, headers: kept };
}

describe('an instance that serves the API alone', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let anonymous: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('echo', 'export default () => Response.json({})');
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    anonymous = new Client(service.url);
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('authenticates and authorizes a warm request without SQL and without Redis', async () => {
    const { client } = await signUpOwner(service.url);
    let statements: string[] = [];
    const commands = await redisCommandsOf(environment.redis.client, async () => {
      statements = await service.statementsOnceWarm(async () => {
        for (let time = 0; time < 10; time += 1) {
          const { status, body } = await client.get('/auth/v1/permissions');
          expect([status, body.permissions]).toEqual([200, ['*']]);
        }
      });
    });
    expect(statements).toEqual([]);
    expect(commands).toEqual({});
  });

  it('signs in with at most four statements and one password hash', async () => {
    const { email } = await signUp(service.url);
    let statements: string[] = [];
    const hashes = await hashesOf(anonymous, async () => {
      statements = await service.statementsOf(async () => {
        expect((await anonymous.post(SIGN_IN, { email, password: PASSWORD })).status).toBe(200);
      });
    });
    // The metrics page asks for the queue's depth after the statements of the sign-in were taken.
    expect(statements.length).toBeLessThanOrEqual(4);
    expect(statements.length).toBeGreaterThan(0);
    expect(hashes).toBe(1);
  });

  it('refuses a wrong password and an unknown address with the same work and the same answer', async () => {
    const { email } = await signUp(service.url);
    const attempt = async (
      address: string,
    ): Promise<{ hashes: number; statements: number; answer: unknown }> => {
      let answer: unknown;
      let statements: string[] = [];
      const hashes = await hashesOf(anonymous, async () => {
        statements = await service.statementsOf(async () => {
          answer = answerOf(await anonymous.post(SIGN_IN, { email: address, password: WRONG }));
        });
      });
      return { hashes, statements: statements.length, answer };
    };
    const wrongPassword = await attempt(email);
    const unknownAddress = await attempt(`nobody-${email}`);
    expect(wrongPassword).toMatchObject({ hashes: 1, answer: { status: 401 } });
    expect(wrongPassword.statements).toBeLessThanOrEqual(4);
    expect(unknownAddress).toEqual(wrongPassword);
  });

  it('refreshes with one statement', async () => {
    const { refreshToken } = await signUp(service.url);
    const statements = await service.statementsOf(async () => {
      expect((await anonymous.post(REFRESH, { refresh_token: refreshToken })).status).toBe(200);
    });
    expect(statements).toHaveLength(1);
  });

  it('accepts a manual trigger with at most three statements and one addition to the queue', async () => {
    const { client } = await signUpOwner(service.url);
    const jobs = [{ id: 'echo', name: 'Echo', handler: 'echo' }];
    expect((await client.post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    for (const caller of [client, client.with({ 'idempotency-key': 'once' })]) {
      let statements: string[] = [];
      const commands = await redisCommandsOf(environment.redis.client, async () => {
        statements = await service.statementsOf(async () => {
          expect((await caller.post('/jobs/v1/jobs/echo/trigger')).status).toBe(202);
        });
      });
      expect(statements.length).toBeLessThanOrEqual(3);
      // Bull adds a job by one script; what the script calls is counted beside it.
      expect((commands.evalsha ?? 0) + (commands.eval ?? 0)).toBe(1);
    }
  });
});

describe('an instance that does everything', () => {
  const IDLE_MS = 10_000;
  let environment: TestEnvironment;
  let handler: Server;
  let service: ServiceInProcess;

  beforeAll(async () => {
    environment = await createEnvironment();
    handler = createServer((_request, response) => response.end('{}'));
    await once(handler.listen(0, '127.0.0.1'), 'listening');
    const variables: Record<string, string> = { ...environment.variables };
    // A function's process needs the build; a handler elsewhere does for counting.
    delete variables.SERVICE_FUNCTIONS__DIR;
    const { port } = handler.address() as AddressInfo;
    service = await ServiceInProcess.start({
      ...variables,
      SERVICE_FUNCTIONS__URL: `http://127.0.0.1:${port}/{handler}`,
    });
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    handler.close();
    await environment.dispose();
  });

  it('takes an attempt from the claim to the final status with at most three statements', async () => {
    const { client } = await signUpOwner(service.url);
    const jobs = [{ id: 'echo', name: 'Echo', handler: 'echo' }];
    expect((await client.post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    const statements = await service.statementsOf(async () => {
      const { body: run } = await client.post<RunBody>('/jobs/v1/jobs/echo/trigger');
      await until(async () => {
        const found = await environment.database.query('SELECT FROM runs WHERE id = $1 AND status = $2', [
          run.id,
          'completed',
        ]);
        return found.length === 1;
      });
    });
    const ofTheAttempt = statements.filter((sql) => /\bruns\b/.test(sql) && !isOfAnother(sql));
    expect(ofTheAttempt.length).toBeLessThanOrEqual(3);
    expect(ofTheAttempt.length).toBeGreaterThanOrEqual(2);
  });

  it('asks the database at most twice a second while idle, and once for each tick of the scheduler', async () => {
    const startedAt = Date.now();
    const statements = await service.statementsOf(async () => {
      await until(() => Date.now() - startedAt >= IDLE_MS, 2 * IDLE_MS);
    });
    const seconds = (Date.now() - startedAt) / 1000;
    expect(statements.length / seconds).toBeLessThanOrEqual(2);
    const ticks = statements.filter((sql) => sql.includes('schedulers')).length;
    expect(ticks).toBeGreaterThanOrEqual(Math.floor(seconds) - 2);
    expect(ticks).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  });
});

/** Statements about runs that are not the attempt's: the trigger's insert, the heartbeat's, the sweeper's. */
function isOfAnother(sql: string): boolean {
  return /INSERT INTO runs\b|INSERT INTO workers\b|WITH orphan\b|ORDER BY runs\.due_at/.test(sql);
}
