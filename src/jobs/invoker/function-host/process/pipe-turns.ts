import type { Readable } from 'node:stream';

import type { PipeParser } from '../runner/pipe-parser.js';

/** The limit for all pipes together in one turn of the event loop. */
const TURN_MS = 10;
/** The limit for one pipe before the next one is read. */
const STEP_MS = 2;
const WINDOW_MS = 1000;
/** The limit for the pipes of one process in a window. */
const WINDOW_SHARE_MS = 250;
/** A pipe with this much unread data is not read further, so that its writer waits. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** Reads the pipes of functions in turn, a few milliseconds at a time, so that the program can do its other work. */
export class PipeTurns {
  readonly #waiting: PipeReader[] = [];
  #isPlanned = false;

  /** @returns a reader for each pipe of one process; their total time is limited */
  ofProcess(): ProcessPipes {
    return new ProcessPipes((reader) => {
      this.#waiting.push(reader);
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#readSome();
    });
  }

  #readSome(): void {
    const endsAt = performance.now() + TURN_MS;
    while (performance.now() < endsAt) {
      const reader = this.#waiting.shift();
      if (reader === undefined) return;
      reader.readSome();
    }
    if (this.#waiting.length > 0) this.#plan();
  }
}

/** The pipes of one process. One that writes more than can be read in its share of the time has to wait. */
export class ProcessPipes {
  readonly #readers: PipeReader[] = [];
  #windowStartedAt = -Infinity;
  #spentMs = 0;

  constructor(private readonly waitForTurn: (reader: PipeReader) => void) {}

  read(pipe: Readable, parser: PipeParser): void {
    this.#readers.push(new PipeReader(pipe, parser, this, this.waitForTurn));
  }

  /** Resolves when everything is read; the process has ended, or closed its pipes. */
  async allRead(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.done));
  }

  /** The process has ended and writes no more: what is left is read without waiting. */
  startWindow(): void {
    this.#windowStartedAt = performance.now();
    this.#spentMs = 0;
    for (const reader of this.#readers) reader.resumeWaiting();
  }

  /** How long the process has to wait. */
  get waitMs(): number {
    const now = performance.now();
    if (now - this.#windowStartedAt >= WINDOW_MS) {
      this.#windowStartedAt = now;
      this.#spentMs = 0;
    }
    return this.#spentMs < WINDOW_SHARE_MS ? 0 : this.#windowStartedAt + WINDOW_MS - now;
  }

  spend(ms: number): void {
    this.#spentMs += ms;
  }
}

class PipeReader {
  readonly done: Promise<void>;
  #onDone: () => void = () => undefined;
  #unreadBytes = 0;
  #isWaiting = false;
  #hasEnded = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly pipe: Readable,
    private readonly parser: PipeParser,
    private readonly process: ProcessPipes,
    private readonly waitForTurn: (reader: PipeReader) => void,
  ) {
    this.done = new Promise((resolve) => (this.#onDone = resolve));
    pipe.on('data', (part: Buffer) => {
      parser.add(part);
      this.#unreadBytes += part.length;
      if (this.#unreadBytes >= MAX_UNREAD_BYTES) pipe.pause();
      this.#wait();
    });
    for (const ending of ['end', 'close'])
      pipe.once(ending, () => {
        this.#hasEnded = true;
        this.#wait();
      });
    // A process that dies may break its pipe; its exit is reported elsewhere.
    pipe.on('error', () => undefined);
  }

  readSome(): void {
    const { waitMs } = this.process;
    if (waitMs > 0) {
      this.#timer = setTimeout(() => {
        this.resumeWaiting();
      }, waitMs).unref();
      return;
    }
    this.#isWaiting = false;
    const startedAt = performance.now();
    let [isMore, spentMs] = [true, 0];
    while (isMore && spentMs < STEP_MS) {
      isMore = this.parser.takeNext();
      spentMs = performance.now() - startedAt;
    }
    this.process.spend(spentMs);
    if (isMore) this.#wait();
    else this.#finishReading();
  }

  resumeWaiting(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.waitForTurn(this);
  }

  #wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.waitForTurn(this);
  }

  #finishReading(): void {
    if (this.#unreadBytes >= MAX_UNREAD_BYTES) this.pipe.resume();
    this.#unreadBytes = 0;
    if (!this.#hasEnded) return;
    this.parser.end();
    this.#onDone();
  }
}
