import { randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);

/** The prefix that distinguishes API keys from other credentials; scanners for leaked secrets look for it too. */
const MARK = 'svc_';
const ID_LENGTH = 8;
const SECRET_BYTES = 32;
/** The fewest characters of base62 that hold 256 bits. */
const SECRET_LENGTH = 43;
/** The fewest that hold the 32 bits of a CRC-32. */
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(
  `^(${MARK}([0-9A-Za-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** A new key: the text that its holder presents, and the id by which it is found. */
export interface NewApiKeyText {
  readonly id: string;
  readonly key: string;
}

/** A number in base62, padded with zeros to exactly `length` characters. */
function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let position = 0; position < length; position += 1) {
    text = ALPHABET.charAt(Number(rest % BASE)) + text;
    rest /= BASE;
  }
  return text;
}

/** A check for typing errors, not a protection: CRC-32 detects any single altered character. */
function checksumOf(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

/** `svc_`, the id, `_`, the secret (32 bytes) and the checksum over all before it: 62 characters. */
export function formatApiKey(id: string, secret: Buffer): string {
  const unchecked = `${MARK}${id}_${base62(BigInt(`0x${secret.toString('hex')}`), SECRET_LENGTH)}`;
  return unchecked + checksumOf(unchecked);
}

/** A new key with 256 bits from a secure random source. */
export function makeApiKey(): NewApiKeyText {
  const id = base62(BigInt(randomInt(ALPHABET.length ** ID_LENGTH)), ID_LENGTH);
  return { id, key: formatApiKey(id, randomBytes(SECRET_BYTES)) };
}

/** The part of a key that lists show, so that its holder can identify it. */
export function apiKeyPrefix(id: string): string {
  return `${MARK}${id}`;
}

/** Whether a credential has the prefix of API keys, well-formed or not. */
export function isMeantAsApiKey(credential: string): boolean {
  return credential.startsWith(MARK);
}

/** The id in a key whose form and checksum are right; null otherwise. Detects a typing error without a look-up. */
export function readApiKeyId(presented: string): string | null {
  const [, unchecked, id, checksum] = SHAPE.exec(presented) ?? [];
  if (unchecked === undefined || id === undefined) return null;
  return checksumOf(unchecked) === checksum ? id : null;
}
