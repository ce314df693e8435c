import type { PipeParser } from './pipe-parser.js';

export const HEADER_BYTES = 8;
const NO_BYTES = Buffer.alloc(0);
/** Taken before any function runs, which may replace those of the global object. */
const { parse } = JSON;

export interface FrameLimits {
  messageBytes: number;
  chunkBytes: number;
}

/**
 * Reads frames. A frame contains the length of a message's JSON and the length of the attached bytes, as four big-endian
 * bytes each, followed by both.
 */
export class FrameReader implements PipeParser {
  #parts: Buffer[] = [];
  #length = 0;
  #isBroken = false;

  /**
   * @param onBroken called once, with a frame that exceeds the limits or is not JSON, or an error of `onFrame`
   */
  constructor(
    private readonly limits: FrameLimits,
    private readonly onFrame: (message: unknown, bytes: Buffer) => void,
    private readonly onBroken: (error: unknown) => void,
  ) {}

  add(part: Buffer): void {
    if (this.#isBroken) return;
    this.#parts.push(part);
    this.#length += part.length;
  }

  takeNext(): boolean {
    if (this.#length < HEADER_BYTES) return false;
    const head = this.#peek(HEADER_BYTES);
    const [messageBytes, chunkBytes] = [head.readUInt32BE(0), head.readUInt32BE(4)];
    const { limits } = this;
    if (messageBytes > limits.messageBytes || chunkBytes > limits.chunkBytes)
      return this.#break(new Error('a frame beyond the limits'));
    const length = HEADER_BYTES + messageBytes + chunkBytes;
    if (this.#length < length) return false;
    const frame = this.#peek(length);
    this.#skip(length);
    try {
      const message: unknown = parse(frame.toString('utf8', HEADER_BYTES, HEADER_BYTES + messageBytes));
      this.onFrame(message, frame.subarray(HEADER_BYTES + messageBytes, length));
      return true;
    } catch (error) {
      return this.#break(error);
    }
  }

  /** The rest of a frame that was cut off when its writer ended. */
  end(): void {
    this.#parts = [];
    this.#length = 0;
  }

  /** The first bytes, in one piece. */
  #peek(length: number): Buffer {
    const [first = NO_BYTES] = this.#parts;
    if (first.length >= length) return first;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [whole];
    return whole;
  }

  #skip(length: number): void {
    this.#length -= length;
    const [first = NO_BYTES] = this.#parts;
    if (first.length > length) this.#parts[0] = first.subarray(length);
    else this.#parts.shift();
  }

  #break(error: unknown): false {
    this.#isBroken = true;
    this.end();
    this.onBroken(error);
    return false;
  }
}
