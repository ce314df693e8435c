/** The three forms of RFC 9110, section 5.6.7. */
const HTTP_DATE =
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \S{8} GMT$|^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \S{8} GMT$|^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \S{8} \d{4}$/;

/** The delay of a `Retry-After` header (RFC 9110, 10.2.3), in milliseconds; undefined if there is no valid one. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATE.test(text)) return undefined;
  // The oldest format is in UTC as well, but does not say so.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
