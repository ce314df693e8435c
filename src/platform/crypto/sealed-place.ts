/** Where a sealed value lies, all of which is authenticated with it. */
export interface SealedPlace {
  /** Null for what belongs to the deployment. */
  readonly tenantId: string | null;
  readonly table: string;
  readonly column: string;
  /** The row's primary key. */
  readonly row: string;
}

/** What sealed values are bound to besides their key: table, column and row alone, or the tenant as well. */
export type SealFormat = 'row' | 'tenant';

/** The first byte of a sealed value. */
export const FORMATS: Readonly<Record<SealFormat, number>> = { row: 1, tenant: 2 };

/** Of the format `tenant`: JSON, so that no two places read the same. */
export function boundData({ tenantId, table, column, row }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([tenantId ?? '-', table, column, row]), 'utf8');
}

/** Of the format `row`, in which the first release sealed; without a row where the key itself names it. */
export function rowData({ table, column, row }: SealedPlace): Buffer {
  if (row === '') return Buffer.from(`${table}.${column}`, 'utf8');
  return Buffer.from(`${table}.${column.replace(/^sealed_/, '')}:${row}`, 'utf8');
}
