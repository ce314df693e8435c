import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';

/** PgBouncer refuses to run as root; this is nobody on Debian. */
const NOBODY = { uid: 65_534, gid: 65_534 };

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

/** A real PgBouncer in front of one database. */
export class PgBouncer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(databaseUrl: string, poolMode: 'session' | 'transaction'): Promise<PgBouncer> {
    const target = new URL(databaseUrl);
    const folder = await mkdtemp(join(tmpdir(), 'service-pgbouncer-'));
    await chmod(folder, 0o755);
    const port = await freePort();
    const name = target.pathname.slice(1);
    const password = decodeURIComponent(target.password);
    const file = join(folder, 'pgbouncer.ini');
    const users = join(folder, 'users.txt');
    await writeFile(users, `"${target.username}" "${password}"\n`);
    await writeFile(
      file,
      [
        '[databases]',
        `${name} = host=${target.hostname} port=${target.port} dbname=${name}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = scram-sha-256',
        `auth_file = ${users}`,
        `pool_mode = ${poolMode}`,
        'default_pool_size = 30',
      ].join('\n'),
    );
    const child = spawn('pgbouncer', [file], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(process.getuid?.() === 0 ? NOBODY : {}),
    });
    let output = '';
    child.on('error', (error) => {
      output += error.message;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    await until(
      async () => child.exitCode !== null || (await accepts(port)),
      60_000,
      () => output,
    );
    if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${output}`);
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${port}`;
    return new PgBouncer(url.toString(), child, folder);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exited;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
