import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import pTimeout from 'p-timeout';
import type { StopStep } from './process-identity.js';

const KEPT_LINES = 40;
/** What a dead process had written may still lie in the pipe; a grandchild that holds it open is not waited for. */
const OUTPUT_GRACE_MS = 500;

export interface ServerCommand {
  file: string;
  args: readonly string[];
  /** Present only for root, which runs PostgreSQL as somebody else. */
  uid?: number;
  gid?: number;
}

/** One process of a server. It runs in its own session, so that a terminal's Ctrl-C reaches the program only. */
export class ServerChild {
  /** How it ended, in words. Resolves also when it could not be started at all. */
  readonly ended: Promise<string>;
  readonly #process: ChildProcess;
  readonly #lines: string[] = [];
  #ending: string | null = null;

  constructor(command: ServerCommand, onLine: (line: string) => void = () => undefined) {
    const { file, args, uid, gid } = command;
    this.#process = spawn(file, args, {
      detached: true,
      // A folder that every account can enter.
      cwd: '/',
      // The program's own variables (PGPORT, LANG, …) must not change how a server behaves.
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    });
    const closed = once(this.#process, 'close').catch(() => undefined);
    this.ended = new Promise((resolve) => {
      const finish = async (ending: string): Promise<void> => {
        this.#ending = ending;
        await pTimeout(closed, { milliseconds: OUTPUT_GRACE_MS, message: false });
        resolve(ending);
      };
      this.#process.once('error', (error) => void finish(error.message));
      this.#process.once('exit', (code, signal) => void finish(signal ?? `exit code ${code ?? 0}`));
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.#lines.push(line);
        if (this.#lines.length > KEPT_LINES) this.#lines.shift();
        onLine(line);
      });
    }
  }

  get pid(): number | null {
    return this.#process.pid ?? null;
  }

  get hasEnded(): boolean {
    return this.#ending !== null;
  }

  /** The last lines it wrote. */
  get output(): string {
    return this.#lines.join('\n');
  }

  /** The program may end while this runs: a program that forgets its servers leaves them to the watchdog. */
  unref(): void {
    this.#process.unref();
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (stream instanceof Socket) stream.unref();
    }
  }

  async stop(steps: readonly StopStep[]): Promise<void> {
    this.#process.ref();
    for (const { signal, waitMs } of steps) {
      if (this.hasEnded) break;
      this.#process.kill(signal);
      await pTimeout(this.ended, { milliseconds: waitMs, message: false });
    }
    await pTimeout(this.ended, { milliseconds: OUTPUT_GRACE_MS, message: false });
  }
}
