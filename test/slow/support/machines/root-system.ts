import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child'];
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** All mounts are in a namespace of their own and end with the command. `/` must be one for programs that remount it. */
const ENTER = `mount --rbind "$1" "$1" && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
  exec chroot --userspec="$2" "$1" sh -c "$3"`;

/** Why no other root file system can be entered here; null where one can. */
export function whyNoRootSystem(): string | null {
  if (process.platform !== 'linux') return 'it takes Linux';
  if (process.getuid?.() !== 0) return 'it takes root, to enter another root file system';
  const { status, stderr, error } = spawnSync('unshare', [...NAMESPACES, 'true'], { encoding: 'utf8' });
  if (error !== undefined) return `unshare does not run: ${error.message}`;
  return status === 0 ? null : `namespaces are not allowed: ${stderr.trim()}`;
}

export interface CommandOptions {
  /** A name or an id that the system itself knows; root unless set. */
  readonly account?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A system in a folder, with processes and mounts of its own; it shares this machine's network. */
export class RootSystem {
  constructor(readonly root: string) {}

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** Runs a shell command there to its end. */
  run(command: string, options: CommandOptions = {}): { status: number | null; output: string } {
    const [file, args, env] = this.command(command, options);
    const { status, stdout, stderr } = spawnSync(file, args, {
      env,
      encoding: 'utf8',
      maxBuffer: Infinity,
    });
    return { status, output: stdout + stderr };
  }

  start(command: string, options: CommandOptions = {}): SystemProcess {
    const [file, args, env] = this.command(command, options);
    return new SystemProcess(spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  private command(
    command: string,
    { account = 'root', variables = {} }: CommandOptions,
  ): [string, string[], Record<string, string>] {
    const home = account === 'root' ? '/root' : `/home/${account}`;
    const args = [...NAMESPACES, 'sh', '-c', ENTER, 'sh', this.root, `${account}:${account}`, command];
    return ['unshare', args, { PATH, HOME: home, ...variables }];
  }
}

/** A command in another system, and all that it started. */
export class SystemProcess {
  private output = '';

  constructor(private readonly child: ChildProcess) {
    const keep = (chunk: Buffer): void => {
      this.output += chunk.toString('utf8');
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  get log(): string {
    return this.output;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resolves to its exit code. */
  async exit(): Promise<number | null> {
    if (!this.hasEnded) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  /** Ends the command as an orchestrator does. */
  async stop(): Promise<number | null> {
    // The first process of the namespace is the command itself; the one that made the namespace only waits for it.
    const { pid } = this.child;
    const children = this.hasEnded ? '' : readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const first = Number.parseInt(children, 10);
    if (first > 0) process.kill(first, 'SIGTERM');
    return await this.exit();
  }

  /** Ends everything at once. */
  kill(): void {
    this.child.kill('SIGKILL');
  }
}
