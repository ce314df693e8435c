import path from 'node:path';
import { accepted, refused } from './outcome.js';
import type { Outcome } from './outcome.js';
import { isReference } from './reference.js';

/** A value as written: typed by TOML, or the plain text of a variable. */
export interface Written {
  readonly value: unknown;
  readonly as: 'toml' | 'text';
}

/** What parsing a value may depend on besides the value itself. */
export interface Surroundings {
  readonly cwd: string;
  resolve(text: string): Outcome<string>;
}

/**
 * Which part of a value is secret: nothing, all of it, or the password that an address may contain.
 * A value that is not `open` is never part of a problem's reason.
 */
export type Secrecy = 'open' | 'password' | 'whole';

/** A kind of value: its description in "must be …", how secret it is, and how it is parsed and checked. */
export interface Kind<T> {
  readonly shape: string;
  readonly secrecy: Secrecy;
  read(written: Written, surroundings: Surroundings): Outcome<T>;
}

interface SingleValue<T> {
  readonly shape: string;
  readonly secrecy?: Secrecy;
  /** Undefined if the text is not a value of this kind. */
  readonly parse: (text: string, cwd: string) => T | undefined;
  /** Takes the TOML value of a kind that is not a string; undefined as above. */
  readonly accept?: (value: unknown) => T | undefined;
}

/** A kind with one value. Text out of a variable or a reference is parsed; TOML must use its own type. */
export function single<T>({ shape, secrecy = 'open', parse, accept }: SingleValue<T>): Kind<T> {
  return {
    shape,
    secrecy,
    read({ value, as }, surroundings) {
      let result: T | undefined;
      if (typeof value === 'string' && (!accept || as === 'text' || isReference(value))) {
        const text = surroundings.resolve(value);
        if (!text.ok) return text;
        result = parse(text.value, surroundings.cwd);
      } else {
        result = accept?.(value);
      }
      return result === undefined ? refused(`must be ${shape}`) : accepted(result);
    },
  };
}

export function integer(min: number, max: number): Kind<number> {
  const inRange = (value: number): number | undefined => (value >= min && value <= max ? value : undefined);
  return single({
    shape: `an integer from ${min} to ${max}`,
    parse: (text) => (/^-?(0|[1-9]\d*)$/.test(text) ? inRange(Number(text)) : undefined),
    // The file is parsed with integers as bigint, so that 8080.0 is not mistaken for 8080.
    accept: (value) => (typeof value === 'bigint' ? inRange(Number(value)) : undefined),
  });
}

/** A number above 0 and up to 1. */
export function fraction(): Kind<number> {
  const inRange = (value: number): number | undefined => (value > 0 && value <= 1 ? value : undefined);
  return single({
    shape: 'a number above 0 and up to 1',
    parse: (text) => (/^(0?\.\d+|1(\.0+)?)$/.test(text) ? inRange(Number(text)) : undefined),
    accept: (value) =>
      typeof value === 'bigint' || typeof value === 'number' ? inRange(Number(value)) : undefined,
  });
}

export function flag(): Kind<boolean> {
  return single({
    shape: 'true or false',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    accept: (value) => (typeof value === 'boolean' ? value : undefined),
  });
}

export function text(): Kind<string> {
  return single({ shape: 'a non-empty string', parse: (value) => (value === '' ? undefined : value) });
}

/** A string of a stated form; `shape` says which, for the reader. */
export function textMatching(pattern: RegExp, shape: string): Kind<string> {
  return single({ shape, parse: (value) => (pattern.test(value) ? value : undefined) });
}

export function choice<const T extends string>(...options: readonly T[]): Kind<T> {
  return single({
    shape: `one of ${options.map((option) => JSON.stringify(option)).join(', ')}`,
    parse: (value) => options.find((option) => option === value),
  });
}

/** A path, made absolute against the working directory. */
export function filePath(): Kind<string> {
  return single({
    shape: 'a path',
    parse: (value, cwd) => (value === '' ? undefined : path.resolve(cwd, value)),
  });
}

/** The same kind, but no message ever shows its value. */
export function secret<T>(kind: Kind<T>): Kind<T> {
  return { ...kind, secrecy: 'whole' };
}

/** How a list stands in a variable. */
const IN_TEXT = '; in a variable, separate the items by commas or write a JSON list';

/** A TOML array; as text, items between commas or a JSON array. A lone reference leads to such a text. */
export function listOf<T>(item: Kind<T>): Kind<readonly T[]> {
  const shape = `a list in which each item is ${item.shape}`;
  return {
    shape,
    secrecy: item.secrecy,
    read(written, surroundings) {
      const items = splitItems(written, surroundings);
      if (items === undefined) return refused(`must be ${shape}${written.as === 'text' ? IN_TEXT : ''}`);
      if (!items.ok) return items;
      const values: T[] = [];
      for (const [index, each] of items.value.entries()) {
        const outcome = item.read(each, surroundings);
        if (!outcome.ok) return refused(`${outcome.reason} (item ${index + 1} of the list)`);
        values.push(outcome.value);
      }
      return accepted(Object.freeze(values));
    },
  };
}

function splitItems({ value, as }: Written, surroundings: Surroundings): Outcome<Written[]> | undefined {
  if (Array.isArray(value)) return accepted(value.map((each: unknown) => ({ value: each, as: 'toml' })));
  if (typeof value !== 'string') return undefined;
  if (isReference(value) && !value.includes(',')) {
    const resolved = surroundings.resolve(value);
    return resolved.ok ? splitText(resolved.value) : resolved;
  }
  return as === 'text' ? splitText(value) : undefined;
}

function splitText(value: string): Outcome<Written[]> | undefined {
  if (value.trimStart().startsWith('[')) {
    const items = parseJson(value);
    return Array.isArray(items)
      ? accepted(items.map((each: unknown) => ({ value: each, as: 'toml' })))
      : undefined;
  }
  const items = value.split(',').map((each) => each.trim());
  return accepted(items.filter((each) => each !== '').map((each) => ({ value: each, as: 'text' })));
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
