import { newId } from '../../../platform/crypto/index.js';

export { JOB_ID } from '../../triggers/index.js';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The shape of a run's id. */
export const RUN_ID = /^run_[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * How far the clock of the maker of an id may be from the database's, together with the length of the transaction that
 * stores the run, at most.
 */
export const ID_SLACK_MS = 3_600_000;

/** `run_` and the 128 bits of a UUIDv7 as 26 characters of Crockford base32: sorts by time, as text. */
export function newRunId(): string {
  return runIdOf(Buffer.from(newId().replaceAll('-', ''), 'hex'));
}

/** The least id that a run made at this instant could have; instants before 1970 count as 1970. */
export function firstRunIdAt(instant: Date): string {
  // The milliseconds are the first 48 of the 128 bits (RFC 9562, section 5.7).
  const id = Buffer.alloc(16);
  id.writeUIntBE(Math.max(instant.getTime(), 0), 0, 6);
  return runIdOf(id);
}

/** 26 characters of five bits are 130 bits: the first two are zero. */
function runIdOf(id: Buffer): string {
  let encoded = 'run_';
  let bits = 0;
  let count = 2;
  for (const byte of id) {
    bits = ((bits << 8) | byte) & 0xffff;
    for (count += 8; count >= 5; count -= 5) encoded += CROCKFORD.charAt((bits >> (count - 5)) & 31);
  }
  return encoded;
}
