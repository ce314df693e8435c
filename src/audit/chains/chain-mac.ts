import { createHmac } from 'node:crypto';
import type { DerivedKey, KeyRing } from '../../platform/crypto/index.js';

const PURPOSE = 'service audit chain';
/** The block size of SHA-256, to which HMAC pads its key (RFC 2104). */
const BLOCK_BYTES = 64;

/** What a MAC covers besides the MAC before it. */
export interface MacInput {
  readonly chainId: string;
  readonly position: number;
  readonly body: string;
  readonly hash: Buffer;
}

/** The one-time key of an entry, padded, so that a database with only SHA-256 can compute an HMAC. */
export interface EntryKey {
  /** The data key that it is derived from. */
  readonly keyId: Buffer;
  readonly innerPad: Buffer;
  readonly outerPad: Buffer;
}

function padded(key: Buffer, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, pad);
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad;
  return block;
}

/**
 * The running MAC of a chain: MAC(n) = HMAC(key(n), MAC(n-1) ‖ n ‖ hash(n)), where key(n) is derived from the data key,
 * the chain and the entry's body. Only the newest MAC is stored, at the head. So without the data key nobody can
 * continue a chain that was changed, and whoever truncates one has no MAC for its new end. Since key(n) is valid for
 * one entry only, the appending statement may send it to the database, which knows the position in the chain.
 */
export class ChainMac {
  private readonly keys: readonly [DerivedKey, ...DerivedKey[]];

  constructor(keyRing: KeyRing) {
    this.keys = keyRing.derive(PURPOSE);
  }

  get currentKeyId(): Buffer {
    return this.keys[0].id;
  }

  keyFor(chainId: string, body: string): EntryKey {
    const [current] = this.keys;
    const key = entryKey(current, chainId, body);
    return { keyId: current.id, innerPad: padded(key, 0x36), outerPad: padded(key, 0x5c) };
  }

  /** The MAC after an entry; null if its data key is not configured. */
  next(previous: Buffer, keyId: Buffer, { chainId, position, body, hash }: MacInput): Buffer | null {
    const key = this.keys.find(({ id }) => id.equals(keyId));
    if (key === undefined) return null;
    const positionBytes = Buffer.alloc(8);
    positionBytes.writeBigInt64BE(BigInt(position));
    return createHmac('sha256', entryKey(key, chainId, body))
      .update(previous)
      .update(positionBytes)
      .update(hash)
      .digest();
  }
}

function entryKey({ secret }: DerivedKey, chainId: string, body: string): Buffer {
  return createHmac('sha256', secret).update(`${chainId}\0${body}`, 'utf8').digest();
}
