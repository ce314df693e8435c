import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS, firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import { CAPTURE_TRIGGERS, nameOf } from './capture-triggers.js';
import type { CaptureScope } from './capture-triggers.js';
import type { TableFacts, TableName, Watch } from './watched-table.js';

/** A database trigger that is missing, or that exists but is not needed. */
export interface TriggerDifference {
  readonly change: 'create' | 'drop';
  /** In SQL notation. */
  readonly triggerName: string;
  /** In SQL notation. */
  readonly relation: string;
  /** The watched table, which is the relation, or which the relation inherits from. */
  readonly schema: string;
  readonly name: string;
  readonly key: string;
  readonly scope: CaptureScope;
  readonly purpose: string;
}

/** What of the triggers is compared with the catalog. */
const KINDS = JSON.stringify(
  Object.entries(CAPTURE_TRIGGERS).flatMap(([scope, triggers]) =>
    triggers.map(({ definition, ...trigger }) => ({
      ...trigger,
      scope,
      name: nameOf(trigger),
      hasCondition: definition.includes('WHEN'),
    })),
  ),
);

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
              coalesce(has.columns, '{}') AS columns, has.tenant_type AS "tenantColumnType",
              coalesce(has.virtual_columns, '{}') AS "virtualColumns",
              coalesce(class.relispartition, false) AS "isPartition",
              ARRAY(
                WITH RECURSIVE ancestor (oid, distance) AS (
                  SELECT inhparent, 1 FROM pg_inherits WHERE inhrelid = class.oid
                  UNION SELECT inhparent, distance + 1 FROM pg_inherits JOIN ancestor ON inhrelid = ancestor.oid
                ) SELECT nspname || '.' || relname FROM ancestor JOIN pg_class USING (oid)
                  JOIN pg_namespace ON pg_namespace.oid = relnamespace ORDER BY distance
              ) AS ancestors,
              (WITH RECURSIVE heir (oid) AS (
                 SELECT inhrelid FROM pg_inherits WHERE inhparent = class.oid AND class.relkind = 'r'
                 UNION SELECT inhrelid FROM pg_inherits JOIN heir ON inhparent = heir.oid
               ) SELECT min(oid::regclass::text) FROM heir JOIN pg_class USING (oid)
                 WHERE relkind <> 'r' OR NOT pg_has_role(relowner, 'USAGE')) AS "foreignHeir"
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (schema, name, place)
       LEFT JOIN pg_namespace space ON space.nspname = asked.schema
       LEFT JOIN pg_class class ON class.relnamespace = space.oid AND class.relname = asked.name
       LEFT JOIN LATERAL (
         SELECT array_agg(attname::text) AS columns,
                max(format_type(coalesce(nullif(type.typbasetype, 0), type.oid), NULL))
                  FILTER (WHERE attname = $3) AS tenant_type,
                array_agg(attname::text) FILTER (WHERE attgenerated = 'v') AS virtual_columns
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

  async insertWatches(tx: Tx, tenantId: TenantId, watches: readonly Watch[]): Promise<void> {
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
   * A trigger's name says what it is for and which watched table, of
   * which deployment: another one, with a schema of its own, may watch the table too. A trigger that somebody has disabled stays so.
   *
   * @param tables only these; null for all
   */
  async findDifferences(
    handle: Tx | Reader,
    tables: readonly TableName[] | null,
  ): Promise<TriggerDifference[]> {
    return await rows<TriggerDifference>(
      handle,
      `SELECT change, quote_ident(trigger_name) AS "triggerName", oid::regclass::text AS relation,
              table_schema AS schema, table_name AS name, key, scope, purpose
       FROM (WITH RECURSIVE watched AS (
         SELECT watch.table_schema, watch.table_name, array_agg(watch.event) AS events, class.oid,
                left(md5(current_schema() || '.' || watch.table_schema || '.' || watch.table_name), 12) AS key,
                CASE WHEN class.relispartition OR EXISTS (SELECT FROM pg_inherits WHERE inhrelid = class.oid) THEN 'rows'
                     WHEN class.relkind = 'p' THEN 'partitions' ELSE 'statements' END AS scope
         FROM data_triggers watch
         JOIN pg_namespace space ON space.nspname = watch.table_schema
         JOIN pg_class class ON class.relnamespace = space.oid AND class.relname = watch.table_name
              AND class.relkind IN ('r', 'p') AND pg_has_role(class.relowner, 'USAGE')
         GROUP BY watch.table_schema, watch.table_name, class.oid, class.relispartition, class.relkind
       ), captured (key, oid) AS (
         SELECT key, oid FROM watched
         -- PostgreSQL itself gives partitions the triggers of their table, not so what inherits.
         UNION SELECT key, heir.oid FROM captured JOIN pg_inherits ON inhparent = captured.oid
         JOIN pg_class heir ON heir.oid = inhrelid
              AND heir.relkind = 'r' AND NOT heir.relispartition AND pg_has_role(heir.relowner, 'USAGE')
       ), wanted AS (
         SELECT kind.name || '_' || key AS trigger_name, captured.oid, "isByRow" AS by_row, enabled, "hasCondition" AS has_condition,
                table_schema, table_name, key, scope, purpose
         FROM watched JOIN captured USING (key)
         JOIN jsonb_to_recordset($3) AS kind
           (scope text, purpose text, name text, event text, enabled "char", "isByRow" boolean, "hasCondition" boolean)
           USING (scope)
         WHERE kind.event IS NULL OR kind.event = ANY (watched.events)
       ), present AS (
         SELECT tgname::text AS trigger_name, tgrelid AS oid, tgfoid = to_regproc('capture_data_event') AS by_row,
                tgenabled AS enabled, tgqual IS NOT NULL AS has_condition
         FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid AND pg_has_role(relowner, 'USAGE')
         WHERE tgfoid IN (to_regproc('capture_data_events'), to_regproc('capture_data_event')) AND tgparentid = 0
       )
       SELECT 'drop' AS change, trigger_name, oid, right(trigger_name, 12) AS key,
              NULL AS table_schema, NULL AS table_name, NULL AS scope, NULL AS purpose
       FROM present WHERE NOT EXISTS (
         SELECT FROM wanted WHERE (wanted.trigger_name, wanted.oid, wanted.by_row, wanted.has_condition)
           = (present.trigger_name, present.oid, present.by_row, present.has_condition)
           AND present.enabled IN (wanted.enabled, 'D'))
       UNION ALL
       SELECT 'create', trigger_name, oid, key, table_schema, table_name, scope, purpose
       FROM wanted WHERE NOT EXISTS (
         SELECT FROM present WHERE (wanted.trigger_name, wanted.oid, wanted.by_row, wanted.has_condition)
           = (present.trigger_name, present.oid, present.by_row, present.has_condition)
           AND present.enabled IN (wanted.enabled, 'D'))
       ) AS difference
       WHERE $1::text[] IS NULL OR key IN (
         SELECT left(md5(current_schema() || '.' || schema || '.' || name), 12) FROM unnest($1::text[], $2::text[]) AS named (schema, name))
       ORDER BY change DESC, oid, trigger_name`,
      [tables?.map(({ schema }) => schema) ?? null, tables?.map(({ name }) => name) ?? null, KINDS],
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
