import { uuidv7obj } from 'uuidv7';

/** The pattern of the ids that `newId` makes. */
export const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');

/** A new UUIDv7 (RFC 9562): unique, and later ones sort after earlier ones. */
export function newId(): string {
  return uuidv7obj().toString();
}

/** The least id that `newId` could have made at this instant; instants before 1970 count as 1970. */
export function firstIdAt(instant: Date): string {
  // The milliseconds are the first 48 of the 128 bits (RFC 9562, section 5.7).
  const hex = Math.max(instant.getTime(), 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Whether this is a UUID, in lower or upper case. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}
