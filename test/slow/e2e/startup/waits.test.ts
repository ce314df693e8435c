import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEnvironment, programVariables } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

let environment: TestEnvironment;
let silent: Server;

beforeAll(async () => {
  environment = await createEnvironment();
  // Takes connections, and never says a word.
  silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
});

afterAll(async () => {
  silent.close();
  await environment.dispose();
});

describe('a start that waits', () => {
  it('for Redis says so, and ends on SIGTERM', async () => {
    const { port } = silent.address() as AddressInfo;
    const service = ServiceProcess.spawn({
      ...environment.variables,
      SERVICE_REDIS__URL: `redis://127.0.0.1:${port}`,
    });
    await until(
      () => service.log.includes(`waiting for Redis at 127.0.0.1:${port} to answer`),
      30_000,
      () => service.log,
    );
    expect(await service.stop()).toBe(0);
    expect(service.url).toBeNull();
  });

  it('for its own PostgreSQL says so, ends on SIGTERM, and leaves no server behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-waiting-'));
    const variables = { ...programVariables(), SERVICE_SERVER__DATA_DIR: folder };
    const service = ServiceProcess.spawn(variables);
    const postmaster = async (): Promise<number> =>
      Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => ''), 10);
    let pid = NaN;
    await until(async () => {
      pid = await postmaster();
      return pid > 0;
    }, 30_000);
    process.kill(pid, 'SIGSTOP');
    try {
      await until(
        () => service.log.includes('waiting for the embedded servers to start') || service.url !== null,
        30_000,
        () => service.log,
      );
      expect(service.url).toBeNull();
      service.signal('SIGTERM');
      expect(await service.exit()).toBe(0);
    } finally {
      if (isAlive(pid)) process.kill(pid, 'SIGCONT');
    }
    await until(() => !isAlive(pid), 30_000);
    await rm(folder, { recursive: true, force: true });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
