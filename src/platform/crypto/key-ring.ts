import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const FORMAT = 1;
const KEY_ID_BYTES = 8;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + IV_BYTES + TAG_BYTES;

/** A sealed value that this ring cannot open: altered, moved to another row, or under an unknown key. */
export class UnsealError extends Error {
  override name = 'UnsealError';
}

interface DataKey {
  id: Buffer;
  secret: Buffer;
}

/**
 * AES-256-GCM (NIST SP 800-38D) under the deployment's data keys: the first key seals, every key opens.
 *
 * `context` names the row and column that a value belongs to and is authenticated with it, so that a
 * value copied to another place does not open there.
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

  seal(plaintext: string | Buffer, context: string): Buffer {
    const key = this.keys[0] as DataKey;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key.secret, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([Buffer.of(FORMAT), key.id, iv, cipher.getAuthTag(), body]);
  }

  /** How every value begins that was sealed under the current key. */
  get currentPrefix(): Buffer {
    return Buffer.concat([Buffer.of(FORMAT), (this.keys[0] as DataKey).id]);
  }

  /** @throws UnsealError */
  open(sealed: Buffer, context: string): Buffer {
    if (sealed.length < HEADER_BYTES || sealed[0] !== FORMAT) throw new UnsealError('not a sealed value');
    const keyId = sealed.subarray(1, 1 + KEY_ID_BYTES);
    const key = this.keys.find((candidate) => candidate.id.equals(keyId));
    if (key === undefined) throw new UnsealError('sealed under a data key that is not configured');
    const ivEnd = 1 + KEY_ID_BYTES + IV_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', key.secret, sealed.subarray(1 + KEY_ID_BYTES, ivEnd), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(sealed.subarray(ivEnd, HEADER_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]);
    } catch {
      throw new UnsealError('altered, or not sealed for this place');
    }
  }
}
