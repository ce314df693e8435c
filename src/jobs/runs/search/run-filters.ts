import type { TenantId } from '../../../http/index.js';
import type { RunTrigger } from '../model/run.js';
import type { RunStatus } from '../model/run-status.js';
import { IS_OF_OPEN_JOB } from '../model/run.repository.js';
import { firstRunIdAt, ID_SLACK_MS } from '../model/run-id.js';

/** In SQL: how long the row of `runs` took, in milliseconds; null while it has not ended, and if it never started. */
export const DURATION_MS = '(extract(epoch FROM completed_at - started_at) * 1000)';

/** Filters of a list of runs, which must all hold; null means any. A run matches a list if it matches one of its values. */
export interface RunFilters {
  /** Only runs that this user triggered, of jobs that are open to users. */
  readonly ownerId: string | null;
  readonly jobIds: readonly string[] | null;
  readonly statuses: readonly RunStatus[] | null;
  readonly triggers: readonly RunTrigger['type'][] | null;
  readonly errorCodes: readonly string[] | null;
  /** Triggered by the handlers of these runs. */
  readonly parentRunIds: readonly string[] | null;
  /** That retry one of these runs. */
  readonly retryOf: readonly string[] | null;
  /** Whether another run retries it. */
  readonly isRetried: boolean | null;
  readonly handlers: readonly string[] | null;
  readonly idempotencyKey: string | null;
  /** JSON text of an object that the payload must contain, as `@>` of `jsonb` has it. */
  readonly payload: string | null;
  readonly minDurationMs: number | null;
  /** Created at this instant or later. */
  readonly since: Date | null;
  /** Created before this instant. */
  readonly until: Date | null;
}

/** Filters that have an index each. No index serves two of them together, which would cost each run one more entry. */
type PlainFilter = 'retryOf' | 'parentRunIds' | 'errorCodes' | 'statuses' | 'jobIds' | 'triggers';

const COLUMNS: Readonly<Record<PlainFilter, string>> = {
  retryOf: 'retry_of',
  parentRunIds: `trigger ->> 'run_id'`,
  errorCodes: 'error_code',
  statuses: 'status',
  jobIds: 'job_id',
  triggers: `trigger ->> 'type'`,
};
const PLAIN_FILTERS = Object.keys(COLUMNS) as PlainFilter[];

/**
 * The plain filters that a list follows by an index: the one that the fewest runs match, as far as one can tell. With a
 * key there is one run. A user's own runs have an index of their own, and few of them refer to one other run.
 */
function leadingFilters(filters: RunFilters): readonly PlainFilter[] {
  if (filters.idempotencyKey !== null) return PLAIN_FILTERS;
  const { statuses, ownerId } = filters;
  const references: readonly PlainFilter[] = ['retryOf', 'parentRunIds'];
  const others: readonly PlainFilter[] =
    statuses?.includes('completed') === true
      ? ['errorCodes', 'jobIds', 'triggers', 'statuses']
      : ['errorCodes', 'statuses', 'jobIds', 'triggers'];
  const order = ownerId === null ? [...references, ...others] : references;
  return order.filter((name) => filters[name] !== null).slice(0, 1);
}

function restOf(filters: RunFilters): PlainFilter[] {
  const leading = leadingFilters(filters);
  return PLAIN_FILTERS.filter((name) => filters[name] !== null && !leading.includes(name));
}

/** Builds the conditions of a statement together with its parameters. */
export class RunConditions {
  private readonly values: unknown[] = [];

  get parameters(): readonly unknown[] {
    return this.values;
  }

  /** Adds a parameter and returns its name in SQL. */
  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  private isIn(column: string, values: readonly string[] | null): string[] {
    if (values === null) return [];
    // A single value keeps the order of an index whose first columns are the tenant and this one.
    return values.length === 1
      ? [`${column} = ${this.parameter(values[0])}`]
      : [`${column} = ANY (${this.parameter(values)})`];
  }

  private compares(left: string, value: unknown): string[] {
    return value === null ? [] : [`${left} ${this.parameter(value)}`];
  }

