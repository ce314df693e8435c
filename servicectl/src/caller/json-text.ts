/** A string, a bracket, comma or colon, or a number or literal. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** JSON in one line, as it was written. */
export function compactJson(text: string): string {
  return Array.from(text.matchAll(TOKEN), ([token]) => token).join('');
}

/**
 * The members of an object by their names, as they were written, each in one line.
 * @param text of a JSON object
 */
export function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let [depth, written] = [0, ''];
  let name: string | null = null;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0 || (depth === 1 && token === ',')) {
      if (name !== null) members.set(name, written);
      [name, written] = [null, ''];
    } else if (depth === 1 && token === ':') {
      [name, written] = [JSON.parse(written) as string, ''];
    } else written += token;
    if (token === '{' || token === '[') depth += 1;
  }
  return members;
}

/** The first number of a JSON text that would be another one in JavaScript; null where all stay the same. */
export function inexactNumber(text: string): string | null {
  for (const [token] of text.matchAll(TOKEN))
    if (/^[-\d]/.test(token) && decimalOf(token) !== decimalOf(String(Number(token)))) return token;
  return null;
}

/** A number in one spelling: its digits without zeros at either end, and its power of ten. */
function decimalOf(number: string): string {
  const parts = NUMBER.exec(number);
  if (parts === null) return number;
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const exponent = Number(power) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${exponent}`;
}
