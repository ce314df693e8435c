import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { FunctionLoadError } from './function-errors.js';
import type { FunctionSource } from './function-folder.js';
import { LineBudget } from './line-budget.js';
import { readLines } from './raw-output.js';
import { NO_CALL } from './runner-protocol.js';
import type { CallLabel, HostMessage, LineLevel, RunnerLine, RunnerMessage } from './runner-protocol.js';

const TERM_GRACE_MS = 2000;
/** How long the last messages and output of a dead child are awaited. */
const LAST_WORDS_MS = 1000;

export interface FunctionLogLine {
  function: string;
  /** Null for output that belongs to no run: raw writes to the standard streams, and what happens while loading. */
  runId: string | null;
  attempt: number | null;
  level: LineLevel;
  message: string;
  at: Date;
}

export interface FunctionProcessSetup {
  name: string;
  source: FunctionSource;
  directory: string;
  runnerPath: URL;
  env: Record<string, string>;
  memoryLimitMb: number;
  idleMs: number;
  startTimeoutMs: number;
  log: (line: FunctionLogLine) => void;
  /** Called after the last line of each call. */
  ended: (label: CallLabel) => void;
}

/** One child process that serves one version of one function. */
export class FunctionProcess {
  /** The address to call; rejects with FunctionLoadError. */
  readonly ready: Promise<string>;
  /** Resolves when the child is gone and its last line is logged. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, CallLabel>();
  readonly #rawLines: LineBudget;
  #isReplaceable = false;
  #hasExplained = false;
  #isRetired = false;
  #isStopping = false;
  #idleTimer: NodeJS.Timeout | null = null;
  #onReady: (url: string) => void = () => undefined;
  #onFailed: (error: Error) => void = () => undefined;

  constructor(private readonly setup: FunctionProcessSetup) {
    this.#rawLines = new LineBudget((line) => {
      this.#log(line);
    });
    this.ready = new Promise((resolve, reject) => {
      this.#onReady = resolve;
      this.#onFailed = reject;
    });
    // Whoever waits is told; with nobody waiting, a rejection must not end the program.
    this.ready.catch(() => undefined);
    this.#child = this.#start();
    this.gone = this.#watchExit();
    this.#watchStart();
  }

  get version(): string {
    return this.setup.source.version;
  }

  /** Whether calls to come need another process. */
  get isReplaceable(): boolean {
    return this.#isReplaceable;
  }

  /** Puts the end for lack of work off. */
  touch(): void {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      if (this.#calls.size === 0) this.retire();
    }, this.setup.idleMs);
    this.#idleTimer.unref();
  }

  /** No new calls; the child ends itself after those in flight. */
  retire(): void {
    if (this.#isRetired) return;
    this.#isReplaceable = true;
    this.#isRetired = true;
    // A child that still loads has callers that wait for it; they come first.
    void this.ready.then(
      () => {
        const drain: HostMessage = { type: 'drain' };
        if (this.#child.connected) this.#child.send(drain, () => undefined);
      },
      () => undefined,
    );
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#isReplaceable = true;
    this.#child.kill('SIGTERM');
    const killTimer = setTimeout(() => {
      this.#killGroup();
    }, TERM_GRACE_MS);
    await this.gone;
    clearTimeout(killTimer);
  }

  #start(): ChildProcess {
    const { directory, source, memoryLimitMb, env, runnerPath } = this.setup;
    return fork(fileURLToPath(runnerPath), [directory, source.file, String(memoryLimitMb)], {
      cwd: directory,
      env,
      // Type stripping is announced by Node as experimental on each start; that is no line of a function.
      execArgv: ['--disable-warning=ExperimentalWarning', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Its own process group: Ctrl-C is for the program, which lets its functions finish.
      detached: true,
    });
  }

  #watchStart(): void {
    const timer = setTimeout(() => {
      this.#fail(`it did not load within ${this.setup.startTimeoutMs} ms`);
      this.#killGroup();
    }, this.setup.startTimeoutMs);
    const clear = (): void => {
      clearTimeout(timer);
    };
    this.ready.then(clear, clear);
    this.#child.on('message', (message) => {
      this.#receive(message as RunnerMessage);
    });
    const { stdout, stderr } = this.#child;
    if (stdout) readLines(stdout, this.#rawWriter('info'));
    if (stderr) readLines(stderr, this.#rawWriter('error'));
  }

  #rawWriter(level: LineLevel): (message: string) => void {
    return (message) => {
      this.#rawLines.push({ ...NO_CALL, level, message, at: Date.now() });
    };
  }

  #receive(message: RunnerMessage): void {
    switch (message.type) {
      case 'ready':
        this.touch();
        this.#onReady(message.url);
        return;
      case 'failed':
        this.#fail(message.reason);
        return;
      case 'line':
        this.#log(message.line);
        return;
      case 'begin':
        this.#calls.set(message.call, message.label);
        return;
      case 'end': {
        const label = this.#calls.get(message.call);
        this.#calls.delete(message.call);
        if (label) this.setup.ended(label);
        this.touch();
        return;
      }
      case 'closing':
        this.#isReplaceable = true;
        this.#hasExplained = true;
    }
  }

  #fail(reason: string): void {
    this.#isReplaceable = true;
    this.#hasExplained = true;
    this.#onFailed(new FunctionLoadError(this.setup.name, reason));
  }

  async #watchExit(): Promise<void> {
    // Messages and output can arrive after the exit of their sender; the close comes after them.
    const isClosed = new Promise((resolve) => this.#child.once('close', resolve));
    const cause = await new Promise<string>((resolve) => {
      this.#child.on('error', (error) => {
        resolve(error.message);
      });
      this.#child.once('exit', (code, signal) => {
        resolve(signal === null ? `code ${code ?? 'unknown'}` : `signal ${signal}`);
      });
    });
    this.#isReplaceable = true;
    this.#killGroup();
    await Promise.race([isClosed, delay(LAST_WORDS_MS, undefined, { ref: false })]);
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    for (const label of this.#calls.values()) this.setup.ended(label);
    const exit = `function exited (${cause})`;
    const isExpected = this.#hasExplained || this.#isStopping || (this.#isRetired && cause === 'code 0');
    this.#fail(exit);
    if (isExpected) return;
    const labels = this.#calls.size > 0 ? [...this.#calls.values()] : [NO_CALL];
    for (const label of labels) this.#log({ ...label, level: 'error', message: exit, at: Date.now() });
  }

  /** The child and whatever the function has spawned. */
  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nobody is left in the group.
    }
  }

  #log({ runId, attempt, level, message, at }: RunnerLine): void {
    this.setup.log({ function: this.setup.name, runId, attempt, level, message, at: new Date(at) });
  }
}
