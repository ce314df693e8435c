import { createHmac } from 'node:crypto';
import type { DerivedKey, KeyRing } from '../../platform/crypto/index.js';

const PURPOSE = 'service audit chain';
/** Of SHA-256, which HMAC pads its key to (RFC 2104). */
const BLOCK_BYTES = 64;

/** What a MAC is over, besides the MAC before it. */
export interface MacInput {
  readonly chainId: string;
  readonly position: number;
  readonly body: string;
  readonly hash: Buffer;
}

/** The one-time key of an entry, in the form that lets a database which has SHA-256 alone compute an HMAC. */
export interface EntryKey {
  /** The data key that it comes from. */
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
 * the chain and the entry's body. Only the newest is stored, at the head. So without the data key nobody continues a
 * chain that was changed, and who shortens one has no MAC for its new end. As key(n) is good for one entry alone, the
 * statement that appends may carry it to the database, which knows the place in the chain.
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

  /** The MAC after an entry; null when it was made under a data key that is not configured. */
  next(previous: Buffer, keyId: Buffer, { chainId, position, body, hash }: MacInput): Buffer | null {
    const key = this.keys.find(({ id }) => id.equals(keyId));
    if (key === undefined) return null;
    const place = Buffer.alloc(8);
    place.writeBigInt64BE(BigInt(position));
    return createHmac('sha256', entryKey(key, chainId, body))
      .update(previous)
      .update(place)
      .update(hash)
      .digest();
  }
}

function entryKey({ secret }: DerivedKey, chainId: string, body: string): Buffer {
  return createHmac('sha256', secret).update(`${chainId}\0${body}`, 'utf8').digest();
}
