import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isOfRun, queueCommands } from '../../integration/run-statements.js';
import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { redisCommandsOf } from '../../support/redis-commands.js';
import { registerJobs, triggerMany } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

describe('an instance that does everything', () => {
  const IDLE_MS = 10_000;
  const FLOOD = 300;
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
  });

  afterAll(async () => {
    await service.stop();
    handler.close();
    await environment.dispose();
  });

  async function register(): Promise<Client> {
    const { client } = await signUpOwner(service.url);
    await registerJobs(client, { echo: {} });
    return client;
  }

  async function ended(count: number): Promise<void> {
    await until(async () => {
      const found = await environment.database.query(`SELECT FROM runs WHERE status = 'completed'`);
      return found.length === count;
    }, 60_000);
  }

  // Before the flood: for some seconds after it, ends look for runs that were throttled meanwhile.
  it('asks the database at most twice a second while idle, and once for each tick of the scheduler', async () => {
    const during = async (ms: number): Promise<string[]> => {
      return await service.statementsOf(() => wait(ms));
    };
    // What an instance does once after its start is over when a second has no more than its share.
    for (let tries = 0; tries < 15 && (await during(1_000)).length > 2; tries += 1);
    const startedAt = Date.now();
    const statements = await during(IDLE_MS);
    const seconds = (Date.now() - startedAt) / 1000;
    // Each of the four periodic statements may fall into the time once more than its share.
    expect(statements.length).toBeLessThanOrEqual(2 * seconds + 4);
    const ticks = statements.filter((sql) => sql.includes('schedulers')).length;
    expect(ticks).toBeGreaterThanOrEqual(Math.floor(seconds) - 2);
    expect(ticks).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  });

  it('takes each run of a flood to its end with at most 1.5 statements, each its own commit, and 2 Redis commands', async () => {
    const client = await register();
    const before = (await environment.database.query(`SELECT FROM runs WHERE status = 'completed'`)).length;
    let statements: string[] = [];
    const commands = await redisCommandsOf(environment.redis.client, async () => {
      statements = await service.statementsOf(async () => {
        await triggerMany(client, 'echo', FLOOD);
        await ended(before + FLOOD);
      });
    });
    expect(statements.filter(isOfRun).length / FLOOD).toBeLessThanOrEqual(1.5);
    expect(statements.filter((sql) => /^(?:START|BEGIN|COMMIT)/.test(sql)).length / FLOOD).toBeLessThan(0.1);
    expect(queueCommands(commands) / FLOOD).toBeLessThanOrEqual(2);
  });
});
