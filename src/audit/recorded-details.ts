import { createHash } from 'node:crypto';

/** The maximum size of an entry's details, as JSON in bytes. Changes of roles and manifests of ordinary size fit. */
export const MAX_DETAILS_BYTES = 16 * 1024;

/** Replaces a member that is too long: enough to recognize a copy of it. */
function digestOf(json: string): { bytes: number; sha256: string } {
  return { bytes: Buffer.byteLength(json), sha256: createHash('sha256').update(json).digest('hex') };
}

/**
 * The details as the trail stores them. An entry is kept for years and every reader of the trail loads it, so its size
 * is limited: if the details are longer than `MAX_DETAILS_BYTES`, their longest members are replaced by their size and
 * SHA-256.
 */
export function recordedDetails(
  details: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let bytes = Buffer.byteLength(JSON.stringify(details));
  if (bytes <= MAX_DETAILS_BYTES) return details;
  const recorded: Record<string, unknown> = { ...details };
  const members = Object.entries(details)
    // JSON omits some values, such as undefined. They would not be recorded anyway.
    .flatMap(([name, value]) => (value === undefined ? [] : [{ name, json: JSON.stringify(value) }]))
    .sort((one, other) => other.json.length - one.json.length);
  for (const { name, json } of members) {
    if (bytes <= MAX_DETAILS_BYTES) break;
    const digest = digestOf(json);
    recorded[name] = digest;
    bytes += Buffer.byteLength(JSON.stringify(digest)) - digest.bytes;
  }
  return recorded;
}
