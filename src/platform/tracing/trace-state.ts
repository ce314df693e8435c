/** The grammar of https://www.w3.org/TR/trace-context-2/#tracestate-header. */
const ENTRY =
  /^[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const SURROUNDING_BLANKS = /^[ \t]+|[ \t]+$/g;
const MAX_ENTRIES = 32;
/** What is passed on at least by the standard, and here at most: it is stored with each run. */
const MAX_LENGTH = 512;
/** Entries that are longer are the first to go. */
const LARGE_ENTRY = 128;

/** The entries of a `tracestate`, as it is passed on. Returns null if the header is none: it is dropped as a whole. */
export function parseTraceState(header: string): string | null {
  const entries = header
    .split(',')
    .map((entry) => entry.replace(SURROUNDING_BLANKS, ''))
    .filter((entry) => entry !== '');
  const keys = new Set(entries.map((entry) => entry.slice(0, entry.indexOf('='))));
  const isValid = entries.every((entry) => ENTRY.test(entry)) && keys.size === entries.length;
  if (!isValid || entries.length === 0 || entries.length > MAX_ENTRIES) return null;
  while (lengthOf(entries) > MAX_LENGTH) {
    const large = entries.findLastIndex((entry) => entry.length > LARGE_ENTRY);
    entries.splice(large === -1 ? entries.length - 1 : large, 1);
  }
  return entries.length === 0 ? null : entries.join(',');
}

function lengthOf(entries: readonly string[]): number {
  return entries.join(',').length;
}
