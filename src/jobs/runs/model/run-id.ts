import { newId } from '../../../platform/crypto/index.js';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The shape of a run's id. */
export const RUN_ID = /^run_[0-9A-HJKMNP-TV-Z]{26}$/;
/** The shape of a job's id. */
export const JOB_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** `run_` and the 128 bits of a UUIDv7 as 26 characters of Crockford base32: sorts by time, as text. */
export function newRunId(): string {
  return runIdOf(BigInt(`0x${newId().replaceAll('-', '')}`));
}

/** The least id that a run made at this instant could have; instants before 1970 count as 1970. */
export function firstRunIdAt(instant: Date): string {
  // The milliseconds are the first 48 of the 128 bits (RFC 9562, section 5.7).
  return runIdOf(BigInt(Math.max(instant.getTime(), 0)) << 80n);
}

function runIdOf(id: bigint): string {
  let bits = id;
  let encoded = '';
  for (let position = 0; position < 26; position += 1) {
    encoded = CROCKFORD.charAt(Number(bits & 31n)) + encoded;
    bits >>= 5n;
  }
  return `run_${encoded}`;
}
