import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { Reader, SelectText, Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { Run } from '../model/run.js';
import { RUN_COLUMNS } from '../model/run.repository.js';
import { DURATION_MS, RunConditions } from './run-filters.js';
import type { RunFilters } from './run-filters.js';

/**
 * How many runs one statement examines at most for a condition or an order that no index serves. Reading them takes
 * tens of milliseconds from memory and about a second from a disk.
 */
export const EXAMINED_RUNS = 10_000;

/**
 * How many bytes of payloads one statement examines at most, but for the payload that goes beyond them. To look into a
 * payload costs many times what its row costs.
 */
export const EXAMINED_BYTES = 32 * 1024 * 1024;

/** In SQL: what a list that is not in the order of its ids is sorted by. Runs without a value are left out. */
const SORT_KEYS = {
  started_at: '(extract(epoch FROM started_at) * 1000000)::bigint',
  duration: `(${DURATION_MS} * 1000)::bigint`,
} as const;

export type SortKey = keyof typeof SORT_KEYS;

/** Where a page of a sorted list begins. */
export interface SortedPosition {
  /** The list consists of runs with ids up to this one, so that new runs do not shift its pages. */
  readonly upTo: string;
  /** Microseconds: the duration, or the start since 1970. */
  readonly micros: string;
  readonly id: string;
}

export type SortedRun = Run & { readonly sortMicros: string };

/** Lists of runs. Each statement is bounded: by an index, or by `EXAMINED_RUNS`. */
@Injectable()
export class RunListRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Cancels every later statement of the transaction that takes too long. */
  async limitStatements(tx: Tx): Promise<void> {
    await rows(tx, `SET LOCAL statement_timeout = ${this.config.timing.runs.searchLimitMs}`);
  }

  /** Lists runs newest first, starting below the id `before`, by conditions that indexes serve. */
  async list(
    handle: Tx | Reader,
    tenantId: TenantId,
    filters: RunFilters,
    limit: number,
    before: string | null,
  ): Promise<Run[]> {
    const conditions = new RunConditions();
    const indexed = conditions.indexed(tenantId, filters, before);
    return await rows<Run>(
      handle,
      `SELECT ${RUN_COLUMNS} FROM runs WHERE ${indexed} ORDER BY id DESC LIMIT ${conditions.parameter(limit)}`,
      conditions.parameters,
    );
  }

  /**
   * Like `list`, for all conditions, among the newest `EXAMINED_RUNS` that meet those which indexes serve, or with a
   * condition on payloads the newest of `EXAMINED_BYTES`.
   */
  async examine(
    handle: Tx | Reader,
    tenantId: TenantId,
    filters: RunFilters,
    limit: number,
    before: string | null,
  ): Promise<Run[]> {
    const conditions = new RunConditions();
    const indexed = conditions.indexed(tenantId, filters, before);
    return await rows<Run>(
      handle,
      `SELECT ${RUN_COLUMNS} FROM (${examined(indexed, filters)}) runs WHERE ${conditions.unindexed(filters)}
       ORDER BY id DESC LIMIT ${conditions.parameter(limit)}`,
      conditions.parameters,
    );
  }

  /** The last run that `examine` examines; null when it examines all that there are. */
  async lastExamined(
    handle: Tx | Reader,
    tenantId: TenantId,
    filters: RunFilters,
    before: string | null,
  ): Promise<string | null> {
    const conditions = new RunConditions();
    const indexed = conditions.indexed(tenantId, filters, before);
    const last = await firstRow<{ id: string }>(
      handle,
      filters.payload === null
        ? `SELECT id FROM runs WHERE ${indexed} ORDER BY id DESC OFFSET ${EXAMINED_RUNS - 1} LIMIT 1`
        : `SELECT id FROM (
             SELECT id, row_number() OVER newest AS place, sum(payload_bytes) OVER newest AS bytes
             FROM (${newest(indexed)}) runs WINDOW newest AS (ORDER BY id DESC)
           ) runs WHERE place = ${EXAMINED_RUNS} OR bytes > ${EXAMINED_BYTES} ORDER BY id DESC LIMIT 1`,
      conditions.parameters,
    );
    return last?.id ?? null;
  }

  /** Sorts what `examine` examines, the greatest value first. */
  async listSorted(
    handle: Tx | Reader,
    tenantId: TenantId,
    filters: RunFilters,
    limit: number,
    { key, after }: { readonly key: SortKey; readonly after: SortedPosition | null },
  ): Promise<SortedRun[]> {
    const conditions = new RunConditions();
    const indexed = conditions.indexed(tenantId, filters, null);
    const upTo = after === null ? 'true' : `id <= ${conditions.parameter(after.upTo)}`;
    const unindexed = conditions.unindexed(filters);
    const position =
      after === null
        ? 'true'
        : `(sort_micros, id) < (${conditions.parameter(after.micros)}::bigint, ${conditions.parameter(after.id)})`;
    return await rows<SortedRun>(
      handle,
      `SELECT ${RUN_COLUMNS}, sort_micros::text AS "sortMicros" FROM (
         SELECT *, ${SORT_KEYS[key]} AS sort_micros
         FROM (${examined(`${indexed} AND ${upTo}`, filters)}) runs
         WHERE ${unindexed}
       ) runs WHERE sort_micros IS NOT NULL AND ${position}
       ORDER BY sort_micros DESC, id DESC LIMIT ${conditions.parameter(limit)}`,
      conditions.parameters,
    );
  }
}

/** In SQL: the newest runs that meet the conditions which indexes serve. */
function newest(indexed: string): SelectText {
  return `SELECT * FROM runs WHERE ${indexed} ORDER BY id DESC LIMIT ${EXAMINED_RUNS}`;
}

/** In SQL: those of them that one statement examines. The size of a payload is known without reading it. */
function examined(indexed: string, { payload }: RunFilters): SelectText {
  if (payload === null) return newest(indexed);
  return `SELECT * FROM (
      SELECT *, sum(payload_bytes) OVER (ORDER BY id DESC) - payload_bytes AS bytes_before
      FROM (${newest(indexed)}) runs
    ) runs WHERE bytes_before <= ${EXAMINED_BYTES}`;
}
