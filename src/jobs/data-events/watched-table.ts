import type { Tenancy } from '../../platform/tenancy/index.js';
import type { DataTriggerDto, PlacedTrigger } from '../triggers/index.js';

/** A table by schema and name, exactly as the catalog has them: nothing is folded or quoted. */
export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** What the catalog says of a table that is to be watched. */
export interface TableFacts {
  /** Of pg_class: `r` a table, `p` a partitioned one; null when there is nothing by this name. */
  readonly kind: string | null;
  readonly isTemporary: boolean;
  readonly isOwnTable: boolean;
  /** Whether the service's database user owns it, itself or by membership: triggers are the owner's to remove. */
  readonly isOurs: boolean;
  /**
   * Why the table is not wholly the service's own account's or superusers', as `belongs to …`; null when it is, or when
   * that does not matter, since a role without rights of its own captures the changes.
   */
  readonly stranger: string | null;
  readonly columns: readonly string[];
  /** Type of the tenant column, domains resolved; null when there is no such column. */
  readonly tenantColumnType: string | null;
}

/** What a job waits for at one table: its triggers there taken together, so that one change is one run. */
export interface Watch extends TableName {
  readonly event: 'insert' | 'update' | 'delete';
  readonly jobId: string;
  /** Of an update: whose change counts; null for any. */
  readonly columns: readonly string[] | null;
}

const TENANT_COLUMN_TYPES = ['uuid', 'text', 'character varying'];
const SYSTEM_SCHEMA = /^(?:pg_|information_schema$)/;

/** The DTO has seen to it that there is one dot. */
export function tableNameOf({ table }: Pick<DataTriggerDto, 'table'>): TableName {
  const [schema = '', name = ''] = table.split('.');
  return { schema, name };
}

/** Why a schema's tables may not be watched, or null. */
export function schemaProblem({ schema }: TableName, allowed: readonly string[]): string | null {
  if (allowed.includes(schema) && !SYSTEM_SCHEMA.test(schema)) return null;
  return `is not in a schema whose tables may be watched (jobs.data_event_schemas): ${allowed.join(', ')}`;
}

/** Why a table cannot be watched, or null. */
export function tableProblem(
  facts: TableFacts,
  { rowColumn, noun }: Pick<Tenancy, 'rowColumn' | 'noun'>,
): string | null {
  if (facts.isOwnTable) return 'is a table of the service itself';
  if (facts.kind === null) return 'does not exist';
  if (!['r', 'p'].includes(facts.kind) || facts.isTemporary)
    return 'is not a table whose changes can be captured: views, foreign and temporary tables cannot';
  if (facts.tenantColumnType === null)
    return `has no column ${rowColumn}, by which its rows belong to ${noun}s`;
  if (!TENANT_COLUMN_TYPES.includes(facts.tenantColumnType))
    return `has a column ${rowColumn} of type ${facts.tenantColumnType}; it must be uuid or text`;
  if (!facts.isOurs) return "must be owned by the service's database user, or by a role that it belongs to";
  return facts.stranger === null
    ? null
    : `${facts.stranger}; it can be watched only if its owner and its types are the service's database user or ` +
        'superusers, or if that user may create a role that captures changes (docs/operating.md, The database account)';
}

/** What jobs wait for, one entry for each job, table and event. */
export function watchesOf(triggers: readonly PlacedTrigger<DataTriggerDto>[]): Watch[] {
  const watches = new Map<string, Watch>();
  for (const { jobId, definition } of triggers) {
    for (const event of definition.events) {
      const key = JSON.stringify([jobId, definition.table, event]);
      const narrowed = event === 'update' ? (definition.columns ?? null) : null;
      const known = watches.get(key);
      const columns = known === undefined ? narrowed : bothColumns(known.columns, narrowed);
      watches.set(key, { ...tableNameOf(definition), event, jobId, columns });
    }
  }
  return [...watches.values()];
}

function bothColumns(
  one: readonly string[] | null,
  other: readonly string[] | null,
): readonly string[] | null {
  return one === null || other === null ? null : [...new Set([...one, ...other])];
}
