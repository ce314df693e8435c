import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

describe('a program whose Redis account is limited', () => {
  let environment: TestEnvironment;

  beforeAll(async () => {
    environment = await createEnvironment({ redis: 'server' });
  });

  afterAll(async () => {
    await environment.dispose();
  });

  it('becomes ready without the right to run INFO, and says what it cannot check', async () => {
    const { client, url } = environment.redis;
    await client.call('ACL', 'SETUSER', 'limited', 'on', '>limited', '~*', '&*', '+@all', '-info');
    const limited = new URL(url);
    limited.username = 'limited';
    limited.password = 'limited';
    const service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_REDIS__URL: limited.toString(),
    });
    await until(async () => (await fetch(`${service.url}/health/ready`)).status === 200);
    await until(() => service.log.includes('may not run INFO'));
    expect(service.log.split('may not run INFO')).toHaveLength(2);
    await service.stop();
  });

  it('is refused at start without the right to run PING, in one line that says so, and exits 78', async () => {
    const { client, url } = environment.redis;
    await client.call('ACL', 'SETUSER', 'silent', 'on', '>silent', '~*', '&*', '+@all', '-ping');
    const silent = new URL(url);
    silent.username = 'silent';
    silent.password = 'silent';
    const service = ServiceProcess.spawn({
      ...environment.variables,
      SERVICE_REDIS__URL: silent.toString(),
    });
    expect(await service.exit()).toBe(78);
    const refusal = /^The program cannot start: Redis at .* does not allow the account to run PING/gm;
    expect(service.log.match(refusal)).toHaveLength(1);
  });

  it('writes one line when its password is changed meanwhile, however often it tries to connect, and one when it holds again, and keeps its subscriptions', async () => {
    const { client, url } = environment.redis;
    const service = await ServiceProcess.start(environment.variables);
    const connectionsOfProgram = async (): Promise<string[]> =>
      ((await client.call('CLIENT', 'LIST')) as string)
        .split('\n')
        .filter((line) => line.includes(' name=service '));
    const subscribedOnes = async (): Promise<number> =>
      (await connectionsOfProgram()).filter((line) => / p?sub=[1-9]/.test(line)).length;
    await until(async () => (await subscribedOnes()) > 0);
    const connectionsMade = async (): Promise<number> =>
      Number(/total_connections_received:(\d+)/.exec(await client.info('stats'))?.[1]);
    // The test's own connection is signed in already, and stays so.
    await client.config('SET', 'requirepass', 'changed');
    const subscribed = await subscribedOnes();
    for (const line of await connectionsOfProgram()) {
      await client.call('CLIENT', 'KILL', 'ID', /^id=(\d+)/.exec(line)?.[1] ?? '');
    }
    const before = await connectionsMade();
    await until(async () => (await connectionsMade()) > before + 10);
    const lost = /"Redis (?:still )?(?:does not answer|refuses the account)/g;
    expect(service.log.match(lost)).toHaveLength(1);
    expect(service.log).not.toContain('Redis answers again');
    await client.config('SET', 'requirepass', new URL(url).password);
    await until(() => service.log.includes('Redis answers again'), 30_000);
    await until(async () => (await subscribedOnes()) >= subscribed, 30_000);
    expect(service.log).not.toContain('a rejected promise was not handled');
    await service.stop();
  });
});
