import type { AutoCommit, Reader, Tx } from './database.js';

/**
 * Runs one SQL statement and returns its rows. TypeORM returns `[rows, count]` for UPDATE and DELETE and plain rows
 * otherwise; this function always returns rows.
 */
export async function rows<Row>(
  handle: Tx | AutoCommit | Reader,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const answer: unknown = await handle.query(sql, [...parameters]);
  if (!Array.isArray(answer)) return [];
  const [first, second] = answer as unknown[];
  return (Array.isArray(first) && typeof second === 'number' ? first : answer) as Row[];
}

/** The first row of one SQL statement, or null. */
export async function firstRow<Row>(
  handle: Tx | AutoCommit | Reader,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row | null> {
  return (await rows<Row>(handle, sql, parameters))[0] ?? null;
}
