import { rows } from './database.js';
import type { AutoCommit } from './database.js';

/** Which rows of a table are over. */
export interface ExpiredRows {
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: string;
  /** A condition in SQL, with `$2` for `parameter`. */
  readonly when: string;
  readonly parameter?: number;
}

/** Deletes up to `limit` of the rows, skips locked ones, and returns how many it deleted. */
export async function deleteExpired(
  handle: AutoCommit,
  { table, key, when, parameter }: ExpiredRows,
  limit: number,
): Promise<number> {
  const deleted = await rows(
    handle,
    `DELETE FROM ${table} WHERE (${key}) IN (
       SELECT ${key} FROM ${table} WHERE ${when} LIMIT $1 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    parameter === undefined ? [limit] : [limit, parameter],
  );
  return deleted.length;
}
