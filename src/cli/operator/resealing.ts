import type { KeyRing, SealedPlace, SealFormat } from '../../platform/crypto/index.js';
import { UnsealError } from '../../platform/crypto/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Database } from '../../platform/database/index.js';
import type { SealedColumn } from '../../sealing/index.js';

const BATCH = 100;

export interface Resealed {
  readonly table: string;
  readonly column: string;
  /** Values rewritten under the current key, in the current format. */
  readonly rewritten: number;
  /** Values that no configured key opens where they are. */
  readonly unreadable: number;
  /** Values that are still under another key, or in another format. */
  readonly remaining: number;
}

interface SealedRow {
  readonly tenantId: string;
  readonly id: string;
  readonly sealed: Buffer;
}

/**
 * Rewrites the values of one column under the current data key and in the current format, beside a program that goes on serving: in
 * batches, and each value only if it is still the one that was read.
 */
export class Resealing {
  private rewritten = 0;
  private unreadable = 0;
  private readonly stale: string;

  constructor(
    private readonly database: Database,
    private readonly keyRing: KeyRing,
    private readonly target: SealedColumn,
    private readonly opens: readonly SealFormat[],
  ) {
    const currentPrefix = keyRing.prefixOf('tenant');
    this.stale = `${target.column} IS NOT NULL
      AND substring(${target.column} FROM 1 FOR ${currentPrefix.length}) <> '\\x${currentPrefix.toString('hex')}'`;
  }

  async run(onProgress: (rewritten: number) => Promise<void>): Promise<Resealed> {
    for (let last = await this.batch(null); last !== null; last = await this.batch(last))
      await onProgress(this.rewritten);
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
    const { table, column, idColumn, tenantColumn, placeOf } = this.target;
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
        const fresh = this.reseal(sealed, placeOf(tenantId, id));
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

  private reseal(sealed: Buffer, place: SealedPlace): Buffer | null {
    try {
      return this.keyRing.sealAs('tenant', this.keyRing.openAs(this.opens, sealed, place), place);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      this.unreadable += 1;
      return null;
    }
  }
}
