import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { signUpOwner } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { registerJobs, showRun, triggerMany } from '../support/runs.js';
import { ServiceProcess } from '../support/service-process.js';

describe('a start that cannot be', () => {
  let environment: TestEnvironment;

  beforeAll(async () => {
    environment = await createEnvironment();
  }, 60_000);

  afterAll(async () => {
    await environment.dispose();
  });

  it('for five faults of the configuration names all five, echoes no secret, and exits 78', async () => {
    const secret = randomBytes(20).toString('hex');
    const service = ServiceProcess.spawn({
      ...environment.variables,
      SERVICE_SERVER__PORT: 'eighty',
      SERVICE_JOBS__WORKER_COUNT: '0',
      SERVICE_JOBS__WORKER_COUNTS: '4',
      SERVICE_IDENTITY__DATA_KEY: secret,
      SERVICE_REDIS__URL: `http://:${secret}@127.0.0.1/`,
    });
    expect(await service.exit()).toBe(78);
    const lines = service.log.trim().split('\n');
    const faults = [
      'server.port',
      'jobs.worker_count',
      'jobs.worker_counts',
      'identity.data_key',
      'redis.url',
    ];
    for (const fault of faults) {
      expect(lines.filter((line) => line.startsWith(`${fault}: `))).toHaveLength(1);
    }
    expect(lines).toHaveLength(1 + faults.length);
    expect(service.log).not.toContain(secret);
    expect(service.url).toBeNull();
  });

  it('with another data key than the database was first used with says so, and exits 1', async () => {
    const first = await ServiceProcess.start(environment.variables);
    await first.stop();
    const other = randomBytes(32).toString('base64');
    const second = ServiceProcess.spawn({ ...environment.variables, SERVICE_IDENTITY__DATA_KEY: other });
    expect(await second.exit()).toBe(1);
    expect(second.log).toContain('identity.data_key');
    expect(second.log).toContain('start with the data key that the database was first used with');
    expect(second.log).toContain('identity.data_key_previous');
    expect(second.log).not.toContain(other);
    expect(second.log).not.toMatch(/^\s+at /m);
    expect(second.url).toBeNull();

    const third = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_IDENTITY__DATA_KEY: other,
      SERVICE_IDENTITY__DATA_KEY_PREVIOUS: environment.variables.SERVICE_IDENTITY__DATA_KEY ?? '',
    });
    expect(await third.stop()).toBe(0);
  }, 60_000);

  it('on a port that is taken says so, and exits 1', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const service = ServiceProcess.spawn({ ...environment.variables, SERVICE_SERVER__PORT: String(port) });
    expect(await service.exit()).toBe(1);
    expect(service.log).toContain(`port ${port} of 127.0.0.1 is in use`);
    expect(service.log).not.toMatch(/^\s+at /m);
    occupant.close();
  });

  it('on a port that is taken has taken no run by then, nor been a worker to anyone', async () => {
    const api = await ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    await environment.deploy('echo', 'export default () => new Response()');
    const { client } = await signUpOwner(api.url ?? '');
    await registerJobs(client, { echo: {} });
    const ids = await triggerMany(client, 'echo', 20);
    const service = ServiceProcess.spawn({
      ...environment.variables,
      SERVICE_SERVER__PORT: new URL(api.url ?? '').port,
    });
    expect(await service.exit()).toBe(1);
    for (const id of ids) expect(await showRun(client, id)).toMatchObject({ status: 'queued', attempt: 0 });
    expect(await environment.database.query('SELECT FROM workers')).toEqual([]);
    await api.stop();
  }, 60_000);
});
