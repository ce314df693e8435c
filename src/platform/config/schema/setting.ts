import type { Kind } from './kind.js';

/** What a default may depend on. */
export interface Facts {
  readonly hasExternalDatabase: boolean;
  readonly profile: 'organization' | 'project';
}

/** A circumstance under which a key has another default; `wording` continues "or 900 …". */
export interface Condition {
  readonly wording: string;
  holds(facts: Facts): boolean;
}

interface Described {
  /** One sentence for the reader of the example file. */
  readonly doc: string;
}

interface Exemplified extends Described {
  /** Shown in the example file if there is no default. */
  readonly example: unknown;
}

interface Defaulted<T> extends Described {
  readonly default: T;
  readonly exception?: DefaultException<T>;
}

interface DefaultException<T> {
  readonly when: Condition;
  readonly value: T;
}

/** The one declaration of a key: its type, check, secrecy, default and documentation. */
export interface Setting<T> extends Described {
  /** Of the value, or of each entry when `hasEntries`. */
  readonly kind: Kind<unknown>;
  /** Whether the value is a table whose keys are the user's own. */
  readonly hasEntries: boolean;
  readonly isRequired: boolean;
  /** In the form in which users write it; `kind` parses it like a written value. Undefined when required. */
  readonly default: T | undefined;
  readonly exception?: DefaultException<T>;
  readonly example?: unknown;
}

export interface Section {
  readonly doc: string;
  readonly settings: Readonly<Record<string, Setting<unknown>>>;
}

/** A section of the file; its type keeps the type of every key. */
export function section<S extends Section['settings']>(
  doc: string,
  settings: S,
): { doc: string; settings: S } {
  return { doc, settings };
}

// NoInfer: the kind alone decides the type, else a default would widen a choice to string.
export function setting<T>(kind: Kind<T>, description: Defaulted<NoInfer<T>>): Setting<T> {
  return { kind, hasEntries: false, isRequired: false, ...description };
}

/** A key that may be absent; its property is then null. */
export function optional<T>(kind: Kind<T>, description: Exemplified): Setting<T | null> {
  return { kind, hasEntries: false, isRequired: false, default: null, ...description };
}

/** A required key of its section. */
export function required<T>(kind: Kind<T>, description: Exemplified): Setting<T> {
  return { kind, hasEntries: false, isRequired: true, default: undefined, ...description };
}

/** A table from the user's own names to values of one kind. */
export function entriesOf<T>(kind: Kind<T>, description: Exemplified): Setting<Readonly<Record<string, T>>> {
  return { kind, hasEntries: true, isRequired: false, default: {}, ...description };
}

export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** The property that a key becomes: `access_ttl_secs` is `accessTtlSecs`. */
export function camelCase(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The object that a section becomes. */
export type Values<S extends Section> = {
  readonly [K in keyof S['settings'] & string as CamelCase<K>]: S['settings'][K] extends Setting<infer T>
    ? T
    : never;
};

/** Which settings were written, by their names, and where. */
export type WrittenSettings = Readonly<Partial<Record<string, 'file' | 'env'>>>;
