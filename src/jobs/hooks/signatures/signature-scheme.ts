import type { IncomingHttpHeaders } from 'node:http';

export type SignatureAlgorithm = 'sha256' | 'sha1' | 'sha512';
export type SignatureFormat = 'plain' | 'github' | 'gitlab' | 'stripe' | 'slack' | 'standard';

/** How the requests of one hook are signed. */
export interface SignatureRule {
  readonly format: SignatureFormat;
  readonly algorithm: SignatureAlgorithm;
  /** The header with the signatures, in lower case. */
  readonly header: string;
  /** How far a signed timestamp may be from now, in either direction. */
  readonly toleranceSecs: number;
}

/** A request as received: header names in lower case, the body not decoded. */
export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What a request claims about itself. */
export interface Claim {
  /** The signed content. Not empty even if the request lacks a part, so that a refusal takes the same work. */
  readonly content: Buffer;
  /** Digests, one of which must match: during a rotation, providers send one for each secret. */
  readonly signatures: readonly Buffer[];
  /**
   * When it was signed, in seconds since 1970; `unsigned` for a format without a signed time, `missing` if the request
   * lacks the time or another part that the format requires.
   */
  readonly signedAt: number | 'unsigned' | 'missing';
}

/** One way of signing requests. It reads a request and decides nothing. */
export interface SignatureScheme {
  /** The keys that a secret may stand for; none when the secret is not valid for the scheme. */
  keysOf(secret: string): readonly Buffer[];
  read(request: SignedRequest, rule: SignatureRule): Claim;
}

/** The value of a header, or ''. Node joins the values of a repeated header with `, `. */
export function headerOf({ headers }: SignedRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

export function textKey(secret: string): Buffer {
  return Buffer.from(secret, 'utf8');
}

export function textKeys(secret: string): Buffer[] {
  return [textKey(secret)];
}

const SECONDS = /^\d{1,11}$/;

/** A timestamp in seconds since 1970. */
export function secondsOf(text: string): number | 'missing' {
  return SECONDS.test(text) ? Number(text) : 'missing';
}

const DIGEST_BYTES: Readonly<Record<SignatureAlgorithm, number>> = { sha1: 20, sha256: 32, sha512: 64 };

/** The digest from hexadecimal text in either case; empty when the length is wrong. */
export function fromHex(text: string, algorithm: SignatureAlgorithm): Buffer[] {
  const isDigest = text.length === DIGEST_BYTES[algorithm] * 2 && /^[0-9a-f]+$/i.test(text);
  return isDigest ? [Buffer.from(text, 'hex')] : [];
}

/**
 * The digest from base64 text; empty when the length is wrong. Accepts only the canonical text: the last character has
 * unused bits, so other texts would decode to the same digest.
 */
export function fromBase64(text: string, algorithm: SignatureAlgorithm): Buffer[] {
  const digest = Buffer.from(text, 'base64');
  const isDigest = digest.length === DIGEST_BYTES[algorithm] && digest.toString('base64') === text;
  return isDigest ? [digest] : [];
}
