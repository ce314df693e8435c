import type { Readable } from 'node:stream';

/** Takes apart what comes through a pipe, in small steps. */
export interface PipeParser {
  add(part: Buffer): void;
  /** Takes one frame or one line. @returns false when nothing is left to take before more is added */
  takeNext(): boolean;
  /** The pipe has ended, and nothing is left to take. */
  end(): void;
}

/** Hands a parser what comes through a pipe. */
export type ReadPipe = (pipe: Readable, parser: PipeParser) => void;

/** For a pipe whose writer is trusted: takes everything as it comes. */
export const readAtOnce: ReadPipe = (pipe, parser) => {
  pipe.on('data', (part: Buffer) => {
    parser.add(part);
    while (parser.takeNext());
  });
};
