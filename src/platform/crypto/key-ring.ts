import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** The associated data of a sealed value: where it is stored. Every part of it is authenticated with the value. */
export interface AssociatedData {
  /** Null for what belongs to the deployment. */
  readonly tenantId: string | null;
  readonly table: string;
  readonly column: string;
  /** The row's primary key. */
  readonly row: string;
}

/** The first byte of a sealed value. */
const FORMAT = 1;

/** JSON, so that no two locations encode to the same bytes. */
function encodeAssociatedData({ tenantId, table, column, row }: AssociatedData): Buffer {
  return Buffer.from(JSON.stringify([tenantId ?? '-', table, column, row]), 'utf8');
}

const KEY_ID_BYTES = 8;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + IV_BYTES + TAG_BYTES;

/** A sealed value that this ring cannot open: altered, moved to another row, or under an unknown key. */
export class UnsealError extends Error {
  override name = 'UnsealError';

  /** @param isOfUnknownKey whether the value names a data key that the ring does not have */
  constructor(
    message: string,
    readonly isOfUnknownKey = false,
  ) {
    super(message);
  }
}

interface DataKey {
  readonly id: Buffer;
  readonly secret: Buffer;
}

/** A key for one purpose, derived from a data key. */
export interface DerivedKey {
  /** The id of the data key that it comes from. */
  readonly id: Buffer;
  readonly secret: Buffer;
}

/**
 * AES-256-GCM (NIST SP 800-38D) under the deployment's data keys: the first key seals, every key opens. Where a
 * value is stored is its associated data, so that a value copied to another row does not open there.
 */
export class KeyRing {
  private readonly keys: readonly DataKey[];

  /** @param dataKeys base64 of 32 bytes each; the current key first, then the previous ones */
  constructor(dataKeys: readonly string[]) {
    this.keys = dataKeys.map((encoded) => {
      const secret = Buffer.from(encoded, 'base64');
      if (secret.length !== 32) throw new Error('a data key must be base64 of 32 bytes');
      return { id: createHash('sha256').update(secret).digest().subarray(0, KEY_ID_BYTES), secret };
    });
    if (this.keys.length === 0) throw new Error('a key ring needs at least one data key');
  }

  /** How every value begins that was sealed under the current key. */
  get currentPrefix(): Buffer {
    return Buffer.concat([Buffer.of(FORMAT), this.current.id]);
  }

  /**
   * Keys for a purpose of their own (HKDF, RFC 5869), which tell nothing of the data keys they come from; that of
   * the current data key first.
   */
  derive(purpose: string): [DerivedKey, ...DerivedKey[]] {
    const [first, ...others] = this.keys.map(({ id, secret }) => ({
      id,
      secret: Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)),
    }));
    return [first as DerivedKey, ...others];
  }

  seal(plaintext: string | Buffer, associatedData: AssociatedData): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.current.secret, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(encodeAssociatedData(associatedData));
    const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([this.currentPrefix, iv, cipher.getAuthTag(), body]);
  }

  /** @throws UnsealError */
  open(sealed: Buffer, associatedData: AssociatedData): Buffer {
    if (sealed.length < HEADER_BYTES || sealed[0] !== FORMAT) throw new UnsealError('not a sealed value');
    const keyId = sealed.subarray(1, 1 + KEY_ID_BYTES);
    const key = this.keys.find((candidate) => candidate.id.equals(keyId));
    if (key === undefined) throw new UnsealError('sealed under a data key that is not configured', true);
    const ivEnd = 1 + KEY_ID_BYTES + IV_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', key.secret, sealed.subarray(1 + KEY_ID_BYTES, ivEnd), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(encodeAssociatedData(associatedData));
    decipher.setAuthTag(sealed.subarray(ivEnd, HEADER_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]);
    } catch {
      throw new UnsealError('altered, or not sealed for this place');
    }
  }

  private get current(): DataKey {
    return this.keys[0] as DataKey;
  }
}

@Global()
@Module({
  providers: [
    {
      provide: KeyRing,
      inject: [CONFIG],
      useFactory: (config: Config) => {
        if (config.identity.dataKey === null)
          throw new Error('identity.data_key was not resolved before start');
        return new KeyRing([config.identity.dataKey, ...config.identity.dataKeyPrevious]);
      },
    },
  ],
  exports: [KeyRing],
})
export class CryptoModule {}
