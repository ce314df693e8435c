import { Console } from 'node:console';
import { StringDecoder } from 'node:string_decoder';
import { Writable } from 'node:stream';

import type { LineSink } from './line-budget.js';
import type { LineLevel } from './runner-protocol.js';

/** More than a line may have, so that the reader detects that it has to cut the line. */
const MAX_OPEN_CHARACTERS = 16 * 1024;

const NEWLINE = 10;

type Emit = (level: LineLevel, message: string) => void;

/** Turns every method of the global console into log lines. One call is one line, even if its text spans several. */
export function captureConsole(emit: Emit): void {
  const stream = (level: LineLevel): Writable =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done): void {
        emit(level, text.endsWith('\n') ? text.slice(0, -1) : text);
        done();
      },
    });
  const consoleAt = (level: LineLevel): Console =>
    new Console({ stdout: stream(level), stderr: stream('error'), colorMode: false });
  // In place, so that `import console from 'node:console'` writes to the same lines.
  const [debug, warn] = [consoleAt('debug'), consoleAt('warn')];
  Object.assign(globalThis.console, consoleAt('info'), {
    debug: (...values: unknown[]) => {
      debug.log(...values);
    },
    warn: (...values: unknown[]) => {
      warn.log(...values);
    },
  });
}

/**
 * Splits what is written to a standard stream into lines. A function may write faster than lines are kept: the excess
 * lines of a piece are only counted, which costs little.
 */
export class OpenLine {
  readonly #decoder = new StringDecoder('utf8');
  /** The line that has not ended. */
  #text = '';

  constructor(private readonly sink: LineSink) {}

  add(piece: string | Uint8Array): void {
    const text = this.#text + (typeof piece === 'string' ? piece : this.#decoder.write(Buffer.from(piece)));
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      if (!this.sink.canKeep()) {
        const last = text.lastIndexOf('\n');
        this.sink.drop(newlinesIn(text, from, last));
        from = last + 1;
        break;
      }
      this.sink.keep(text.slice(from, end));
      from = end + 1;
    }
    this.#text = text.slice(from);
    if (this.#text.length > MAX_OPEN_CHARACTERS) this.end();
  }

  end(): void {
    const rest = this.#text + this.#decoder.end();
    this.#text = '';
    if (rest !== '') this.sink.keep(rest);
  }
}

function newlinesIn(text: string, from: number, last: number): number {
  let count = 0;
  for (let at = from; at <= last; at += 1) if (text.charCodeAt(at) === NEWLINE) count += 1;
  return count;
}

/** Captures what the code writes to `process.stdout` or `process.stderr`. */
export function captureStream(stream: NodeJS.WriteStream, take: (piece: string | Uint8Array) => void): void {
  const write = (
    piece: string | Uint8Array,
    encoding?: BufferEncoding | (() => void),
    done?: () => void,
  ): boolean => {
    take(typeof piece === 'string' && typeof encoding === 'string' ? Buffer.from(piece, encoding) : piece);
    const written = typeof encoding === 'function' ? encoding : done;
    if (written !== undefined) queueMicrotask(written);
    return true;
  };
  stream.write = write;
}
