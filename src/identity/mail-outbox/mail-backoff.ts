const FIRST_SECS = 1;
const LONGEST_SECS = 900;

/** How long to wait after a failed attempt, counted from 1: doubling from a second to a quarter of an hour. */
export function mailBackoffSecs(attempt: number): number {
  return Math.min(FIRST_SECS * 2 ** Math.min(attempt - 1, 20), LONGEST_SECS);
}
