import type { IncomingHttpHeaders } from 'node:http';

export type SignatureAlgorithm = 'sha256' | 'sha1' | 'sha512';
export type SignatureFormat = 'plain' | 'github' | 'gitlab' | 'stripe' | 'slack' | 'standard';

/** How the requests of one hook are signed. */
export interface SignatureRule {
  readonly format: SignatureFormat;
  readonly algorithm: SignatureAlgorithm;
  /** The header that carries the signatures, in lower case. */
  readonly header: string;
  /** How far a signed timestamp may be from now, either way. */
  readonly toleranceSecs: number;
}

/** A request as it was received: header names in lower case, the body not decoded. */
export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What a request claims of itself. */
export interface Claim {
  /** What is signed; something also where the request lacks a part, so that refusing it takes the same work. */
  readonly content: Buffer;
  /** Digests, any of which may be the right one: while a secret is rotated, providers send one for each. */
  readonly signatures: readonly Buffer[];
  /**
   * When it was signed, seconds since 1970; `unsigned` in a format that signs no time, `missing` where the
   * request lacks it or what else the format demands.
   */
  readonly signedAt: number | 'unsigned' | 'missing';
}

/** One way of signing requests. Pure: reads, and decides nothing. */
export interface SignatureScheme {
  /** The key that a secret stands for; null when it cannot be one. */
  keyOf(secret: string): Buffer | null;
  read(request: SignedRequest, rule: SignatureRule): Claim;
}

/** The one value of a header, or ''. Node joins the values of a repeated one by `, `. */
export function headerOf({ headers }: SignedRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

export function textKey(secret: string): Buffer {
  return Buffer.from(secret, 'utf8');
}

const SECONDS = /^\d{1,11}$/;

/** A timestamp in seconds since 1970. */
export function secondsOf(text: string): number | 'missing' {
  return SECONDS.test(text) ? Number(text) : 'missing';
}

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
