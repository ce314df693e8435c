import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
const POLL_MS = 20;
/** As `npm start` sets it: Argon2 and DNS share these threads. */
const THREADS = '16';

const running = new Set();

/** Ends all programs that were started and not ended. */
export async function stopPrograms() {
  await Promise.allSettled([...running].map((program) => program.stop()));
}

/** One program under measurement, in a process of its own. */
export class Program {
  #output = '';

  constructor(child, address) {
    this.child = child;
    this.address = address;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => (this.#output += text));
    }
  }

  /**
   * Starts it with these variables and no others of ours, and waits until it has said where it listens.
   * @param {RegExp} address what it says; the first group is the URL
   */
  static async start(file, variables, address) {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, NODE_ENV: 'production', UV_THREADPOOL_SIZE: THREADS, ...variables };
    const child = spawn(process.execPath, [file], { env, cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
    const program = new Program(child, address);
    running.add(program);
    child.once('exit', () => running.delete(program));
    const giveUpAt = Date.now() + START_LIMIT_MS;
    while (program.url === undefined) {
      if (program.hasEnded || Date.now() > giveUpAt) {
        await program.stop();
        const end = child.signalCode ?? child.exitCode;
        throw new Error(`${file} does not serve (${end}); it said:\n${program.output}`);
      }
      await wait(POLL_MS);
    }
    return program;
  }

  get output() {
    return this.#output;
  }

  get url() {
    return this.address.exec(this.#output)?.[1];
  }

  get hasEnded() {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async stop() {
    if (this.hasEnded) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(timer);
  }
}
