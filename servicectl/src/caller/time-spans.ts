const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `250ms`, `30s`, `5m`, `2h`, `1d` in milliseconds; null of anything else. */
export function parseTimeSpan(text: string): number | null {
  const [, amount, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  return amount === undefined ? null : Number(amount) * (UNITS[unit] ?? 0);
}

/** An instant, or how long ago it was; null of anything else. */
export function parseInstant(text: string, now: number): Date | null {
  const agoMs = parseTimeSpan(text);
  if (agoMs === null && !/^\d{4}-\d{2}-\d{2}/.test(text)) return null;
  // So long ago may be before all instants of JavaScript.
  const instant = new Date(agoMs === null ? text : now - agoMs);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** An instant to come, or how long until then; null of anything else. */
export function parseFuture(text: string, now: number): Date | null {
  const inMs = parseTimeSpan(text);
  const instant = inMs === null ? parseInstant(text, now) : new Date(now + inMs);
  return instant !== null && instant.getTime() > now ? instant : null;
}

/** For people: `250 ms`, `3.2 s`, `5 min 3 s`, `2 h 5 min`. */
export function timeSpanText(durationMs: number): string {
  if (durationMs < 1_000) return `${durationMs} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1_000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
