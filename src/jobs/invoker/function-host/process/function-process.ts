import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { CallServer } from './call-server.js';
import { ErrorText } from '../runner/error-text.js';
import { FunctionChild } from './function-child.js';
import type { Confinement, FunctionConfinements } from '../confinement/function-confinement.js';
import { FunctionLoadError } from './function-errors.js';
import type { FunctionSource } from './function-folder.js';
import type { FunctionTiming } from './function-timing.js';
import type { PipeTurns } from './pipe-turns.js';
import type { FunctionWatchdog } from '../confinement/function-watchdog.js';
import { LineBudget } from '../runner/line-budget.js';
import { BrokenProtocolError, parseRunnerMessage } from '../runner/runner-message.js';
import { NO_CALL } from '../runner/runner-protocol.js';
import type { LineLevel, RunnerLine } from '../runner/runner-protocol.js';

export interface FunctionLogLine {
  function: string;
  /** Null for output that belongs to no run: raw writes to the descriptors, and what happens while loading. */
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
  timing: FunctionTiming;
  confinements: FunctionConfinements;
  watchdog: FunctionWatchdog;
  pipeTurns: PipeTurns;
  log: (line: FunctionLogLine) => void;
}

/** Why a function can no longer be used: a short reason for its callers, and the full one for its log. */
interface Ending {
  reason: string;
  detail: string;
}

/** One child process that serves one version of one function. */
export class FunctionProcess {
  /** The address to call; rejects with FunctionLoadError. */
  readonly ready: Promise<string>;
  /** Resolves when the child is gone and its last line is logged. */
  readonly gone: Promise<void>;
  #child: FunctionChild | null = null;
  readonly #server: CallServer;
  readonly #lines: LineBudget<RunnerLine>;
  #isReplaceable = false;
  #isLoaded = false;
  #isRetired = false;
  #isStopping = false;
  #ending: Ending | null = null;
  /** Resolves when it is known why the function cannot be loaded. */
  #failing: Promise<void> | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  #onReady: (url: string) => void = () => undefined;
  #onFailed: (error: Error) => void = () => undefined;

