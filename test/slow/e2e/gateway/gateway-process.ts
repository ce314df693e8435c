import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { until } from '../../../support/until.js';
import type { Gateway } from './example.js';

function find(name: string): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((folder) => join(folder, name)).find(existsSync);
  if (found === undefined)
    throw new Error(`there is no ${name} on PATH: install it (apt-get install ${name})`);
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

/** A real server that runs in the foreground, in a folder of its own. */
export class GatewayProcess implements Gateway {
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

  /** @param files the configuration, by name */
  static async start(
    name: string,
    args: readonly string[],
    port: number,
    files: Readonly<Record<string, string>>,
  ): Promise<GatewayProcess> {
    const program = find(name);
    const folder = await mkdtemp(join(tmpdir(), 'service-gateway-'));
    // As root nginx works under another account, which has to find its way here.
    await chmod(folder, 0o755);
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const gateway = new GatewayProcess(`http://127.0.0.1:${port}`, child, folder);
    await until(
      async () => child.exitCode !== null || (await accepts(port)),
      10_000,
      () => gateway.log,
    );
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${gateway.log}`);
    return gateway;
  }

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
