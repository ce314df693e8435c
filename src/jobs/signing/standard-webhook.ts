import { createHmac, randomBytes } from 'node:crypto';
import { base64Bytes, STANDARD_PREFIX, standardSecretsIn } from '../../platform/text/index.js';

// Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** The specification requires 24 to 64. */
const KEY_BYTES = 32;
/** The only symmetric version: HMAC-SHA256 in base64. */
export const SIGNATURE_VERSION = 'v1';

export function newStandardSecret(): string {
  return `${STANDARD_PREFIX}${randomBytes(KEY_BYTES).toString('base64')}`;
}

/** The key that a secret stands for: the base64 after `whsec_` (null if it is not base64), or any other text as it is. */
export function standardKey(secret: string): Buffer | null {
  if (!secret.startsWith(STANDARD_PREFIX)) return Buffer.from(secret, 'utf8');
  return base64Bytes(secret.slice(STANDARD_PREFIX.length));
}

/**
 * The keys that a secret of somebody else may stand for. The libraries take base64 without the prefix, too, and some
 * providers sign with a text as it is: which of the two a secret is cannot be seen.
 */
export function standardKeys(secret: string): Buffer[] {
  if (secret.startsWith(STANDARD_PREFIX)) return keysIn(secret) ?? [];
  const key = Buffer.from(secret, 'utf8');
  const bare = base64Bytes(secret);
  return bare === null ? [key] : [bare, key];
}

/** The specification's bounds of a key, bytes. */
const [LEAST_KEY, MOST_KEY] = [24, 64];

/**
 * The keys of an endpoint: of one secret, or of several. Null where any of them is none, so that nobody can have a password or
 * a key of something else used as one, and guess it by the signatures.
 */
export function endpointKeys(text: string): Buffer[] | null {
  const keys = keysIn(text) ?? [];
  const areLong = keys.every(({ length }) => length >= LEAST_KEY && length <= MOST_KEY);
  return keys.length > 0 && areLong ? keys : null;
}

/** The keys of a text of one secret or several, all of which begin with `whsec_`; null for any other text. */
function keysIn(text: string): Buffer[] | null {
  const secrets = standardSecretsIn(text);
  const keys = secrets.flatMap((one) => (one.startsWith(STANDARD_PREFIX) ? (standardKey(one) ?? []) : []));
  return keys.length === secrets.length ? keys : null;
}

/** The signed content of a message. `timestamp` is in seconds since 1970. */
export function standardContent(id: string, timestamp: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`, 'utf8'), body]);
}

export interface OutgoingMessage {
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
}

/** The headers that sign a message with each of the keys, so that the holder of any one can verify it. */
export function standardHeaders(message: OutgoingMessage, keys: readonly Buffer[]): Record<string, string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000));
  // `standardContent` as text.
  const content = `${message.id}.${timestamp}.${message.body}`;
  const signatures = keys.map(
    (key) => `${SIGNATURE_VERSION},${createHmac('sha256', key).update(content).digest('base64')}`,
  );
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