  /**
   * In SQL: the conditions that indexes serve. Includes only what was asked for, so that the planner can choose the
   * fitting index for each query. Ids are ordered by time, though by a different clock than `created_at`; bounds on the
   * id keep a search for old runs from reading newer ones.
   */
  indexed(tenantId: TenantId, filters: RunFilters, before: string | null): string {
    const { ownerId, since, until } = filters;
    const conditions = [
      ...this.compares('tenant_id =', tenantId),
      ...this.compares('id <', before),
      ...this.compares(`trigger ->> 'user_id' =`, ownerId),
      ...(ownerId === null ? [] : ['of_open_job', IS_OF_OPEN_JOB]),
      ...leadingFilters(filters).flatMap((name) =>
        name === 'parentRunIds' || name === 'retryOf'
          ? this.refersTo(COLUMNS[name], tenantId, filters[name])
          : this.isIn(COLUMNS[name], filters[name]),
      ),
      ...this.hasKey(tenantId, filters),
      ...this.compares('created_at >=', since),
      ...this.compares(
        'id >=',
        since === null ? null : firstRunIdAt(new Date(since.getTime() - ID_SLACK_MS)),
      ),
      ...this.compares('created_at <', until),
      ...this.compares('id <', until === null ? null : firstRunIdAt(new Date(until.getTime() + ID_SLACK_MS))),
    ];
    return conditions.join(' AND ');
  }

  /** In SQL: the conditions that no index serves; `true` if there are none. */
  unindexed(filters: RunFilters): string {
    const { handlers, payload, minDurationMs } = filters;
    const conditions = [
      'true',
      ...restOf(filters).flatMap((name) => this.isIn(COLUMNS[name], filters[name])),
      ...this.isIn('handler', handlers),
      ...this.compares(`${DURATION_MS} >=`, minDurationMs),
      ...this.isRetried(filters),
      ...(payload === null ? [] : [`json_contains(payload, ${this.parameter(payload)})`]),
    ];
    return conditions.join(' AND ');
  }

  /** Whether another run that the caller may read retries the row. With `OFFSET`, each row is looked up by the index. */
  private isRetried({ isRetried, ownerId }: RunFilters): string[] {
    if (isRetried === null) return [];
    const conditions = [
      'retry.tenant_id = runs.tenant_id AND retry.retry_of = runs.id',
      ...(ownerId === null ? [] : ['retry.of_open_job']),
      ...this.compares(`retry.trigger ->> 'user_id' =`, ownerId),
    ];
    return [
      `${isRetried ? '' : 'NOT '}EXISTS (SELECT FROM runs retry WHERE ${conditions.join(' AND ')} OFFSET 0)`,
    ];
  }

  /** The runs that refer to several others are looked up first: the planner has no idea how few they are. */
  private refersTo(column: string, tenantId: TenantId, runIds: readonly string[] | null): string[] {
    if (runIds === null || runIds.length === 1) return this.isIn(column, runIds);
    return [
      `id = ANY (ARRAY(
         SELECT referring.id FROM unnest(${this.parameter(runIds)}::text[]) AS given (id) CROSS JOIN LATERAL (
           SELECT id FROM runs WHERE tenant_id = ${this.parameter(tenantId)} AND ${column} = given.id OFFSET 0
         ) referring))`,
    ];
  }

  /** The array is computed first, so that the planner looks up the few runs by their ids and never walks the list. */
  private hasKey(tenantId: TenantId, { idempotencyKey, ownerId }: RunFilters): string[] {
    if (idempotencyKey === null) return [];
    const key = storedKey(idempotencyKey, ownerId);
    return [
      `id = ANY (ARRAY(SELECT run_id FROM run_requests
         WHERE tenant_id = ${this.parameter(tenantId)} AND key = ${this.parameter(key)}))`,
    ];
  }
}

/** Whether an index serves the filters so that a page reads hardly more runs than it lists. */
export function isIndexed(filters: RunFilters): boolean {
  const { handlers, payload, minDurationMs, isRetried } = filters;
  const unindexed = [handlers, payload, minDurationMs, isRetried];
  return unindexed.every((filter) => filter === null) && restOf(filters).length === 0;
}

/** Whether a filter is a list, for which the planner may have to read and sort all runs that match. */
export function hasLists(filters: RunFilters): boolean {
  return leadingFilters(filters).some((name) => (filters[name]?.length ?? 0) > 1);
}

/** An `Idempotency-Key` as it is stored: two users may use the same key without seeing each other's runs. */
export function storedKey(key: string, ownerId: string | null): string {
  return ownerId === null ? key : `${ownerId} ${key}`;
}
