import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS, firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import type { TableFacts, TableName, Watch } from './watched-table.js';

/** A database trigger that is missing, or that exists but is not needed. */
export interface TriggerDifference {
  readonly change: 'create' | 'drop';
  readonly triggerName: string;
  /** The relation in SQL notation. */
  readonly relation: string;
  readonly schema: string;
  readonly name: string;
  readonly event: string;
  /** True for partitioned tables and partitions, whose changes are captured row by row. */
  readonly isByRow: boolean;
}

/** The triggers of jobs on tables, and the triggers of the database that serve them. */
@Injectable()
export class DataTriggerRepository {
  /**
   * Reads facts about tables from the catalog, in the given order.
   * @param rowColumn the column that names a row's tenant
   */
  async findFacts(
    handle: Tx | Reader,
    tables: readonly TableName[],
    rowColumn: string,
  ): Promise<TableFacts[]> {
    return await rows<TableFacts>(
      handle,
      `SELECT class.relkind AS kind, coalesce(class.relpersistence = 't', false) AS "isTemporary",
              asked.schema = current_schema() AS "isOwnTable",
              coalesce(pg_has_role(class.relowner, 'USAGE'), false) AS "isOurs",
              CASE WHEN NOT data_capture_is_confined() THEN data_capture_stranger(class.oid) END AS stranger,
              coalesce(has.columns, '{}') AS columns, has.tenant_type AS "tenantColumnType"
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (schema, name, place)
       LEFT JOIN pg_namespace space ON space.nspname = asked.schema
       LEFT JOIN pg_class class ON class.relnamespace = space.oid AND class.relname = asked.name
       LEFT JOIN LATERAL (
         SELECT array_agg(attname::text) AS columns,
                max(format_type(coalesce(nullif(type.typbasetype, 0), type.oid), NULL))
                  FILTER (WHERE attname = $3) AS tenant_type
         FROM pg_attribute JOIN pg_type type ON type.oid = atttypid
         WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped
       ) AS has ON true
       ORDER BY asked.place`,
      [tables.map(({ schema }) => schema), tables.map(({ name }) => name), rowColumn],
    );
  }

  /** @returns the tables that these jobs watched before */
  async remove(tx: Tx, tenantId: TenantId, jobIds: readonly string[]): Promise<TableName[]> {
    return await rows<TableName>(
      tx,
      `DELETE FROM data_triggers WHERE tenant_id = $1 AND job_id = ANY ($2)
       RETURNING table_schema AS schema, table_name AS name`,
      [tenantId, jobIds],
    );
  }

  async insert(tx: Tx, tenantId: TenantId, watches: readonly Watch[]): Promise<void> {
    if (watches.length === 0) return;
    await rows(
      tx,
      `INSERT INTO data_triggers (table_schema, table_name, event, tenant_id, job_id, columns)
       SELECT schema, name, event, $1, "jobId", columns
       FROM jsonb_to_recordset($2) AS watch (schema text, name text, event text, "jobId" text, columns text[])`,
      [tenantId, JSON.stringify(watches)],
    );
  }

  /**
   * Keeps others from comparing or changing the database triggers until the transaction ends. Otherwise a
   * registration that removes the last trigger on a table and one that adds the next would not see each other.
   */
  async lock(tx: Tx): Promise<void> {
    await rows(tx, 'SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))', [
      ADVISORY_LOCKS.databaseTriggers,
    ]);
  }

  /**
   * Finds what has to change so that the database has exactly the triggers that the jobs need.
   *
   * Tables are identified by name: a table that was recreated, or that took another table's name, needs new triggers.
   * A trigger's name identifies the table it was made for, and its function shows whether it works row by row.
   *
   * @param tables only these; null for all
   */
  async findDifferences(
    handle: Tx | Reader,
    tables: readonly TableName[] | null,
  ): Promise<TriggerDifference[]> {
    return await rows<TriggerDifference>(
      handle,
      `SELECT change, "triggerName", relation, schema, name, event, "isByRow" FROM (WITH wanted AS (
         SELECT DISTINCT ${triggerName('watch.table_schema', 'watch.table_name', 'watch.event')} AS trigger_name,
                class.oid, class.relkind = 'p' OR class.relispartition AS by_row,
                watch.table_schema, watch.table_name, watch.event
         FROM data_triggers watch
         JOIN pg_namespace space ON space.nspname = watch.table_schema
         JOIN pg_class class ON class.relnamespace = space.oid AND class.relname = watch.table_name
              AND class.relkind IN ('r', 'p')
       ), present AS (
         SELECT tgname::text AS trigger_name, tgrelid AS oid, tgfoid = to_regproc('capture_data_event') AS by_row
         FROM pg_trigger
         WHERE tgfoid IN (to_regproc('capture_data_events'), to_regproc('capture_data_event')) AND tgparentid = 0
       ), asked AS (
         SELECT ${triggerName('schema', 'name', 'event')} AS trigger_name
         FROM unnest($1::text[], $2::text[]) AS named (schema, name)
         CROSS JOIN (VALUES ('insert'), ('update'), ('delete')) AS events (event)
       )
       SELECT CASE WHEN wanted.oid IS NULL THEN 'drop' ELSE 'create' END AS change,
              trigger_name AS "triggerName", oid, oid::regclass::text AS relation,
              wanted.table_schema AS schema,
              wanted.table_name AS name, wanted.event, by_row AS "isByRow"
       FROM wanted FULL JOIN present USING (trigger_name, oid, by_row)
       WHERE (wanted.oid IS NULL OR present.oid IS NULL)
         AND ($1::text[] IS NULL OR trigger_name IN (SELECT trigger_name FROM asked))
       ) AS difference
       ORDER BY change DESC, oid, "triggerName"`,
      [tables?.map(({ schema }) => schema) ?? null, tables?.map(({ name }) => name) ?? null],
    );
  }

  /**
   * Gives the capture functions to a role without other rights, if it does not own them yet and the account may
   * create that role.
   * @returns null when the functions are confined, otherwise the reason why not
   */
  async confineCapture(tx: Tx): Promise<string | null> {
    const found = await firstRow<{ reason: string | null }>(
      tx,
      'SELECT confine_data_capture() AS reason',
      [],
    );
    return found?.reason ?? null;
  }

  /** Whether a role without other rights owns the capture functions. */
  async isCaptureConfined(handle: Tx | Reader): Promise<boolean> {
    const found = await firstRow<{ confined: boolean }>(
      handle,
      'SELECT data_capture_is_confined() AS confined',
      [],
    );
    return found?.confined === true;
  }

  /** Every watched table by name, with the columns that jobs name, whether or not it can be watched. */
  async findWatched(handle: Tx | Reader): Promise<(TableName & { columns: string[] })[]> {
    return await rows(
      handle,
      `SELECT watch.table_schema AS schema, watch.table_name AS name,
              coalesce(array_agg(DISTINCT named) FILTER (WHERE named IS NOT NULL), '{}') AS columns
       FROM data_triggers watch LEFT JOIN LATERAL unnest(watch.columns) AS named ON true
       GROUP BY 1, 2 ORDER BY 1, 2`,
    );
  }
}

/**
 * The trigger's name: one for each watched table and event, even if a partition and its table are both watched, or another
 * deployment, with a schema of its own, watches the table too.
 */
function triggerName(schema: string, name: string, event: string): string {
  return `'service_data_' || ${event} || '_' || left(md5(current_schema() || '.' || ${schema} || '.' || ${name}), 12)`;
}
