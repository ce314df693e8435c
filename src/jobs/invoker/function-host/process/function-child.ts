import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { FrameChannel } from '../runner/frame-channel.js';
import type { Confinement } from '../confinement/function-confinement.js';
import { MEMORY_CHECK_MS, preferAtShortage, residentBytes } from './function-memory.js';
import type { FunctionWatchdog } from '../confinement/function-watchdog.js';
import type { PipeTurns, ProcessPipes } from './pipe-turns.js';
import { RawLines } from './raw-lines.js';
import { CHANNEL_FD, MAX_CHUNK_BYTES, MAX_MESSAGE_BYTES } from '../runner/runner-protocol.js';
import type { HostMessage, LineLevel, RunnerSetup } from '../runner/runner-protocol.js';

const MIB = 1024 * 1024;
/** Node itself, before the function allocates anything. */
const BASE_MEMORY_MB = 192;
/** What V8 prints on standard error: the beginning of its report, and the reason. */
const HEAP_REPORT = '<--- Last few GCs --->';
const OUT_OF_HEAP = 'JavaScript heap out of memory';

export interface FunctionChildOptions {
  runnerPath: URL;
  env: Record<string, string>;
  memoryLimitMb: number;
  watchdog: FunctionWatchdog;
  /** Throws if the runner cannot have sent it. */
  onMessage: (message: unknown, bytes: Uint8Array) => void;
  onBrokenProtocol: () => void;
  onOutOfMemory: () => void;
  /** Its last messages may still arrive. */
  onExit: () => void;
  pipeTurns: PipeTurns;
  /** Receives lines that were written to a standard stream by its descriptor. */
  rawLines: RawLinesSink;
  /** How long the last messages and output of a dead child are awaited. */
  lastWordsMs: number;
}

export interface RawLinesSink {
  canKeep: () => boolean;
  keep: (level: LineLevel, message: string) => void;
  drop: (level: LineLevel, count: number) => void;
}

/** The operating system's side of a function's process: how it starts, what it writes, and that it ends. */
export class FunctionChild {
  /** Resolves with how it ended, in words, after its last message. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #channel: FrameChannel;
  readonly #pipes: ProcessPipes;
  #isOutOfHeap = false;
  #isReportingHeap = false;
  #isUnendedReported = false;

  constructor(
    confinement: Confinement,
    private readonly options: FunctionChildOptions,
  ) {
    this.#child = this.#start(confinement);
    this.#pipes = options.pipeTurns.ofProcess();
    this.#channel = new FrameChannel(
      this.#child.stdio[CHANNEL_FD] as Duplex,
      { messageBytes: MAX_MESSAGE_BYTES, chunkBytes: MAX_CHUNK_BYTES },
      options.onMessage,
      options.onBrokenProtocol,
      (pipe, parser) => {
        this.#pipes.read(pipe, parser);
      },
    );
    const { stdout, stderr } = this.#child;
    if (stdout) this.#pipes.read(stdout, this.#linesOf('info'));
    if (stderr) this.#pipes.read(stderr, this.#linesOf('error'));
    this.ended = this.#watch();
  }

  /** Whether V8 ended it, having reached the limit of its heap. */
  get isOutOfHeap(): boolean {
    return this.#isOutOfHeap;
  }

  send(message: HostMessage, bytes?: Uint8Array): void {
    this.#channel.send(message, bytes);
  }

  /** Asks it to end. */
  terminate(): void {
    this.#child.kill('SIGTERM');
  }

  /** Ends it, and whatever the function has started in its process group. */
  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      // No process is left in the group.
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      this.#reportUnended(error as Error);
    }
  }

  #reportUnended(error: Error): void {
    if (this.#isUnendedReported) return;
    this.#isUnendedReported = true;
    this.options.rawLines.keep('error', `the function's process cannot be ended: ${error.message}`);
  }

  #start({ directory, file, account, isConfined, nodeOptions }: Confinement): ChildProcess {
    const { memoryLimitMb, runnerPath, env } = this.options;
    const setup: RunnerSetup = { directory, file, account, isConfined };
    const args = [
      ...nodeOptions,
      `--max-old-space-size=${memoryLimitMb}`,
      // Node's warnings about experimental features at each start are not lines of the function.
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
      fileURLToPath(runnerPath),
      JSON.stringify(setup),
    ];
    return spawn(process.execPath, args, {
      cwd: directory,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // Its own process group: Ctrl-C is for the program, which lets its functions finish.
      detached: true,
    });
  }

  async #watch(): Promise<string> {
    const { pid } = this.#child;
    const { watchdog } = this.options;
    const memory = pid === undefined ? null : this.#watchMemory(pid);
    if (pid !== undefined) watchdog.add(pid);
    // Messages and output can arrive after the exit of their sender; the close comes after them.
    const isClosed = new Promise((resolve) => this.#child.once('close', resolve));
    const cause = await new Promise<string>((resolve) => {
      this.#child.on('error', (error) => {
        // For a started process, this event means that a signal was refused, not that the process has ended.
        if (pid === undefined) resolve(error.message);
        else this.#reportUnended(error);
      });
      this.#child.once('exit', (code, signal) => {
        resolve(signal === null ? `code ${code ?? 'unknown'}` : `signal ${signal}`);
      });
    });
    this.options.onExit();
    this.#pipes.startWindow();
    if (memory) clearInterval(memory);
    this.kill();
    if (pid !== undefined) watchdog.drop(pid);
    const isRead = isClosed.then(() => this.#pipes.allRead());
    await Promise.race([isRead, delay(this.options.lastWordsMs, undefined, { ref: false })]);
    return cause;
  }

  #watchMemory(pid: number): NodeJS.Timeout {
    const { memoryLimitMb, onOutOfMemory } = this.options;
    let isLooking = false;
    void preferAtShortage(pid);
    return setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      void residentBytes(pid).then((bytes) => {
        isLooking = false;
        if (bytes >= (memoryLimitMb + BASE_MEMORY_MB) * MIB) onOutOfMemory();
      });
    }, MEMORY_CHECK_MS).unref();
  }

  #linesOf(level: 'info' | 'error'): RawLines {
    const { rawLines } = this.options;
    return new RawLines({
      canKeep: rawLines.canKeep,
      keep: (line) => {
        if (level === 'error') this.#readError(line);
        else rawLines.keep(level, line);
      },
      drop: (count) => {
        rawLines.drop(level, count);
      },
    });
  }

  #readError(line: string): void {
    if (line.includes(OUT_OF_HEAP)) this.#isOutOfHeap = true;
    // V8's own report does not help the author of a function.
    if (line.includes(HEAP_REPORT)) this.#isReportingHeap = true;
    if (!this.#isReportingHeap) this.options.rawLines.keep('error', line);
  }
}
