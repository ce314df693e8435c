import { ServiceError } from '../../http/index.js';

/** Maximum bytes of JSON per user. Every profile and every sign-in response contains it. */
const MAX_BYTES = 16_384;

export type Metadata = Record<string, unknown>;

function isObject(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON merge patch (RFC 7396, section 2): null removes a member, objects merge, all else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // Own properties, whatever their names: assigning `__proto__` would be lost.
  return Object.fromEntries(merged);
}

/** PostgreSQL keeps neither NUL nor half of a surrogate pair in jsonb. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (Array.isArray(value)) return value.every(isStorable);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
}

/** Why metadata cannot be stored; null where it can. */
export function metadataProblem(metadata: Metadata): string | null {
  if (!isStorable(metadata)) return 'must not contain NUL or unpaired surrogates';
  const isTooLarge = Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES;
  return isTooLarge ? `must be at most ${MAX_BYTES} bytes of JSON` : null;
}

/** @throws validation_failed */
export function requireStorableMetadata(metadata: Metadata): void {
  const message = metadataProblem(metadata);
  if (message !== null)
    throw new ServiceError('validation_failed', { details: [{ path: 'metadata', message }] });
}
