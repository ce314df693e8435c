/** A value that was understood, or why it was not: words that follow the key, as in "must be …". */
export type Outcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

export function accepted<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refused(reason: string): Outcome<never> {
  return { ok: false, reason };
}
