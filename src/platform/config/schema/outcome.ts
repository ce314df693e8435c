/** A value that was understood, or why it was not: words that follow the key, as in "must be …". */
export type Outcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

export function accepted<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refused(reason: string): Outcome<never> {
  return { ok: false, reason };
}

/** One fault of the configuration. `key` is in TOML form; `reason` says what to do and never holds a secret. */
export interface Problem {
  readonly key: string;
  readonly reason: string;
}

/** Thrown by `loadConfig` with every fault that it found, not only the first; the message has one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly Problem[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super([`The configuration has ${count}:`, ...problems.map((p) => `${p.key}: ${p.reason}`)].join('\n'));
  }
}
