import type { Duplex } from 'node:stream';

const HEADER_BYTES = 8;
const NO_BYTES = Buffer.alloc(0);
/** Taken before any function runs, which may replace those of the global object. */
const { parse, stringify } = JSON;

export interface FrameLimits {
  messageBytes: number;
  chunkBytes: number;
}

/**
 * Messages with bytes beside them over a pipe. A frame is the length of the message's JSON and that of the bytes, four
 * bytes each, the highest first, and then both. Not Node's own channel between processes: what a child writes there by
 * itself can end the parent.
 */
export class FrameChannel {
  #parts: Buffer[] = [];
  #length = 0;
  #isBroken = false;

  /**
   * @param onBroken called once, with a frame that is beyond the limits or no JSON, or an error of `onFrame`
   */
  constructor(
    private readonly pipe: Duplex,
    private readonly limits: FrameLimits,
    private readonly onFrame: (message: unknown, bytes: Buffer) => void,
    private readonly onBroken: (error: unknown) => void,
  ) {
    pipe.on('data', (part: Buffer) => {
      this.#parts.push(part);
      this.#length += part.length;
      this.#read();
    });
    // The other end's death is noticed elsewhere.
    pipe.on('error', () => undefined);
  }

  /** Bytes that wait to be taken by the other end. */
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

  #read(): void {
    while (!this.#isBroken && this.#length >= HEADER_BYTES) {
      const head = this.#peek(HEADER_BYTES);
      const [messageBytes, chunkBytes] = [head.readUInt32BE(0), head.readUInt32BE(4)];
      const { limits } = this;
      if (messageBytes > limits.messageBytes || chunkBytes > limits.chunkBytes) {
        this.#break(new Error('a frame beyond the limits'));
        return;
      }
      const length = HEADER_BYTES + messageBytes + chunkBytes;
      if (this.#length < length) return;
      const frame = this.#peek(length);
      this.#skip(length);
      try {
        const message: unknown = parse(frame.toString('utf8', HEADER_BYTES, HEADER_BYTES + messageBytes));
        this.onFrame(message, frame.subarray(HEADER_BYTES + messageBytes, length));
      } catch (error) {
        this.#break(error);
      }
    }
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

  #break(error: unknown): void {
    this.#isBroken = true;
    this.#parts = [];
    this.pipe.destroy();
    this.onBroken(error);
  }
}
