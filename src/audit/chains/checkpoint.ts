import { UnsealError } from '../../platform/crypto/index.js';
import type { KeyRing, AssociatedData } from '../../platform/crypto/index.js';

/** The hash before a chain's first entry: 32 zero bytes. */
export const GENESIS = Buffer.alloc(32);

/** The entry after which a chain begins: retention removed the entries up to it. */
export interface ChainOrigin {
  readonly position: number;
  readonly hash: Buffer;
  readonly previousHash: Buffer;
}

/**
 * A position up to which only the hashes are verified. The MACs before it are under a data key that is gone, or never
 * existed.
 */
export interface Waypoint {
  readonly position: number;
  readonly hash: Buffer;
  readonly mac: Buffer;
}

/** Where the verification of a chain begins. It is sealed, because otherwise anyone could truncate a chain there. */
export interface Checkpoint {
  readonly origin: ChainOrigin;
  readonly waypoint: Waypoint;
}

/** For a chain without one. */
export const CHAIN_START: Checkpoint = {
  origin: { position: 0, hash: GENESIS, previousHash: GENESIS },
  waypoint: { position: 0, hash: GENESIS, mac: Buffer.alloc(0) },
};

/** The associated data of a chain's sealed checkpoint. */
export function checkpointAssociatedData(chainId: string): AssociatedData {
  return { tenantId: null, table: 'audit_checkpoints', column: 'sealed_state', row: chainId };
}

export function sealCheckpoint(keyRing: KeyRing, chainId: string, checkpoint: Checkpoint): Buffer {
  const text = JSON.stringify(checkpoint, (_, value: unknown) =>
    isBufferJson(value) ? Buffer.from(value.data).toString('hex') : value,
  );
  return keyRing.seal(text, checkpointAssociatedData(chainId));
}

/** Null if it was altered or belongs to another chain. */
export function openCheckpoint(keyRing: KeyRing, chainId: string, sealed: Buffer): Checkpoint | null {
  try {
    const text = keyRing.open(sealed, checkpointAssociatedData(chainId)).toString('utf8');
    const { origin, waypoint } = JSON.parse(text) as {
      origin: Hexed<ChainOrigin>;
      waypoint: Hexed<Waypoint>;
    };
    return {
      origin: {
        position: origin.position,
        hash: Buffer.from(origin.hash, 'hex'),
        previousHash: Buffer.from(origin.previousHash, 'hex'),
      },
      waypoint: {
        position: waypoint.position,
        hash: Buffer.from(waypoint.hash, 'hex'),
        mac: Buffer.from(waypoint.mac, 'hex'),
      },
    };
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    return null;
  }
}

type Hexed<Value> = { readonly [Name in keyof Value]: Value[Name] extends Buffer ? string : Value[Name] };

/** The form of a buffer in `JSON.stringify`. */
function isBufferJson(value: unknown): value is { data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}
