const SECONDS = /^\d{1,9}$/;

/** `Retry-After` (RFC 9110, section 10.2.3) as milliseconds from `now`; null when absent, past or junk. */
export function retryAfterMs(header: string | string[] | undefined, now: Date): number | null {
  if (typeof header !== 'string') return null;
  const value = header.trim();
  if (SECONDS.test(value)) return Number(value) * 1000;
  // Only the date form with its zone; Date.parse alone would take a bare number or a year.
  const at = /^[A-Z][a-z]{2,8},? .* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  const wait = at - now.getTime();
  return wait > 0 ? wait : null;
}
