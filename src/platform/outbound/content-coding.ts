import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

/** Why a body is not usable: longer than what is read of it, or not in the coding that its answer names. */
export type BodyFault = 'too_large' | 'undecodable';

export interface DecodedBody {
  readonly body: Buffer;
  readonly fault: BodyFault | null;
}

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decodeZlib = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);
const decodeRaw = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);
const decodeGzip: Decoder = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);
const decodeBrotli: Decoder = promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress);

/** Some servers leave out the zlib header (RFC 9110, section 8.4.1.2). */
const decodeDeflate: Decoder = (body, options) =>
  ((body[0] ?? 0) & 0x0f) === 8 ? decodeZlib(body, options) : decodeRaw(body, options);

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', decodeGzip],
  ['x-gzip', decodeGzip],
  ['deflate', decodeDeflate],
  ['br', decodeBrotli],
]);

/** Nobody applies more, and each may take a while. */
const MAX_CODINGS = 3;

/**
 * Undoes content codings (RFC 9110, section 8.4). It stops at `maxBytes`, so that a small body cannot fill the memory.
 *
 * @param coding the value of `Content-Encoding`, '' without one
 */
export async function decodeBody(body: Buffer, coding: string, maxBytes: number): Promise<DecodedBody> {
  const names = coding.split(',').map((name) => name.trim().toLowerCase());
  const applied = names.filter((name) => name !== '' && name !== 'identity');
  const decoders = applied.flatMap((name) => DECODERS.get(name) ?? []);
  const areKnown = decoders.length === applied.length && applied.length <= MAX_CODINGS;
  if (body.length > 0 && !areKnown) return { body: Buffer.alloc(0), fault: 'undecodable' };
  try {
    let decoded = body;
    // They are listed in the order in which they were applied.
    for (const decode of decoders.reverse())
      if (decoded.length > 0) decoded = await decode(decoded, { maxOutputLength: maxBytes });
    return { body: decoded, fault: null };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { body: Buffer.alloc(0), fault: isTooLarge ? 'too_large' : 'undecodable' };
  }
}
