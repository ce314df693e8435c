import type { Line } from './runner-protocol.js';

export const MAX_LINE_BYTES = 8 * 1024;
const WINDOW_MS = 1000;
const MAX_LINES_PER_WINDOW = 5000;
const MAX_BYTES_PER_WINDOW = 4 * 1024 * 1024;

const encoder = new TextEncoder();

export interface LineSink {
  /** Whether a line would be kept now. */
  canKeep: () => boolean;
  keep: (line: string) => void;
  drop: (count: number) => void;
}

/** What PostgreSQL does not store in a text; with `u`, a surrogate is one that is not in a pair. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Text that PostgreSQL stores: NUL and halves of surrogate pairs are written as JSON writes them, such as `\u0000`. */
export function storableText(text: string): string {
  if (!text.includes('\0') && text.isWellFormed()) return text;
  return text.replace(UNSTORABLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Storable text of at most 8 KiB of UTF-8, including the mark of a cut. */
export function cutLine(message: string): string {
  // A character has at least one byte: what lies beyond can never fit, and a 100 MiB string is not copied.
  const head = storableText(message.slice(0, MAX_LINE_BYTES + 1));
  if (Buffer.byteLength(head) <= MAX_LINE_BYTES) return head;
  return cutWith(` … (cut, ${Buffer.byteLength(message)} bytes in all)`, head);
}

/** What is kept of a line that is longer and has not ended yet. */
export function beginningOfLine(beginning: string): string {
  return cutWith(' … (cut, the line goes on)', storableText(beginning));
}

function cutWith(mark: string, text: string): string {
  const room = new Uint8Array(MAX_LINE_BYTES - Buffer.byteLength(mark));
  const { written } = encoder.encodeInto(text, room);
  return Buffer.from(room.buffer, 0, written).toString('utf8') + mark;
}

/**
 * Delivers a limited number of lines per second and counts the rest, so that a function that writes without end does
 * not fill memory. For each run that lost lines, one line says how many.
 */
export class LineBudget<Labelled extends Line> {
  #windowStartedAt = -Infinity;
  #lines = 0;
  #bytes = 0;
  #isFlushPlanned = false;
  /** By label, the first line that was dropped, and how many. */
  readonly #dropped = new Map<string, { line: Labelled; count: number }>();

  /** @param canDeliver whether a line can be delivered now; while it cannot, lines are dropped */
  constructor(
    private readonly keyOf: (line: Labelled) => string,
    private readonly deliver: (line: Labelled) => void,
    private readonly canDeliver: () => boolean = () => true,
  ) {}

  push(line: Labelled): void {
    if (!this.isOpen()) {
      this.drop(line);
      return;
    }
    const message = cutLine(line.message);
    this.#lines += 1;
    this.#bytes += Buffer.byteLength(message);
    this.deliver({ ...line, message });
  }

  /** Whether a line would be delivered now. */
  isOpen(): boolean {
    // Not a timer: a thread that writes in a loop never reaches its timers.
    const now = performance.now();
    if (now - this.#windowStartedAt >= WINDOW_MS) this.#openWindow(now);
    return this.#lines < MAX_LINES_PER_WINDOW && this.#bytes < MAX_BYTES_PER_WINDOW && this.canDeliver();
  }

  #openWindow(now: number): void {
    this.#windowStartedAt = now;
    this.#lines = 0;
    this.#bytes = 0;
    if (!this.canDeliver()) return;
    for (const { line, count } of this.#dropped.values()) {
      const message = `${count} lines dropped: the function writes faster than lines are kept`;
      this.deliver({ ...line, level: 'warn', message, at: Date.now(), dropped: count });
    }
    this.#dropped.clear();
  }

  /**
   * Counts a line that is not delivered. If the line reports lines that the function's process has dropped, those are
   * counted too.
   */
  drop(line: Labelled): void {
    const { dropped = 1 } = line;
    const key = this.keyOf(line);
    const entry = this.#dropped.get(key);
    if (entry) entry.count += dropped;
    else this.#dropped.set(key, { line: { ...line, message: '' }, count: dropped });
    this.#planFlush();
  }

  #planFlush(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    const windowAge = performance.now() - this.#windowStartedAt;
    setTimeout(() => {
      this.#isFlushPlanned = false;
      this.isOpen();
      if (this.#dropped.size > 0) this.#planFlush();
    }, WINDOW_MS - windowAge).unref();
  }
}
