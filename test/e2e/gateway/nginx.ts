import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../../src/platform/embedded/processes/free-port.js';
import { until } from '../../support/until.js';

const EXAMPLE = fileURLToPath(new URL('../../../examples/gateway/', import.meta.url));

function findNginx(): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((folder) => join(folder, 'nginx')).find(existsSync);
  if (found === undefined) throw new Error('there is no nginx on PATH: install it (apt-get install nginx)');
  return found;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The example's addresses, which its reader changes as the test does. */
const ADDRESSES = { service: '127.0.0.1:8080;', application: '127.0.0.1:9000;', gateway: '127.0.0.1:8000;' };

/** The example as it is in the repository, apart from its addresses, run by nginx in the foreground. */
export class Gateway {
  private output = '';

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {
    child.stderr?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString('utf8');
    });
  }

  /** @param behind `host:port` of Service and of the application */
  static async start(behind: { service: string; application: string }): Promise<Gateway> {
    const program = findNginx();
    const folder = await mkdtemp(join(tmpdir(), 'service-gateway-'));
    // As root nginx works under another account, which has to find its way here.
    await chmod(folder, 0o755);
    const port = await findFreePort();
    let config = await readFile(join(EXAMPLE, 'nginx.conf'), 'utf8');
    const addresses = { ...behind, gateway: `127.0.0.1:${port}` };
    for (const [name, written] of Object.entries(ADDRESSES)) {
      if (!config.includes(written)) throw new Error(`the example has no ${written}`);
      config = config.replace(written, `${addresses[name as keyof typeof addresses]};`);
    }
    await writeFile(join(folder, 'nginx.conf'), config);
    await writeFile(join(folder, 'application.conf'), await readFile(join(EXAMPLE, 'application.conf')));
    const child = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off;'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const gateway = new Gateway(`http://127.0.0.1:${port}`, child, folder);
    await until(
      async () => child.exitCode !== null || (await accepts(port)),
      10_000,
      () => gateway.log,
    );
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${gateway.log}`);
    return gateway;
  }

  /** What nginx wrote to its error log. */
  get log(): string {
    return this.output;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await exited;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
