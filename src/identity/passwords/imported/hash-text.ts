/** A hash of a password that another system computed. */
export interface ImportedHash {
  /**
   * The algorithm with the parameters that decide how long it takes. With `standInOf`, it makes a hash that costs the
   * same and that no password has.
   */
  readonly kind: string;
  /** What one computation takes. */
  readonly memoryKib: number;
  /** The parallelism that it declares. */
  readonly lanes: number;
  /** How many threads compute it at one time. */
  readonly threads: number;
  readonly work: { readonly amount: number; readonly limit: number; readonly unit: string };
  readonly saltBytes: number;
  readonly keyBytes: number;
  /** Computes on a thread of its own. */
  verify(password: string): Promise<boolean>;
}

/** Of one computation: as much as two of ours, unless `identity.argon2_memory_kib` says otherwise. */
export const MAX_MEMORY_KIB = 131_072;

/** A whole number from 1 on, without leading zeros. */
export const NUMBER = '([1-9][0-9]{0,9})';

/** The bytes of base64 without padding, as PHC strings have it; null for any other text. */
export function unpaddedBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64').replaceAll('=', '') === text ? bytes : null;
}

/** As PHC strings have it. */
export function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
