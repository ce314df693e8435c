/** Spreadsheets run a field that begins with one of these as a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
/**
 * The same after what a spreadsheet may take for the end of a cell. Some split at semicolons or tabs whatever the
 * file's name, and then quotes within a field protect nothing.
 */
const LATER_FORMULA = /([;|\t\r\n][\s\p{Cc}"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/;

/** One field. An apostrophe before a possible formula makes spreadsheets read it as text. */
function field(value: string | null): string {
  if (value === null) return '';
  const guarded = value.replace(LATER_FORMULA, "$1'");
  const text = FORMULA.test(value) ? `'${guarded}` : guarded;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV with its line break (RFC 4180). Null is an empty field. */
export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map(field).join(',')}\r\n`;
}
