import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../../src/platform/embedded/free-port.js';
import { until } from '../../support/until.js';

const EXAMPLE = fileURLToPath(new URL('../../../examples/gateway/', import.meta.url));
/** Debian's package without its daemon: the test wants the program and not a web server on port 80. */
const UNPACKED = fileURLToPath(new URL('../../../.cache/nginx/', import.meta.url));
const MISSING = 'the gateway test needs nginx: install it (apt-get install nginx) or put it on the PATH';

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

function installed(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return [...folders.map((folder) => join(folder, 'nginx')), join(UNPACKED, 'usr/sbin/nginx')].find(
    existsSync,
  );
}

/** Where nginx is. As root on Debian it is fetched when missing, into a folder of this clone. */
async function findNginx(): Promise<string> {
  const found = installed();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(MISSING);
  say('nginx is missing; fetching the package nginx with apt-get …');
  await mkdir(UNPACKED, { recursive: true });
  // apt fetches as a user of its own, which has to be able to write here.
  const options = { cwd: UNPACKED, stdio: ['ignore', 'ignore', 'inherit'] as ('ignore' | 'inherit')[] };
  const apt = ['-q', '-o', 'APT::Sandbox::User=root'];
  try {
    execFileSync('apt-get', [...apt, 'update'], options);
    execFileSync('apt-get', [...apt, 'download', 'nginx'], options);
    execFileSync('sh', ['-c', 'for deb in *.deb; do dpkg-deb -x "$deb" .; done'], options);
  } catch (error) {
    throw new Error(MISSING, { cause: error });
  }
  const unpacked = installed();
  if (unpacked === undefined) throw new Error(MISSING);
  return unpacked;
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
    const program = await findNginx();
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
