import { decodeCursor } from './page.js';

/** A place in a list that is ordered by time: microseconds since 1970, as PostgreSQL keeps them, and a key for ties. */
export interface ListPosition {
  readonly atMicros: string;
  readonly key: string;
}

const MICROS = '\\d{1,16}';

export function positionText({ atMicros, key }: ListPosition): string {
  return `${atMicros}.${key}`;
}

/**
 * The place that a cursor stands for, or null without a cursor.
 * @param key the source of a pattern that the key has to match
 * @throws validation_failed
 */
export function positionOf(cursor: string | undefined, key: string): ListPosition | null {
  if (cursor === undefined) return null;
  const position = decodeCursor(cursor, new RegExp(`^${MICROS}\\.${key}$`));
  const separator = position.indexOf('.');
  return { atMicros: position.slice(0, separator), key: position.slice(separator + 1) };
}
