/** A field that begins so is a formula to spreadsheets, which would run it (OWASP, "CSV Injection"). */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
/**
 * The same behind what a spreadsheet may take for the end of a cell: some split at semicolons or tabs whatever a file is
 * named, and then quotes inside of a field protect nothing.
 */
const LATER_FORMULA = /([;|\t\r\n][\s\p{Cc}"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/;

/** One field. An apostrophe before what would be a formula makes spreadsheets take it as text. */
function field(value: string | null): string {
  if (value === null) return '';
  const guarded = value.replace(LATER_FORMULA, "$1'");
  const text = FORMULA.test(value) ? `'${guarded}` : guarded;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV with its end (RFC 4180). Null is an empty field. */
export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map(field).join(',')}\r\n`;
}
