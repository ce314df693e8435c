/** The kinds of fields (https://protobuf.dev/programming-guides/encoding/#structure). */
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/** Room for the tag and the length of a field. */
const FIELD_OVERHEAD = 15;

/** Writes one message of Protocol Buffers into a buffer that grows. Zero and '' are written, too. */
export class MessageWriter {
  private buffer = Buffer.allocUnsafe(16_384);
  private length = 0;

  text(field: number, value: string): void {
    this.delimited(field, Buffer.byteLength(value), (at) => this.buffer.write(value, at, 'utf8'));
  }

  /** @param digits hexadecimal */
  bytes(field: number, digits: string): void {
    this.delimited(field, digits.length / 2, (at) => this.buffer.write(digits, at, 'hex'));
  }

  /** @param value an integer from 0 */
  integer(field: number, value: number): void {
    this.reserve(FIELD_OVERHEAD);
    this.tag(field, VARINT);
    this.varint(value);
  }

  fixed32(field: number, value: number): void {
    this.reserve(FIELD_OVERHEAD);
    this.tag(field, FIXED_32);
    this.length = this.buffer.writeUInt32LE(value, this.length);
  }

  fixed64(field: number, value: bigint): void {
    this.reserve(FIELD_OVERHEAD);
    this.tag(field, FIXED_64);
    this.length = this.buffer.writeBigUInt64LE(value, this.length);
  }

  double(field: number, value: number): void {
    this.reserve(FIELD_OVERHEAD);
    this.tag(field, FIXED_64);
    this.length = this.buffer.writeDoubleLE(value, this.length);
  }

  /** A message inside this one. Its length precedes it and is known after it: a long one is moved to make room. */
  message(field: number, write: () => void): void {
    this.reserve(FIELD_OVERHEAD);
    this.tag(field, LENGTH_DELIMITED);
    const from = this.length + 1;
    this.length = from;
    write();
    const size = this.length - from;
    const shift = varintLength(size) - 1;
    if (shift > 0) {
      this.reserve(shift);
      this.buffer.copyWithin(from + shift, from, this.length);
    }
    this.length = from - 1;
    this.varint(size);
    this.length += size;
  }

  finish(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private delimited(field: number, size: number, write: (at: number) => void): void {
    this.reserve(FIELD_OVERHEAD + size);
    this.tag(field, LENGTH_DELIMITED);
    this.varint(size);
    write(this.length);
    this.length += size;
  }

  private tag(field: number, kind: number): void {
    this.varint(field * 8 + kind);
  }

  /** Seven bits a byte, the lowest first. Without bit operators, which know only 32 bits. */
  private varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.length = this.buffer.writeUInt8((rest % 128) + 128, this.length);
      rest = Math.floor(rest / 128);
    }
    this.length = this.buffer.writeUInt8(rest, this.length);
  }

  private reserve(size: number): void {
    const needed = this.length + size;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

function varintLength(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}
