/** What to check a JSON text for, and what to find in it. */
interface ScanOptions {
  /** How deep objects and lists may nest. */
  readonly maxDepth: number;
  /** The member whose text is wanted: of the outermost object, or of each object in the outermost list. */
  readonly wanted?: string;
  /** Whether to require unique names in an object. Wanted members are not checked. */
  readonly hasUniqueNames?: boolean;
}

/** What a scan finds in a JSON text (RFC 8259), without creating any of its values. */
export type JsonScan =
  | { readonly fault: 'not_json' | 'too_deep' }
  /** `start`: where the name is repeated. */
  | { readonly fault: 'repeated_name'; readonly start: number }
  | {
      readonly fault: null;
      /** How many names and values there are. */
      readonly parts: number;
      /** Where the value of the wanted member is. If the name is repeated, the last one, as with JSON.parse. */
      readonly member: MemberRange | null;
      /** The same for a list, by the index of the object. */
      readonly members: ReadonlyMap<number, MemberRange>;
    };

/** Where a value begins and ends in the text. */
export interface MemberRange {
  readonly start: number;
  readonly end: number;
  /** The number of names and values in it, itself included. */
  readonly parts: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const LITERALS = ['true', 'false', 'null'] as const;
const ESCAPED = /[^"\\/bfnrtu]/;
const FOUR_HEX = /^[0-9a-f]{4}$/i;

function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** The end of a string whose opening quote is at `start`; -1 if there is none. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    // Past the end, the code is NaN, and every comparison with it is false.
    if (!(code >= 0x20)) return -1;
    if (code === BACKSLASH) {
      const escape = text[at + 1];
      if (escape === undefined || ESCAPED.test(escape)) return -1;
      if (escape === 'u' && !FOUR_HEX.test(text.slice(at + 2, at + 6))) return -1;
      at += escape === 'u' ? 6 : 2;
    } else at += 1;
  }
}

function digitsEnd(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at += 1;
  return at;
}

function numberEnd(text: string, start: number): number {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = text.charCodeAt(first) === ZERO ? first + 1 : digitsEnd(text, first);
  if (at === first) return -1;
  if (text.charCodeAt(at) === DOT) {
    const end = digitsEnd(text, at + 1);
    if (end === at + 1) return -1;
    at = end;
  }
  if (text[at] === 'e' || text[at] === 'E') {
    const digits = text[at + 1] === '+' || text[at + 1] === '-' ? at + 2 : at + 1;
    const end = digitsEnd(text, digits);
    if (end === digits) return -1;
    at = end;
  }
  return at;
}

/** The end of a value that is neither an object nor a list; -1 if there is none. */
function scalarEnd(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return stringEnd(text, start);
  if (code === MINUS || (code >= ZERO && code <= NINE)) return numberEnd(text, start);
  const literal = LITERALS.find((word) => text.startsWith(word, start));
  return literal === undefined ? -1 : start + literal.length;
}

function nameOf(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

/** The names of each object that the scan is in, the outermost first. */
class OpenNames {
  private readonly known: Set<string>[] = [];

  /** @returns whether the object at this depth already has the name */
  isRepeated(name: string, depth: number): boolean {
    const names = (this.known[depth] ??= new Set());
    if (names.has(name)) return true;
    names.add(name);
    return false;
  }

  /** Forgets the object that was at this depth, since it has ended. */
  close(depth: number): void {
    this.known[depth]?.clear();
  }
}

/**
 * Reads a JSON text in one pass, in time proportional to its length. JSON.parse takes ten times as long for an object
 * of many names as for another text of that length.
 */
export function scanJson(text: string, { maxDepth, wanted, hasUniqueNames = false }: ScanOptions): JsonScan {
  const open: number[] = [];
  const names = new OpenNames();
  let repeated = -1;
  let parts = 0;
  const members = new Map<number, MemberRange>();
  /** At which depth names are compared, and which item of the outermost list is being read. */
  let depth = 1;
  let item = 0;
  // Assigned while a name is read, which the compiler does not see.
  let isWanted = false as boolean;
  let start = 0;
  let partsBefore = 0;
  /** Reads a name and its colon. @returns where its value begins; -1 if there is none */
  const nameEnd = (from: number): number => {
    const end = text.charCodeAt(from) === QUOTE ? stringEnd(text, from) : -1;
    if (end === -1) return -1;
    parts += 1;
    const isAtDepth = open.length === depth && wanted !== undefined;
    if (isAtDepth || (hasUniqueNames && !isWanted)) {
      const name = nameOf(text.slice(from, end));
      if (isAtDepth) isWanted = name === wanted;
      if (hasUniqueNames && names.isRepeated(name, open.length)) {
        repeated = from;
        return -1;
      }
    }
    const colon = skipBlank(text, end);
    return text.charCodeAt(colon) === COLON ? skipBlank(text, colon + 1) : -1;
  };
  let at = skipBlank(text, 0);
  for (;;) {
    if (open.length === depth && isWanted) [start, partsBefore] = [at, parts];
    parts += 1;
    const opening = text.charCodeAt(at);
    if (opening === OPEN_OBJECT || opening === OPEN_LIST) {
      if (open.length === maxDepth) return { fault: 'too_deep' };
      open.push(opening);
      if (open.length === 1 && opening === OPEN_LIST) depth = 2;
      at = skipBlank(text, at + 1);
      const isEmpty = text.charCodeAt(at) === (opening === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST);
      if (!isEmpty) {
        if (opening === OPEN_OBJECT) at = nameEnd(at);
        if (at === -1) return faultAt(repeated);
        continue;
      }
      open.pop();
      at += 1;
    } else at = scalarEnd(text, at);
    if (at === -1) return faultAt(repeated);
    // A value has ended, and so has everything whose last part it is.
    for (;;) {
      if (open.length === 0) {
        if (skipBlank(text, at) !== text.length) return { fault: 'not_json' };
        return { fault: null, parts, member: depth === 1 ? (members.get(0) ?? null) : null, members };
      }
      if (open.length === depth && isWanted) {
        members.set(item, { start, end: at, parts: parts - partsBefore });
        isWanted = false;
      }
      at = skipBlank(text, at);
      const isObject = open.at(-1) === OPEN_OBJECT;
      const code = text.charCodeAt(at);
      if (code === COMMA) {
        at = skipBlank(text, at + 1);
        if (open.length === 1 && !isObject) item += 1;
        if (isObject) at = nameEnd(at);
        if (at === -1) return faultAt(repeated);
        break;
      }
      if (code !== (isObject ? CLOSE_OBJECT : CLOSE_LIST)) return { fault: 'not_json' };
      if (isObject) names.close(open.length);
      open.pop();
      at += 1;
    }
  }
}

function faultAt(repeated: number): Extract<JsonScan, { fault: string }> {
  return repeated === -1 ? { fault: 'not_json' } : { fault: 'repeated_name', start: repeated };
}
