import type { KeyRing, AssociatedData } from '../../platform/crypto/index.js';
import { UnsealError } from '../../platform/crypto/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Database } from '../../platform/database/index.js';
import type { SealedColumn } from './sealed-columns.js';

const BATCH = 100;

export interface RekeyedColumn {
  readonly table: string;
  readonly column: string;
  /** Values rewritten under the current key. */
  readonly rewritten: number;
  /** Values that no configured key opens where they are. */
  readonly unreadable: number;
  /** Values that are still under another key. */
  readonly remaining: number;
}

interface SealedRow {
  readonly tenantId: string;
  readonly id: string;
  readonly sealed: Buffer;
}

/**
 * Rewrites the values of one column under the current data key, beside a program that goes on serving: in batches, and each
 * value only if it is still the one that was read.
 */
export class ColumnRekey {
  private rewritten = 0;
  private unreadable = 0;
  private readonly stale: string;

  constructor(
    private readonly database: Database,
    private readonly keyRing: KeyRing,
    private readonly target: SealedColumn,
  ) {
    const { currentPrefix } = keyRing;
    this.stale = `${target.column} IS NOT NULL
      AND substring(${target.column} FROM 1 FOR ${currentPrefix.length}) <> '\\x${currentPrefix.toString('hex')}'`;
  }

  async run(onProgress: (rewritten: number) => void): Promise<RekeyedColumn> {
    for (let last = await this.batch(null); last !== null; last = await this.batch(last))
      onProgress(this.rewritten);
    const { table, column } = this.target;
    const left = await firstRow<{ count: number }>(
      this.database.reader,
      `SELECT count(*)::int AS count FROM ${table} WHERE ${this.stale}`,
    );
    return {
      table,
      column,
      rewritten: this.rewritten,
      unreadable: this.unreadable,
      remaining: left?.count ?? 0,
    };
  }

  /** The id of the last row of the batch, or null when there was none. */
  private async batch(after: string | null): Promise<string | null> {
    const { table, column, idColumn, tenantColumn, associatedDataOf } = this.target;
    const tenant = tenantColumn === null ? `''` : `${tenantColumn}::text`;
    return await this.database.transaction(async (tx) => {
      const batch = await rows<SealedRow>(
        tx,
        `SELECT ${idColumn}::text AS id, ${tenant} AS "tenantId", ${column} AS sealed FROM ${table}
         WHERE ${this.stale} ${after === null ? '' : `AND ${idColumn} > $1`}
         ORDER BY ${idColumn} LIMIT ${BATCH}`,
        after === null ? [] : [after],
      );
      for (const { id, tenantId, sealed } of batch) {
        const fresh = this.rewrite(sealed, associatedDataOf(tenantId, id));
        if (fresh === null) continue;
        const updated = await rows(
          tx,
          `UPDATE ${table} SET ${column} = $3
           WHERE ${idColumn} = $1 AND ${column} = $2 AND ${tenant} = $4 RETURNING 1`,
          [id, sealed, fresh, tenantId],
        );
        this.rewritten += updated.length;
      }
      return batch.at(-1)?.id ?? null;
    });
  }

  private rewrite(sealed: Buffer, associatedData: AssociatedData): Buffer | null {
    try {
      return this.keyRing.seal(this.keyRing.open(sealed, associatedData), associatedData);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      this.unreadable += 1;
      return null;
    }
  }
}
