import type { Tenancy } from '../../tenancy/index.js';
import type { DataTriggerDto, DeclaredTrigger } from '../triggers/index.js';

/** A table by schema and name, exactly as in the catalog: not case-folded and not quoted. */
export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** What the catalog says about a table to be watched. */
export interface TableFacts {
  /** From pg_class: `r` for a table, `p` for a partitioned one; null when nothing has this name. */
  readonly kind: string | null;
  readonly isTemporary: boolean;
  readonly isOwnTable: boolean;
  /** Whether the service's database user owns it, directly or through a role: only the owner may remove triggers. */
  readonly isOurs: boolean;
  /**
   * If somebody other than the service's account or a superuser owns part of the table, a text that begins with
   * `belongs to`. Null otherwise, and when it does not matter because a role without other rights captures the
   * changes.
   */
  readonly stranger: string | null;
  readonly columns: readonly string[];
  /** Generated columns that are not stored, whose values no trigger sees. */
  readonly virtualColumns: readonly string[];
  readonly isPartition: boolean;
  /** The tables that it is a partition of or inherits from, as `schema.name`, nearest first. */
  readonly ancestors: readonly string[];
  /** A table that inherits from it and can get no triggers: a foreign table, or one of another account. */
  readonly foreignHeir: string | null;
  /** The type of the tenant column, with domains resolved; null when there is no such column. */
  readonly tenantColumnType: string | null;
}

/** What a job watches at one table: all its triggers there, so that one change becomes one run. */
export interface Watch extends TableName {
  readonly event: 'insert' | 'update' | 'delete';
  readonly jobId: string;
  /** For updates: the columns whose change counts; null for any. */
  readonly columns: readonly string[] | null;
}

const TENANT_COLUMN_TYPES = ['uuid', 'text', 'character varying'];
const SYSTEM_SCHEMA = /^(?:pg_|information_schema$)/;

/** Of pg_class.relkind: what cannot be watched. */
const KINDS: Readonly<Record<string, string>> = {
  v: 'a view',
  m: 'a materialized view',
  f: 'a foreign table',
  S: 'a sequence',
  i: 'an index',
  I: 'an index',
  c: 'a composite type',
};

/** The DTO's validation guarantees exactly one dot. */
export function tableNameOf({ table }: Pick<DataTriggerDto, 'table'>): TableName {
  const [schema = '', name = ''] = table.split('.');
  return { schema, name };
}

/** Why tables of a schema may not be watched, or null. */
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
    return `is ${facts.isTemporary ? 'a temporary table' : (KINDS[facts.kind] ?? 'not a table')}; changes of views, foreign tables and temporary tables cannot be captured`;
  if (facts.tenantColumnType === null)
    return `has no column ${rowColumn}, by which its rows belong to ${noun}s`;
  if (!TENANT_COLUMN_TYPES.includes(facts.tenantColumnType))
    return `has a column ${rowColumn} of type ${facts.tenantColumnType}; it must be uuid or text`;
  if (facts.virtualColumns.includes(rowColumn))
    return `has ${rowColumn} as a virtual generated column, whose values triggers do not see; make it STORED, or an ordinary column`;
  if (!facts.isOurs) return "must be owned by the service's database user, or by a role that it belongs to";
  return facts.stranger === null
    ? null
    : `${facts.stranger}; it can be watched only if its owner and its types are the service's database user or ` +
        'superusers, or if that user may create a role that captures changes (docs/operating.md, The database account)';
}

/**
 * Why a job should not begin to watch a table, or null. A table that is watched already and becomes a partition goes on
 * being captured.
 *
 * @param watchedByJob all tables that the job watches
 */
export function placeProblem(
  { isPartition, ancestors, foreignHeir }: TableFacts,
  watchedByJob: readonly string[],
): string | null {
  if (isPartition)
    return `is a partition of ${ancestors[0] ?? 'another table'}: an update that moves a row out of it or into it would be neither an update nor a deletion or insertion here; watch ${ancestors.at(-1) ?? 'the partitioned table'}`;
  const also = ancestors.find((ancestor) => watchedByJob.includes(ancestor));
  if (also !== undefined)
    return `inherits from ${also}, which the job watches too: a change would create two runs; name one of them`;
  return foreignHeir === null
    ? null
    : `is inherited by ${foreignHeir}, which is a foreign table or belongs to another account, so its changes cannot be captured`;
}

/** The columns that jobs name, and the table has no more. */
export function missingColumns(facts: TableFacts | undefined, named: readonly string[]): string[] {
  return facts === undefined ? [] : named.filter((column) => !facts.columns.includes(column));
}

/** What the jobs watch: one entry per job, table and event. */
export function watchesOf(triggers: readonly DeclaredTrigger<DataTriggerDto>[]): Watch[] {
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
