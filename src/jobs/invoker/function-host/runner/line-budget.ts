import type { Line } from './runner-protocol.js';

export const MAX_LINE_BYTES = 8 * 1024;
const WINDOW_MS = 1000;
const MAX_LINES_PER_WINDOW = 5000;
const MAX_BYTES_PER_WINDOW = 4 * 1024 * 1024;

const encoder = new TextEncoder();

/** At most 8 KiB of UTF-8, the mark of a cut included; NUL, which Postgres text refuses, becomes U+FFFD. */
export function cutLine(message: string): string {
  // A character has at least one byte: what lies beyond can never fit, and a 100 MiB string is not copied.
  const head = message.slice(0, MAX_LINE_BYTES + 1).replaceAll('\0', '\uFFFD');
  if (Buffer.byteLength(head) <= MAX_LINE_BYTES) return head;
  return cutWith(` … (cut, ${Buffer.byteLength(message)} bytes in all)`, head);
}

/** What is kept of a line that is longer and has not ended yet. */
export function beginningOfLine(beginning: string): string {
  return cutWith(' … (cut, the line goes on)', beginning.replaceAll('\0', '\uFFFD'));
}

function cutWith(mark: string, text: string): string {
  const room = new Uint8Array(MAX_LINE_BYTES - Buffer.byteLength(mark));
  const { written } = encoder.encodeInto(text, room);
  return Buffer.from(room.buffer, 0, written).toString('utf8') + mark;
}

/**
 * Lets so many lines a second through and counts the rest, so that a function that floods fills nobody's
 * memory: for each run that lost lines one line says how many.
 */
export class LineBudget<Labelled extends Line> {
  #windowStartedAt = -Infinity;
  #lines = 0;
  #bytes = 0;
  #isFlushPlanned = false;
  /** By label, the first line that was dropped, and how many. */
  readonly #dropped = new Map<string, { line: Labelled; count: number }>();

  /** `hasRoom` says whether the next station takes a line now; while it does not, lines are dropped. */
  constructor(
    private readonly keyOf: (line: Labelled) => string,
    private readonly deliver: (line: Labelled) => void,
    private readonly hasRoom: () => boolean = () => true,
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

  /** Whether a line would be let through now. */
  isOpen(): boolean {
    // By the clock and not by a timer: a thread that floods in a loop never comes to its timers.
    const now = performance.now();
    if (now - this.#windowStartedAt >= WINDOW_MS) this.#openWindow(now);
    return this.#lines < MAX_LINES_PER_WINDOW && this.#bytes < MAX_BYTES_PER_WINDOW && this.hasRoom();
  }

  #openWindow(now: number): void {
    this.#windowStartedAt = now;
    this.#lines = 0;
    this.#bytes = 0;
    if (!this.hasRoom()) return;
    for (const { line, count } of this.#dropped.values()) {
      const message = `${count} lines dropped: the function writes faster than lines are kept`;
      this.deliver({ ...line, level: 'warn', message, at: Date.now(), dropped: count });
    }
    this.#dropped.clear();
  }

  /**
   * Counts a line that is not let through, or as many as it stands for: what an earlier station has dropped counts here,
   * too, when the line that says so finds no room.
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
