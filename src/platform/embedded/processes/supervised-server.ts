import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedError } from './embedded-error.js';
import type { LogLine, LogSink } from './embedded-error.js';
import type { StopStep } from './process-identity.js';
import { ServerChild } from './server-child.js';
import type { ServerCommand } from './server-child.js';
import type { Watchdog, WatchedName } from './watchdog.js';

const POLL_MS = 30;
/** Recovery after a crash replays what was written since the last checkpoint, which may take a while. */
const READY_BOUND_MS = 120_000;
const START_TRIES = 10;
const RETRY_PAUSE_MS = 300;
const LONGEST_RESTART_PAUSE_MS = 5_000;

/** What differs between the servers that the program runs as its children. */
export interface ServerKind {
  readonly name: WatchedName;
  readonly title: string;
  readonly stopSteps: readonly StopStep[];
  /** Makes the folder ready for a start: ends what an earlier program left running in it, removes its lock. */
  clearStale(): Promise<void>;
  command(port: number): Promise<ServerCommand>;
  /** Whether it serves now. Throws only what no further waiting cures. */
  answers(port: number): Promise<boolean>;
  /** After a start that ended early: whether another try may succeed. May repair first. */
  curesFailedStart(output: string): Promise<boolean>;
  /** The level of a line of the server's own log; null for one that the program's log should not have. */
  classify(line: string): LogLine['level'] | null;
}

/** A child server on a free loopback port, started again on the same port when it dies by itself. */
export class SupervisedServer {
  #child: ServerChild | null = null;
  #keeper: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();
  #isReady = false;

  constructor(
    private readonly kind: ServerKind,
    private readonly watchdog: Watchdog,
    private readonly log: LogSink,
    /** Called at each launch of a process. */
    private readonly launched: () => void,
  ) {}

  /** Resolves to its port once it answers. Throws EmbeddedError when it does not come up. */
  async start(): Promise<number> {
    await this.kind.clearStale();
    for (let triesLeft = START_TRIES; ; triesLeft -= 1) {
      const port = await findFreePort();
      const child = await this.#launch(port);
      if (!child.hasEnded) {
        this.#keeper = this.#keepRunning(child, port);
        return port;
      }
      await child.ended;
      if (triesLeft <= 1 || !(await this.kind.curesFailedStart(child.output))) {
        throw new EmbeddedError(
          `${this.kind.title} did not start (${await child.ended}); it said:\n${child.output || '(nothing)'}`,
        );
      }
      await delay(RETRY_PAUSE_MS);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#child?.stop(this.kind.stopSteps);
    await this.#keeper;
  }

  /** The child either answers or has ended. */
  async #launch(port: number): Promise<ServerChild> {
    this.#isReady = false;
    const child = new ServerChild(await this.kind.command(port), (line) => {
      this.#report(line);
    });
    this.#child = child;
    this.watchdog.watch(this.kind.name, child.pid);
    this.launched();
    try {
      const deadline = performance.now() + READY_BOUND_MS;
      while (!child.hasEnded) {
        if (this.#stopping.signal.aborted)
          throw new EmbeddedError(`${this.kind.title} was stopped while it started`);
        if (await this.kind.answers(port)) {
          this.#isReady = true;
          child.unref();
          return child;
        }
        if (performance.now() > deadline) {
          throw new EmbeddedError(
            `${this.kind.title} did not answer within ${READY_BOUND_MS / 1000} s; it said:\n${child.output}`,
          );
        }
        await delay(POLL_MS);
      }
      this.watchdog.watch(this.kind.name, null);
      return child;
    } catch (error) {
      await child.stop(this.kind.stopSteps);
      this.watchdog.watch(this.kind.name, null);
      throw error;
    }
  }

  async #keepRunning(first: ServerChild, port: number): Promise<void> {
    let child = first;
    let pauseMs = 0;
    for (;;) {
      const ending = await child.ended;
      this.watchdog.watch(this.kind.name, null);
      if (this.#stopping.signal.aborted) return;
      this.log({
        level: 'error',
        message: `${this.kind.title} ended by itself (${ending}); starting it again`,
      });
      // The event loop must not be kept alive by a server that cannot start.
      await delay(pauseMs, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2 + 100, LONGEST_RESTART_PAUSE_MS);
      child = await this.#relaunch(child, port);
      if (!child.hasEnded) {
        this.log({ level: 'info', message: `${this.kind.title} answers again` });
        pauseMs = 0;
      }
    }
  }

  /** The given, dead child when there is no new one. */
  async #relaunch(dead: ServerChild, port: number): Promise<ServerChild> {
    try {
      await this.kind.clearStale();
      const child = await this.#launch(port);
      if (child.hasEnded) await this.kind.curesFailedStart(child.output);
      return child;
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.log({ level: 'error', message: (error as Error).message });
      return dead;
    }
  }

  #report(line: string): void {
    // Until it answers the lines matter only if it fails, and then the error shows them.
    if (!this.#isReady || this.#stopping.signal.aborted) return;
    const level = this.kind.classify(line);
    if (level !== null) this.log({ level, message: `${this.kind.title}: ${line}` });
  }
}

/**
 * A TCP port on 127.0.0.1 that was free a moment ago. Another program may take it before the caller does, so
 * the caller must be ready to ask again.
 */
async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
