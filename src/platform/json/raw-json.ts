import { randomBytes } from 'node:crypto';
import { fieldRanges } from './json-fields.js';

/** What stands for a text in JSON that is being written or read. Nobody else can write it. */
const MARK = `${randomBytes(16).toString('hex')}:`;
const WRITTEN_MARK = new RegExp(`"${MARK}(\\d+)"`, 'g');

/** The texts of the answer that is being written. JSON.stringify does not wait, so that there is one at a time. */
let writing: string[] | null = null;

/**
 * JSON text that is kept as it was written, and goes into an answer as it is. A number of JSON may have more digits than
 * a number of JavaScript (RFC 8259, section 6); to parse it and write it again would give another one.
 */
export class RawJson {
  constructor(readonly text: string) {}

  /** With numbers as JavaScript has them: to be looked at, not to be kept. */
  value(): unknown {
    return JSON.parse(this.text);
  }

  toJSON(): unknown {
    return writing === null ? this.value() : `${MARK}${writing.push(this.text) - 1}`;
  }
}

/** Writes an answer's body; RawJson may stand anywhere in it. */
export function writeJson(body: unknown): string {
  const texts: string[] = [];
  writing = texts;
  try {
    const json = JSON.stringify(body);
    if (texts.length === 0) return json;
    return json.replaceAll(WRITTEN_MARK, (_, index: string) => texts[Number(index)] ?? '');
  } finally {
    writing = null;
  }
}

/** JSON without the members that are kept as text, and how to put these into what it is parsed to. */
export interface KeptApart {
  readonly rest: string;
  readonly restore: (parsed: unknown) => unknown;
}

/**
 * JSON with RawJson in place of the members of one name, wherever they are.
 * @param text JSON, which is known to be
 */
export function parseKeeping(text: string, name: string): unknown {
  const { rest, restore } = keepApart(text, name);
  return restore(JSON.parse(rest));
}

/**
 * The same for a parser that refuses names which what is kept may have, such as `__proto__`: it gets the rest.
 * @param text JSON, which is known to be
 */
export function keepApart(text: string, name: string): KeptApart {
  const ranges = fieldRanges(text, (field) => field === name);
  const texts = ranges.map(({ start, end }) => new RawJson(text.slice(start, end)));
  let rest = '';
  let at = 0;
  for (const [index, { start, end }] of ranges.entries()) {
    rest += `${text.slice(at, start)}"${MARK}${index}"`;
    at = end;
  }
  return {
    rest: rest + text.slice(at),
    restore: (parsed) => {
      if (texts.length > 0) fill(parsed, name, texts);
      return parsed;
    },
  };
}

function fill(value: unknown, name: string, texts: readonly RawJson[]): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const field = fields[key];
    if (key === name && typeof field === 'string' && field.startsWith(MARK))
      fields[key] = texts[Number(field.slice(MARK.length))];
    else fill(field, name, texts);
  }
}
