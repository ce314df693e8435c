import type { Problem } from '../schema/outcome.js';
import { settings } from '../declaration.js';
import type { Surroundings, Written } from '../schema/kind.js';
import { camelCase } from '../schema/setting.js';
import type { Facts, Section, Setting, Values } from '../schema/setting.js';

/** A written value and the variable that it came from, null for the file. */
export interface Given extends Written {
  readonly variable: string | null;
}

/** Longest part of a faulty value that a reason shows, in characters. */
const SHOWN_LENGTH = 60;

/** Reads and checks the values that were given, then makes the sections out of them and the defaults. */
export class Reading {
  private readonly values = new Map<string, unknown>();

  constructor(
    private readonly given: ReadonlyMap<string, Given>,
    private readonly surroundings: Surroundings,
  ) {}

  /** Checks every given value and returns what is wrong. */
  check(): Problem[] {
    const problems: Problem[] = [];
    for (const [key, given] of this.given) {
      const kind = settingOf(key).kind;
      const outcome = kind.read(given, this.surroundings);
      if (outcome.ok) this.values.set(key, outcome.value);
      else problems.push({ key, reason: outcome.reason + circumstances(given, kind.secrecy === 'open') });
    }
    return problems;
  }

  /** A checked value, undefined when it was not given or is faulty. */
  value(key: string): unknown {
    return this.values.get(key);
  }

  /** The section as an object; only meaningful once `check` found nothing. */
  section<S extends Section>(name: string, { settings: members }: S, facts: Facts): Values<S> {
    const entries = Object.entries(members).map(([key, setting]) => [
      camelCase(key),
      this.valueOrDefault(`${name}.${key}`, setting, facts),
    ]);
    // Values<S> is by definition what the kinds of S read; the loop above cannot express it key by key.
    return Object.freeze(Object.fromEntries(entries)) as Values<S>;
  }

  private valueOrDefault(key: string, setting: Setting<unknown>, facts: Facts): unknown {
    if (setting.hasEntries) return this.entries(`${key}.`);
    if (this.values.has(key)) return this.values.get(key);
    const value = defaultOf(setting, facts);
    if (value === null) return null;
    const written = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
    const outcome = setting.kind.read({ value: written, as: 'toml' }, this.surroundings);
    if (!outcome.ok) throw new Error(`The default of ${key} ${outcome.reason}`);
    return outcome.value;
  }

  private entries(prefix: string): Readonly<Record<string, unknown>> {
    // Without a prototype, a look-up by a name from outside finds no `constructor`.
    const entries = Object.create(null) as Record<string, unknown>;
    for (const [key, value] of this.values) {
      if (key.startsWith(prefix)) entries[key.slice(prefix.length)] = value;
    }
    return Object.freeze(entries);
  }
}

function defaultOf({ default: value, exception }: Setting<unknown>, facts: Facts): unknown {
  return exception?.when.holds(facts) ? exception.value : value;
}

/** The declaration of a key, or of the table that an entry belongs to. */
function settingOf(key: string): Setting<unknown> {
  const setting = settings.get(key) ?? [...settings].find(([table]) => key.startsWith(`${table}.`))?.[1];
  if (!setting) throw new Error(`${key} is not declared`);
  return setting;
}

function circumstances({ value, variable }: Given, mayShow: boolean): string {
  const parts = [
    ...(mayShow ? [`it is ${shown(value)}`] : []),
    ...(variable ? [`set by the variable ${variable}`] : []),
  ];
  return parts.length > 0 ? `; ${parts.join(', ')}` : '';
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? Number(each) : each,
  );
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
