import type { Duplex } from 'node:stream';

import { FrameReader, HEADER_BYTES } from './frame-reader.js';
import type { FrameLimits } from './frame-reader.js';
import { readAtOnce } from './pipe-parser.js';
import type { ReadPipe } from './pipe-parser.js';

const NO_BYTES = Buffer.alloc(0);
/** Taken before any function runs, which may replace those of the global object. */
const { stringify } = JSON;

/**
 * Sends messages with attached bytes through a pipe, in frames (`FrameReader`). It does not use Node's own channel between
 * processes, because a child that writes to that channel directly can end the parent.
 */
export class FrameChannel {
  /**
   * @param onBroken called once, with a frame that exceeds the limits or is not JSON, or an error of `onFrame`
   */
  constructor(
    private readonly pipe: Duplex,
    limits: FrameLimits,
    onFrame: (message: unknown, bytes: Buffer) => void,
    onBroken: (error: unknown) => void,
    read: ReadPipe = readAtOnce,
  ) {
    const reader = new FrameReader(limits, onFrame, (error) => {
      pipe.destroy();
      onBroken(error);
    });
    read(pipe, reader);
    // Other code detects that the process at the other end has died.
    pipe.on('error', () => undefined);
  }

  /** Bytes that the other end has not read yet. */
  get unsentBytes(): number {
    return this.pipe.writableLength;
  }

  send(message: object, bytes: Uint8Array = NO_BYTES, sent?: () => void): void {
    if (!this.pipe.writable) {
      sent?.();
      return;
    }
    const text = Buffer.from(stringify(message));
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32BE(text.length, 0);
    header.writeUInt32BE(bytes.length, 4);
    this.pipe.write(Buffer.concat([header, text, bytes]), () => sent?.());
  }
}
