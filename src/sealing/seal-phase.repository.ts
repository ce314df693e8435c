import { FORMATS } from '../platform/crypto/index.js';
import type { SealFormat, SealedPlace } from '../platform/crypto/index.js';
import { firstRow, rows } from '../platform/database/index.js';
import type { AutoCommit, Reader } from '../platform/database/index.js';

/** A column whose values are sealed under the data key. */
export interface SealedColumn {
  readonly table: string;
  readonly idColumn: string;
  readonly column: string;
  /** The column that says whose the row is; null in the deployment's own tables. */
  readonly tenantColumn: string | null;
  /** The place of a row's value; the tenant is '' where there is no column for it. */
  readonly placeOf: (tenantId: string, id: string) => SealedPlace;
}

/** The one row of `seal_format`. */
export class SealPhaseRepository {
  async find(handle: Reader): Promise<Buffer | null> {
    const found = await firstRow<{ sealed: Buffer }>(
      handle,
      'SELECT sealed_phase AS sealed FROM seal_format WHERE id = 1',
    );
    return found?.sealed ?? null;
  }

  async put(handle: AutoCommit, sealed: Buffer): Promise<void> {
    await rows(
      handle,
      `INSERT INTO seal_format (id, sealed_phase) VALUES (1, $1)
       ON CONFLICT (id) DO UPDATE SET sealed_phase = excluded.sealed_phase`,
      [sealed],
    );
  }

  /** Keeps what another instance has put there. */
  async putFirst(handle: AutoCommit, sealed: Buffer): Promise<void> {
    await rows(
      handle,
      'INSERT INTO seal_format (id, sealed_phase) VALUES (1, $1) ON CONFLICT (id) DO NOTHING',
      [sealed],
    );
  }

  /** Which formats the values of these columns have. */
  async formatsInUse(
    handle: Reader,
    columns: readonly SealedColumn[],
  ): Promise<Readonly<Record<SealFormat, boolean>>> {
    const anyOf = (format: SealFormat): string =>
      columns
        .map(
          ({ table, column }) =>
            `EXISTS (SELECT FROM ${table} WHERE substring(${column} FROM 1 FOR 1) = '\\x0${FORMATS[format]}')`,
        )
        .join(' OR ');
    const found = await firstRow<Record<SealFormat, boolean>>(
      handle,
      `SELECT (${anyOf('row')}) AS row, (${anyOf('tenant')}) AS tenant`,
    );
    if (found === null) throw new Error('the formats of sealed values cannot be read');
    return found;
  }
}