  constructor(private readonly setup: FunctionProcessSetup) {
    this.#lines = new LineBudget(
      ({ runId, attempt }) => `${runId ?? ''} ${attempt ?? ''}`,
      ({ runId, attempt, level, message, at }) => {
        setup.log({ function: setup.name, runId, attempt, level, message, at: new Date(at) });
      },
    );
    this.#server = new CallServer(
      {
        toFunction: (message, body) => this.#child?.send(message, body),
        onIdle: () => {
          this.touch();
        },
        onHang: () => {
          this.#end('function hung: it did not let go of its thread after its caller had gone');
        },
      },
      setup.timing,
    );
    this.ready = new Promise((resolve, reject) => {
      this.#onReady = resolve;
      this.#onFailed = reject;
    });
    // Waiting callers get the rejection. If there are none, it must not end the program.
    this.ready.catch(() => undefined);
    this.gone = this.#live();
  }

  get version(): string {
    return this.setup.source.version;
  }

  /** Whether later calls need another process. */
  get isReplaceable(): boolean {
    return this.#isReplaceable;
  }

  /** Postpones the end of an idle process. */
  touch(): void {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      if (this.#server.labels.length === 0) this.retire();
    }, this.setup.timing.idleMs);
    this.#idleTimer.unref();
  }

  /** Accepts no new calls; the child ends after those in flight. */
  retire(): void {
    if (this.#isRetired) return;
    this.#isReplaceable = true;
    this.#isRetired = true;
    // Callers may be waiting for a child that is still loading; they are served first.
    this.ready
      .then(() => this.#server.drain())
      .then(
        () => this.stop(),
        () => undefined,
      );
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#isReplaceable = true;
    this.#child?.terminate();
    const killTimer = setTimeout(() => {
      this.#child?.kill();
    }, this.setup.timing.termGraceMs);
    await Promise.race([this.gone, delay(this.setup.timing.stopMs, undefined, { ref: false })]);
    clearTimeout(killTimer);
  }

  async #live(): Promise<void> {
    const { confinements, directory, source, runnerPath } = this.setup;
    let confinement: Confinement | null = null;
    try {
      const runnerFolder = dirname(fileURLToPath(runnerPath));
      confinement = await confinements.prepare(directory, source.file, runnerFolder);
      if (!this.#isStopping) await this.#run(confinement);
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error));
    }
    this.#isReplaceable = true;
    this.#onFailed(new FunctionLoadError(this.setup.name, this.#ending?.reason ?? 'the program stops'));
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#server.close();
    try {
      await confinement?.release();
    } catch (error) {
      // The process has ended all the same, and callers that wait for its end must learn of it.
      this.#explain(
        'error',
        `its copy cannot be removed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async #run(confinement: Confinement): Promise<void> {
    const { runnerPath, env, memoryLimitMb, watchdog, pipeTurns, timing } = this.setup;
    this.#child = new FunctionChild(confinement, {
      runnerPath,
      env,
      memoryLimitMb,
      watchdog,
      lastWordsMs: timing.lastWordsMs,
      onMessage: (message, bytes) => {
        this.#receive(message, bytes);
      },
      onBrokenProtocol: () => {
        this.#end('function broke the protocol between its process and the program');
      },
      onOutOfMemory: () => {
        this.#end(outOfMemory(memoryLimitMb));
      },
      onExit: () => {
        this.#isReplaceable = true;
      },
      pipeTurns,
      rawLines: {
        canKeep: () => this.#lines.isOpen(),
        keep: (level, message) => {
          this.#explain(level, message);
        },
        drop: (level, dropped) => {
          this.#lines.drop({ ...NO_CALL, level, message: '', at: Date.now(), dropped });
        },
      },
    });
    const startTimer = setTimeout(() => {
      if (!this.#isLoaded) this.#end(`it did not load within ${timing.loadLimitMs} ms`);
    }, timing.loadLimitMs);
    const cause = await this.#child.ended;
    clearTimeout(startTimer);
    await this.#failing;
    const exit = this.#child.isOutOfHeap ? outOfMemory(memoryLimitMb) : `function exited (${cause})`;
    await this.#report(exit);
  }

  /** @throws if the runner cannot have sent this */
  #receive(value: unknown, bytes: Uint8Array): void {
    const message = parseRunnerMessage(value);
    switch (message.type) {
      case 'loaded':
        this.#requireFirstWord();
        this.#isLoaded = true;
        this.touch();
        this.#server.listen().then(this.#onReady, this.#onFailed);
        return;
      case 'failed':
        this.#requireFirstWord();
        this.#failing = this.#failed(message.reason, message.isUnplacedSyntaxError);
        return;
      case 'crashed':
        this.#end(`function crashed: ${message.reason}`, `function crashed: ${message.detail}`);
        return;
      case 'line': {
        const { call, ...line } = message.line;
        this.#lines.push({ ...line, ...this.#server.labelOf(call) });
        return;
      }
      case 'pong':
        this.#server.pong();
        return;
      default:
        this.#server.receive(message, bytes);
    }
  }

  /**
   * The runner reports once whether it has loaded. Each further report would make the program listen again, or start
   * another process that finds the location of an error.
   */
  #requireFirstWord(): void {
    if (this.#isLoaded || this.#failing || this.#ending)
      throw new BrokenProtocolError('a second word about the loading');
  }

  async #failed(reason: string, lacksLocation: boolean): Promise<void> {
    const location = lacksLocation ? ` ${await this.#locationOfSyntaxError()}` : '';
    this.#end(`${reason}${location}`);
  }

  /** `node --check` prints `file:line` first, which no caught SyntaxError carries. */
  async #locationOfSyntaxError(): Promise<string> {
    const { directory, source, timing } = this.setup;
    const output = await new Promise<string>((resolve) => {
      const options = { timeout: timing.syntaxCheckMs, env: {}, cwd: directory };
      execFile(process.execPath, ['--check', source.file], options, (_error, _stdout, stderr) => {
        resolve(stderr);
      });
    });
    const location = /^(\S.*:\d+)$/m.exec(new ErrorText(directory).relative(output))?.[1];
    return location === undefined ? '(in a module that it imports)' : `(${location})`;
  }

  /** The function can no longer be used: ends its process, and gives waiting callers the reason. */
  #end(reason: string, detail = reason): void {
    this.#ending ??= { reason, detail };
    this.#isReplaceable = true;
    this.#child?.kill();
  }

  /** Logs to each waiting run what happened to the function. */
  async #report(exit: string): Promise<void> {
    const isExpected = this.#ending === null && this.#isStopping;
    this.#ending ??= { reason: exit, detail: exit };
    const { reason, detail } = this.#ending;
    const { labels } = this.#server;
    if (this.#isLoaded && !isExpected)
      for (const label of labels.length > 0 ? labels : [NO_CALL]) this.#explain('error', detail, label);
    await Promise.race([
      this.#server.fail(reason),
      delay(this.setup.timing.lastAnswersMs, undefined, { ref: false }),
    ]);
  }

  #explain(level: LineLevel, message: string, label = NO_CALL): void {
    this.#lines.push({ ...label, level, message, at: Date.now() });
  }
}

function outOfMemory(limitMb: number): string {
  return `function ran out of memory (${limitMb} MiB)`;
}
