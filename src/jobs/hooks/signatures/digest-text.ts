import type { SignatureAlgorithm } from './signature-scheme.js';

const DIGEST_BYTES: Readonly<Record<SignatureAlgorithm, number>> = { sha1: 20, sha256: 32, sha512: 64 };

/** The digest that is written in hexadecimal, in either case; none when it has another length. */
export function fromHex(text: string, algorithm: SignatureAlgorithm): Buffer[] {
  const isDigest = text.length === DIGEST_BYTES[algorithm] * 2 && /^[0-9a-f]+$/i.test(text);
  return isDigest ? [Buffer.from(text, 'hex')] : [];
}

/**
 * The digest that is written in base64; none when it has another length. Only as it would be written: the
 * last character has bits to spare, and a text altered there would decode to the same.
 */
export function fromBase64(text: string, algorithm: SignatureAlgorithm): Buffer[] {
  const digest = Buffer.from(text, 'base64');
  const isDigest = digest.length === DIGEST_BYTES[algorithm] && digest.toString('base64') === text;
  return isDigest ? [digest] : [];
}
