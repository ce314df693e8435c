/** The three forms of RFC 9110, section 5.6.7. */
const HTTP_DATE =
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \S{8} GMT$|^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \S{8} GMT$|^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \S{8} \d{4}$/;

/** Milliseconds that a `Retry-After` header asks for (RFC 9110, 10.2.3); undefined when it says nothing usable. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATE.test(text)) return undefined;
  // The oldest form is in UTC, too, and does not say so.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
