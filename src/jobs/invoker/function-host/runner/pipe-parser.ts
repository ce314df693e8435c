import type { Readable } from 'node:stream';

/** Parses what arrives through a pipe, in small steps. */
export interface PipeParser {
  add(part: Buffer): void;
  /** Parses one frame or one line. @returns false if it needs more input */
  takeNext(): boolean;
  /** The pipe has ended, and everything has been parsed. */
  end(): void;
}

/** Passes what arrives through a pipe to a parser. */
export type ReadPipe = (pipe: Readable, parser: PipeParser) => void;

/** For a pipe with a trusted writer: reads everything at once. */
export const readAtOnce: ReadPipe = (pipe, parser) => {
  pipe.on('data', (part: Buffer) => {
    parser.add(part);
    while (parser.takeNext());
  });
};
