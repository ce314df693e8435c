/** A member of an object in a JSON text. */
export interface NamedRange {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A string, a bracket, comma or colon, or a number or literal. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/**
 * Where the values of the wanted members are, in their order; none within another.
 * @param text JSON, which is known to be
 * @param isWanted by the name, and how many objects and lists the member is in
 */
export function fieldRanges(text: string, isWanted: (name: string, depth: number) => boolean): NamedRange[] {
  const ranges: NamedRange[] = [];
  let depth = 0;
  let previous = '';
  let name: string | null = null;
  let open: { readonly name: string; readonly start: number; readonly depth: number } | null = null;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === ':') {
      const before: string = open === null ? (JSON.parse(previous) as string) : '';
      if (open === null && isWanted(before, depth)) name = before;
      continue;
    }
    if (name !== null) open = { name, start: index, depth };
    name = null;
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (open !== null && depth === open.depth) {
      ranges.push({ name: open.name, start: open.start, end: index + token.length });
      open = null;
    }
    previous = token;
  }
  return ranges;
}

/**
 * The members of an object by their names, as they are written; of a repeated name the last.
 * @param text of a JSON object
 */
export function fieldsOf(text: string): Map<string, string> {
  const ranges = fieldRanges(text, (_name, depth) => depth === 1);
  return new Map(ranges.map(({ name, start, end }) => [name, text.slice(start, end)]));
}

/** The same JSON without white space between its parts. */
export function compactJson(text: string): string {
  return Array.from(text.matchAll(TOKEN), ([token]) => token).join('');
}

/** Digits that a `numeric` of PostgreSQL has at most before its point, and after it. */
const NUMERIC_WHOLE = 131_072;
const NUMERIC_FRACTION = 16_383;

/** The first number of a JSON text that `numeric`, and so `jsonb`, cannot hold; null where it holds all. */
export function oversizedNumber(text: string): string | null {
  for (const [token] of text.matchAll(TOKEN)) {
    const [, , whole = '', fraction = '', power = '0'] = NUMBER.exec(token) ?? [];
    const places = fraction.length - Number(power);
    if (whole.length + Number(power) > NUMERIC_WHOLE || places > NUMERIC_FRACTION) return token;
  }
  return null;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
