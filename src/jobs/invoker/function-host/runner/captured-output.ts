import { Console } from 'node:console';
import { StringDecoder } from 'node:string_decoder';
import { Writable } from 'node:stream';

import type { LineLevel } from './runner-protocol.js';

/** More than a line may have, so that the reader detects that it has to cut the line. */
const MAX_OPEN_CHARACTERS = 16 * 1024;

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

/** Output on a standard stream whose line has not ended. */
export class OpenLine {
  readonly #decoder = new StringDecoder('utf8');
  #text = '';

  /** The lines that this piece completes. */
  add(piece: string | Uint8Array): string[] {
    const text = typeof piece === 'string' ? piece : this.#decoder.write(Buffer.from(piece));
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    if (this.#text.length > MAX_OPEN_CHARACTERS) lines.push(...this.end());
    return lines;
  }

  end(): string[] {
    const rest = this.#text + this.#decoder.end();
    this.#text = '';
    return rest === '' ? [] : [rest];
  }
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
