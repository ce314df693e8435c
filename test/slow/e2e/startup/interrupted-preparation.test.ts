import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyRepository, REPOSITORY } from '../../support/machines/repository-copy.js';
import { until } from '../../../support/until.js';

/** A build takes longer, also on an idle machine; what is interrupted ends in a tenth of a second. */
const ENDS_WITHIN_MS = 10_000;

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'service-clone-')));
  copyRepository(folder);
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What npm start runs in a clone. */
function startIn(
  clone: string,
  variables: Record<string, string> = {},
): { child: ChildProcess; log: () => string } {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: clone,
    env: { PATH, HOME, SERVICE_SERVER__PORT: '0', ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  return { child, log: () => output };
}

/** Programs that run in the clone, whoever started them. */
function processesIn(clone: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(clone);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

async function expectEndAtOnce(child: ChildProcess): Promise<void> {
  const signalledAt = performance.now();
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(128 + constants.signals.SIGTERM);
  expect(performance.now() - signalledAt).toBeLessThan(ENDS_WITHIN_MS);
  await until(() => processesIn(folder).length === 0);
}

describe('npm start in a fresh clone', () => {
  it('says every few seconds that it installs, and ends at once on SIGTERM with all that it started', async () => {
    const registry = createServer().listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const { port } = registry.address() as AddressInfo;
    const { child, log } = startIn(folder, {
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: join(folder, 'cache'),
    });
    await until(() => log().includes('Still installing the dependencies (10 s)'), 60_000, log);
    await expectEndAtOnce(child);
    registry.close();
  });

  it('ends at once on SIGTERM while it builds, with all that it started', async () => {
    await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    const { child, log } = startIn(folder);
    // The compiler runs two processes further down: npm, a shell, and then it.
    await until(() => log().includes('Building') && processesIn(folder).length >= 4, 60_000, log);
    await expectEndAtOnce(child);
  });
});
