import { ServiceError } from '../../http/index.js';
import type { RawJson } from '../../http/index.js';
import { compactJson, fieldsOf } from '../../platform/json/index.js';

/** Maximum bytes of JSON per user. Every profile and every sign-in response contains it. */
const MAX_BYTES = 16_384;

/** The text of a JSON object, without white space between its parts: names and numbers stay as they were written. */
export type Metadata = string & { readonly __metadata: unique symbol };

export const NO_METADATA = '{}' as Metadata;

/** @param json an object */
export function metadataOf(json: RawJson): Metadata {
  return compactJson(json.text) as Metadata;
}

/**
 * A JSON merge patch (RFC 7396, section 2): null removes a member, objects merge, all else replaces.
 * @param target JSON text
 * @param patch JSON text without white space between its parts
 */
export function mergePatch(target: string, patch: string): string {
  if (!patch.startsWith('{')) return patch;
  const merged = target.startsWith('{') ? fieldsOf(target) : new Map<string, string>();
  for (const [name, value] of fieldsOf(patch)) {
    if (value === 'null') merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name) ?? '', value));
  }
  return `{${Array.from(merged, ([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** PostgreSQL reads neither NUL nor half of a surrogate pair out of JSON, as a search does. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (Array.isArray(value)) return value.every(isStorable);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
}

/** Why metadata cannot be stored; null where it can. */
export function metadataProblem(metadata: Metadata): string | null {
  if (!isStorable(JSON.parse(metadata))) return 'must not contain NUL or unpaired surrogates';
  const isTooLarge = Buffer.byteLength(metadata) > MAX_BYTES;
  return isTooLarge ? `must be at most ${MAX_BYTES} bytes of JSON` : null;
}

/** @throws validation_failed */
export function requireStorableMetadata(metadata: Metadata): void {
  const message = metadataProblem(metadata);
  if (message !== null)
    throw new ServiceError('validation_failed', { details: [{ path: 'metadata', message }] });
}
