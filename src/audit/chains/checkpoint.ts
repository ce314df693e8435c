import { UnsealError } from '../../platform/crypto/index.js';
import type { KeyRing, SealedPlace } from '../../platform/crypto/index.js';

/** What precedes a chain's first entry: 32 zero bytes. */
export const GENESIS = Buffer.alloc(32);

/** Behind which entry a chain begins: the entries up to it were removed after their time. */
export interface ChainOrigin {
  readonly position: number;
  readonly hash: Buffer;
  readonly previousHash: Buffer;
}

/**
 * A place up to which the hashes alone are to be followed, since the MACs before it are under a data key that is
 * gone, or were never made.
 */
export interface Waypoint {
  readonly position: number;
  readonly hash: Buffer;
  readonly mac: Buffer;
}

/** Where the verification of a chain begins. It is sealed: its MAC would otherwise let a chain be cut back to it. */
export interface Checkpoint {
  readonly origin: ChainOrigin;
  readonly waypoint: Waypoint;
}

/** Of a chain that has none. */
export const CHAIN_START: Checkpoint = {
  origin: { position: 0, hash: GENESIS, previousHash: GENESIS },
  waypoint: { position: 0, hash: GENESIS, mac: Buffer.alloc(0) },
};

/** Where the sealed checkpoint of a chain lies. */
export function checkpointPlace(chainId: string): SealedPlace {
  return { tenantId: null, table: 'audit_checkpoints', column: 'sealed_state', row: chainId };
}

export function sealCheckpoint(keyRing: KeyRing, chainId: string, checkpoint: Checkpoint): Buffer {
  const text = JSON.stringify(checkpoint, (_, value: unknown) =>
    isBufferJson(value) ? Buffer.from(value.data).toString('hex') : value,
  );
  return keyRing.seal(text, checkpointPlace(chainId));
}

/** Null when it was altered, or is another chain's. */
export function openCheckpoint(keyRing: KeyRing, chainId: string, sealed: Buffer): Checkpoint | null {
  try {
    const text = keyRing.open(sealed, checkpointPlace(chainId)).toString('utf8');
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

/** How `JSON.stringify` sees a buffer. */
function isBufferJson(value: unknown): value is { data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}
