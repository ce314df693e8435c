const PARTIAL_SUCCESS = 1;
const REJECTED_SPANS = 1;
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/** How many spans a collector rejected, from its `ExportTraceServiceResponse`. What is no such message means none. */
export function rejectedSpans(body: Buffer): number {
  const partial = fieldOf(body, PARTIAL_SUCCESS);
  const rejected = Buffer.isBuffer(partial) ? fieldOf(partial, REJECTED_SPANS) : null;
  return typeof rejected === 'number' ? rejected : 0;
}

/** The value of a field that is an integer or has a length; null where the message has none. */
function fieldOf(message: Buffer, wanted: number): number | Buffer | null {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; at < message.length; factor *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < message.length) {
    const tag = varint();
    const isWanted = Math.floor(tag / 8) === wanted;
    const kind = tag % 8;
    if (kind === VARINT) {
      const value = varint();
      if (isWanted) return value;
    } else if (kind === LENGTH_DELIMITED) {
      const size = varint();
      if (isWanted) return message.subarray(at, at + size);
      at += size;
    } else if (kind === FIXED_64) at += 8;
    else if (kind === FIXED_32) at += 4;
    else return null;
  }
  return null;
}
