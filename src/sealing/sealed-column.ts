import type { SealedPlace } from '../platform/crypto/index.js';

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
