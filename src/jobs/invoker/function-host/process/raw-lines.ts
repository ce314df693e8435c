import { beginningOfLine, MAX_LINE_BYTES } from '../runner/line-budget.js';
import type { LineSink } from '../runner/line-budget.js';
import type { PipeParser } from '../runner/pipe-parser.js';

const NEWLINE = 10;

/** The state of the unfinished line: its end is missing, or only its beginning is kept. */
type OpenLine = 'kept' | 'cut' | 'dropped';

/**
 * Splits a standard stream into lines. A function may write faster than lines are kept: excess lines are only counted,
 * which costs little. Of a line that does not end, the beginning is kept at once.
 */
export class RawLines implements PipeParser {
  readonly #parts: Buffer[] = [];
  #beginning: Buffer[] = [];
  #beginningBytes = 0;
  #openLine: OpenLine = 'kept';

  constructor(private readonly sink: LineSink) {}

  add(part: Buffer): void {
    this.#parts.push(part);
  }

  takeNext(): boolean {
    const part = this.#parts.shift();
    if (part === undefined) return false;
    if (!this.sink.canKeep()) {
      this.#drop(part);
      return true;
    }
    const end = part.indexOf(NEWLINE);
    this.#append(end === -1 ? part : part.subarray(0, end));
    if (end === -1) return true;
    this.#endLine();
    const next = startOfLine(part, end + 1);
    if (next < part.length) this.#parts.unshift(part.subarray(next));
    return true;
  }

  end(): void {
    this.#endLine();
  }

  #append(piece: Buffer): void {
    if (this.#openLine !== 'kept') return;
    // One byte more than is kept, to detect that the text is too long.
    const taken = piece.subarray(0, MAX_LINE_BYTES + 1 - this.#beginningBytes);
    this.#beginning.push(taken);
    this.#beginningBytes += taken.length;
    if (this.#beginningBytes <= MAX_LINE_BYTES) return;
    this.sink.keep(beginningOfLine(this.#takeBeginning()));
    this.#openLine = 'cut';
  }

  #endLine(): void {
    if (this.#openLine === 'dropped') this.sink.drop(1);
    else if (this.#beginningBytes > 0) this.sink.keep(this.#takeBeginning());
    this.#openLine = 'kept';
  }

  #takeBeginning(): string {
    const text = Buffer.concat(this.#beginning).toString('utf8');
    this.#beginning = [];
    this.#beginningBytes = 0;
    return text;
  }

  #drop(part: Buffer): void {
    let line: OpenLine | null = this.#openLine;
    if (line === 'kept') line = this.#beginningBytes > 0 ? 'dropped' : null;
    this.#takeBeginning();
    let count = 0;
    for (let at = 0; at < part.length; at += 1) {
      if (part[at] !== NEWLINE) {
        line ??= 'dropped';
        continue;
      }
      if (line === 'dropped') count += 1;
      line = null;
    }
    this.#openLine = line ?? 'kept';
    if (count > 0) this.sink.drop(count);
  }
}

/** Empty lines are ignored. */
function startOfLine(part: Buffer, from: number): number {
  let at = from;
  while (part[at] === NEWLINE) at += 1;
  return at;
}
