import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first number that PostgreSQL gives to what is not its own; FirstNormalObjectId in its sources. */
const FIRST_NORMAL_OID = 16_384;
/** Stored rows up to this size become JSON without further thought: even decompressed they are far from any limit. */
const PLAIN_BYTES = 65_536;
/** A row that is longer than this as JSON is delivered without its large values. */
const WHOLE_BYTES = 1_048_576;
/** `json` and `json[]`: their values are text that need not be valid as `jsonb`. */
const JSON_TYPES = '114, 199';
/** What is a large value of such a row, as PostgreSQL stores it. */
const LARGE_VALUE_BYTES = 1_024;

/**
 * The capture of row changes runs no code of those who own the watched tables.
 *
 * `to_jsonb()` renders a value of a type that somebody made by that type's cast to json, which its owner may define as
 * any function, and the capture functions run with the rights of their owner. They now render such values by output
 * functions, which only a superuser can define, and belong to a role without rights where there can be one.
 *
 * The functions keep their names and their arguments, so the triggers on watched tables stay, and the release before
 * this one can go on making them. What they were is kept as their comment, for the way back.
 */
export class RenderCapturedValues1764150000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [found] = (await runner.query(`SELECT quote_ident(current_schema()) AS name`)) as [
      { name: string },
    ];
    await runner.query(KEEP_DEFINITIONS);
    await runner.query(captureOfStatements(found.name));
    await runner.query(captureOfRows(found.name));
    await runner.query('SELECT confine_data_capture()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(TAKE_BACK);
    await runner.query(RESTORE_DEFINITIONS);
  }
}

/** In PL/pgSQL: the same for both functions, as `capture`. */
function ofBoth(work: string): string {
  return `
    DO $$
    DECLARE capture regprocedure;
    BEGIN
      FOREACH capture IN ARRAY '{capture_data_events(),capture_data_event()}'::regprocedure[] LOOP ${work} END LOOP;
    END $$`;
}

const KEEP_DEFINITIONS = ofBoth(
  `EXECUTE format('COMMENT ON FUNCTION %s IS %L', capture, pg_get_functiondef(capture));`,
);
const RESTORE_DEFINITIONS = ofBoth(`
  EXECUTE obj_description(capture, 'pg_proc');
  EXECUTE format('COMMENT ON FUNCTION %s IS NULL', capture);`);

/** The role itself stays: it is the whole server's, and may serve other databases of the account. */
const TAKE_BACK = `
  DO $$
  DECLARE
    account name := current_user;
    capture name := (SELECT rolname FROM pg_proc JOIN pg_roles ON pg_roles.oid = proowner
                     WHERE pg_proc.oid = 'capture_data_events()'::regprocedure);
  BEGIN
    IF capture = account THEN RETURN; END IF;
    EXECUTE format('ALTER FUNCTION capture_data_events() OWNER TO %I', account);
    EXECUTE format('ALTER FUNCTION capture_data_event() OWNER TO %I', account);
    EXECUTE format('REVOKE ALL ON data_events, data_triggers FROM %I', capture);
    EXECUTE format('REVOKE SELECT (tenant_id, id, paused) ON jobs FROM %I', capture);
    EXECUTE format('REVOKE USAGE ON SCHEMA %I FROM %I', current_schema(), capture);
  END $$`;

/** How the functions name what their trigger was made with. */
interface Names {
  readonly schema: string;
  readonly table: string;
  readonly tenantColumn: string;
  readonly event: string;
}

const IN_FUNCTION: Names = {
  schema: 'TG_ARGV[0]',
  table: 'TG_ARGV[1]',
  tenantColumn: 'TG_ARGV[2]',
  event: 'captured_event',
};
/** In a statement that is put together when it runs. */
const IN_TEXT: Names = { schema: '$1', table: '$2', tenantColumn: '$3', event: '$4' };

/**
 * What the functions are declared with: what a value looks like, and what their text means, must not depend on who writes
 * it. The currency of `money` is that of the database.
 */
const DECLARATION = `
  RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO' SET lc_monetary FROM CURRENT
  SET timezone = 'UTC' SET intervalstyle = 'postgres' SET bytea_output = 'hex' SET extra_float_digits = 1
  SET standard_conforming_strings = on SET quote_all_identifiers = off`;

/**
 * The way out of loops, and out of all work where no job waits for this event. What a trigger was made with must name
 * the table that it is on, or one that this is a partition of or inherits from: nobody else's changes pass for that
 * table's. And where the function still has the rights of the program's account, it looks at no table that others have
 * a hand in.
 *
 * Sets `is_plain`: whether all columns are of types of PostgreSQL itself, which nobody has defined a cast of and of which
 * each value is one of `jsonb` too, and have their values in the row: no trigger sees those of virtual generated columns.
 */
function preamble(schema: string): string {
  return `
    IF current_setting('service.skip_data_events', true) = 'on' THEN RETURN NULL; END IF;
    PERFORM FROM ${schema}.data_triggers AS watch
    WHERE watch.table_schema = TG_ARGV[0] AND watch.table_name = TG_ARGV[1] AND watch.event = ${IN_FUNCTION.event};
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF TG_TABLE_SCHEMA <> TG_ARGV[0] OR TG_TABLE_NAME <> TG_ARGV[1] THEN
      PERFORM FROM pg_partition_ancestors(TG_RELID) AS ancestor (id)
      JOIN pg_class ON pg_class.oid = ancestor.id JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = TG_ARGV[0] AND relname = TG_ARGV[1];
      IF NOT FOUND THEN
        PERFORM FROM (
          WITH RECURSIVE ancestor (id) AS (
            SELECT inhparent FROM pg_inherits WHERE inhrelid = TG_RELID
            UNION SELECT inhparent FROM pg_inherits JOIN ancestor ON inhrelid = ancestor.id
          ) SELECT id FROM ancestor
        ) AS ancestor
        JOIN pg_class ON pg_class.oid = ancestor.id JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = TG_ARGV[0] AND relname = TG_ARGV[1];
        IF NOT FOUND THEN RETURN NULL; END IF;
      END IF;
    END IF;
    IF (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = '${schema}.data_events'::regclass) THEN
      IF ${schema}.data_capture_stranger(TG_RELID) IS NOT NULL THEN RETURN NULL; END IF;
    END IF;
    is_plain := NOT EXISTS (
      SELECT FROM pg_attribute
      WHERE attrelid = TG_RELID AND attnum > 0 AND NOT attisdropped
        AND (atttypid >= ${FIRST_NORMAL_OID} OR atttypid IN (${JSON_TYPES}) OR attgenerated = 'v')
    );`;
}

/** Puts changes (record, old_record, omitted) into the outbox, once for each job that wants them. */
function insertEvents(schema: string, changes: string, names: Names): string {
  const tenant = (record: string): string => `lower(change.${record} ->> ${names.tenantColumn})`;
  return `
    INSERT INTO ${schema}.data_events
      (tenant_id, job_id, table_name, event, record, old_record, omitted, bytes, occurred_at)
    SELECT watch.tenant_id, watch.job_id, watch.table_schema || '.' || watch.table_name, watch.event,
           change.record, seen.old_record, nullif(change.omitted, '{}'),
           coalesce(pg_column_size(change.record), 0) + coalesce(pg_column_size(seen.old_record), 0), now()
    FROM (${changes}) AS change
    JOIN ${schema}.data_triggers AS watch
      ON watch.table_schema = ${names.schema} AND watch.table_name = ${names.table} AND watch.event = ${names.event}
     AND watch.tenant_id::text = coalesce(${tenant('record')}, ${tenant('old_record')})
    JOIN ${schema}.jobs AS job ON job.tenant_id = watch.tenant_id AND job.id = watch.job_id AND NOT job.paused
    -- A row that came from another tenant does not bring along what it was there.
    CROSS JOIN LATERAL (
      SELECT CASE WHEN ${tenant('old_record')} = watch.tenant_id::text THEN change.old_record END AS old_record
    ) AS seen
    WHERE watch.event <> 'update' OR watch.columns IS NULL OR EXISTS (
      SELECT FROM unnest(watch.columns) AS name
      -- A column that is gone narrows nothing any more: better a run too many than changes that nobody hears of.
      WHERE NOT change.record ? name OR name = ANY (change.omitted)
         OR change.record ->> name IS DISTINCT FROM change.old_record ->> name
    )`;
}

type StatementKind = 'INSERT' | 'UPDATE' | 'DELETE';

const TRANSITION_TABLES: Readonly<Record<StatementKind, readonly string[]>> = {
  INSERT: ['new_rows'],
  UPDATE: ['new_rows', 'old_rows'],
  DELETE: ['old_rows'],
};
const KINDS = Object.keys(TRANSITION_TABLES) as StatementKind[];

/** SQL that makes JSON of a row under the alias `service_row`, always followed by a dot: a column may bear that name. */
interface Shape {
  readonly record: string;
  /** Names of the columns whose values are left out. */
  readonly omitted: string;
  /** Whether an update changed the row; of images before and after. */
  readonly differs: string;
  readonly image: string;
}

const IMAGES_DIFFER = 'n.image OPERATOR(pg_catalog.*<>) o.image';
/** Where all columns are plain: of such a row PostgreSQL makes JSON without a cast. */
const PLAIN: Shape = {
  record: 'to_jsonb(service_row.*)',
  omitted: `'{}'::text[]`,
  differs: IMAGES_DIFFER,
  image: 'ROW(service_row.*)',
};
/** %1$s, %2$s and %3$s: JSON of all values, JSON of the small ones, names of the large ones, column by column. */
const WHOLE: Shape = { ...PLAIN, record: '%1$s' };
const WITHOUT_LARGE: Shape = { record: '%2$s', omitted: '%3$s', differs: 'true', image: 'NULL::integer' };
/** As it is stored first, which may be compressed but costs nothing to know. */
const IS_SHORT = `pg_column_size(service_row.*) <= ${WHOLE_BYTES} AND pg_column_size(%1$s) <= ${WHOLE_BYTES}`;
const WHOLE_IF_SHORT: Shape = {
  record: `CASE WHEN ${IS_SHORT} THEN %1$s ELSE %2$s END`,
  omitted: `CASE WHEN ${IS_SHORT} THEN '{}'::text[] ELSE %3$s END`,
  differs: IMAGES_DIFFER,
  image: 'ROW(service_row.*)',
};

/** The changes of a statement of each kind. */
function changesOf({ record, omitted, differs, image }: Shape): Record<StatementKind, string> {
  const numbered = (rows: string): string => `(
    SELECT row_number() OVER () AS place, ${image} AS image, ${record} AS record, ${omitted} AS omitted
    FROM ${rows} AS service_row)`;
  return {
    INSERT: `SELECT ${record} AS record, NULL::jsonb AS old_record, ${omitted} AS omitted
             FROM new_rows AS service_row`,
    DELETE: `SELECT NULL::jsonb AS record, ${record} AS old_record, ${omitted} AS omitted
             FROM old_rows AS service_row`,
    // Nothing names a row before and after its update, so the n-th row before belongs to the n-th after: both
    // transition tables are filled row by row.
    UPDATE: `SELECT n.record, o.record AS old_record, n.omitted || o.omitted AS omitted
             FROM ${numbered('new_rows')} AS n JOIN ${numbered('old_rows')} AS o USING (place) WHERE ${differs}`,
  };
}

/** In SQL, of a column that a query of `pg_attribute` gives as `attname`, `plain` and `is_json`: its value as JSON. */
function valueIn(schema: string): string {
  return `format(
  CASE WHEN is_json THEN '${schema}.data_capture_json(%1$s)'
       WHEN plain THEN 'to_jsonb(%1$s)'
       -- Of a composite value IS NULL may be true though it is one. format() takes any type as it is and calls its
       -- output function; a cast to text may be the type's owner's.
       ELSE 'to_jsonb(CASE WHEN num_nulls(%1$s) = 0 THEN format(''%%s'', %1$s) END)' END,
  format('%s.%I', row_name, attname))`;
}

/**
 * Sets `whole`, `small` and `large`, SQL over each column of the table. A column is plain if its type, or what that is
 * a domain over, is of PostgreSQL itself.
 */
function columnByColumn(schema: string, rowName: string): string {
  const value = valueIn(schema);
  const field = `format('%s.%I', row_name, attname)`;
  const ofAll = (made: string): string => `
    '(SELECT jsonb_object_agg(c.name, c.value) FROM (VALUES '
      || string_agg(format('(%L, %s)', attname, ${made}), ', ') || ') AS c (name, value))'`;
  return `
    WITH RECURSIVE field AS (
      SELECT attname, atttypid AS type FROM pg_attribute
      WHERE attrelid = TG_RELID AND attnum > 0 AND NOT attisdropped AND attgenerated <> 'v'
      UNION ALL
      SELECT attname, typbasetype FROM field JOIN pg_type ON pg_type.oid = field.type WHERE typtype = 'd'
    ), described AS (
      SELECT attname, bool_or(type < ${FIRST_NORMAL_OID}) AS plain,
             bool_or(type IN (${JSON_TYPES})) AS is_json, ${rowName} AS row_name
      FROM field GROUP BY attname
    )
    SELECT ${ofAll(value)},
           ${ofAll(`format('CASE WHEN pg_column_size(%s) <= ${LARGE_VALUE_BYTES} THEN %s END', ${field}, ${value})`)},
           'array_remove(ARRAY[' || string_agg(format('CASE WHEN pg_column_size(%s) > ${LARGE_VALUE_BYTES} THEN %L END',
                                                      ${field}, attname), ', ') || ']::text[], NULL)'
    INTO whole, small, large
    FROM described;`;
}

/** Runs a statement that was put together from a shape that goes column by column. */
function execute(statement: string): string {
  return `EXECUTE format($text$${statement}$text$, whole, small, large)
          USING TG_ARGV[0], TG_ARGV[1], TG_ARGV[2], captured_event;`;
}

/**
 * Of a large row JSON is made whole if it is short enough, else without its large values. PostgreSQL has limits
 * of its own for JSON (256 MiB) and for rows in memory (1 GiB), which no writer shall run into on our account.
 */
function largeRows(whole: string, withoutLarge: string): string {
  return `
    BEGIN
      ${whole}
    EXCEPTION WHEN program_limit_exceeded OR out_of_memory THEN
      ${withoutLarge}
    END;`;
}

/** Even the look at how large rows are may run into the limit of rows in memory. */
function measure(look: string): string {
  return `
    BEGIN
      ${look};
    EXCEPTION WHEN program_limit_exceeded OR out_of_memory THEN
      is_large := true;
    END;`;
}

/**
 * For whole statements: what most tables have. Statements that replication applies, and those of a session that plays its
 * part, do not fire such triggers; a trigger for each row captures these changes, and not both must.
 */
function captureOfStatements(schema: string): string {
  const [plain, whole, wholeIfShort, withoutLarge] = [PLAIN, WHOLE, WHOLE_IF_SHORT, WITHOUT_LARGE].map(
    changesOf,
  );
  const hasLarge = (rows: string): string =>
    `EXISTS (SELECT FROM ${rows} AS service_row WHERE pg_column_size(service_row.*) > ${PLAIN_BYTES})`;
  const branch = (event: StatementKind): string => `
    IF TG_OP = '${event}' THEN
      ${measure(`is_large := ${TRANSITION_TABLES[event].map(hasLarge).join(' OR ')}`)}
      IF is_plain AND NOT is_large THEN
        ${insertEvents(schema, plain?.[event] ?? '', IN_FUNCTION)};
        RETURN NULL;
      END IF;
      ${columnByColumn(schema, `'service_row'`)}
      IF NOT is_large THEN
        ${execute(insertEvents(schema, whole?.[event] ?? '', IN_TEXT))}
        RETURN NULL;
      END IF;
      ${largeRows(
        execute(insertEvents(schema, wholeIfShort?.[event] ?? '', IN_TEXT)),
        execute(insertEvents(schema, withoutLarge?.[event] ?? '', IN_TEXT)),
      )}
    END IF;`;
  return `
    CREATE OR REPLACE FUNCTION capture_data_events() ${DECLARATION} AS $capture$
    DECLARE captured_event text; is_plain boolean; is_large boolean := false; whole text; small text; large text;
    BEGIN
      IF current_setting('session_replication_role') = 'replica' THEN RETURN NULL; END IF;
      captured_event := lower(TG_OP);
      ${preamble(schema)}
      ${KINDS.map(branch).join('')}
      RETURN NULL;
    END $capture$`;
}

/** Makes JSON of a row in the variable `into`, column by column: whole if it is short enough, else without its large values. */
function jsonOfRow(row: 'NEW' | 'OLD', into: string): string {
  return `
    is_whole := false;
    BEGIN
      IF pg_column_size(${row}) <= ${WHOLE_BYTES} THEN
        EXECUTE 'SELECT ' || whole INTO ${into} USING ${row};
        is_whole := pg_column_size(${into}) <= ${WHOLE_BYTES};
      END IF;
    EXCEPTION WHEN program_limit_exceeded OR out_of_memory THEN
      is_whole := false;
    END;
    IF NOT is_whole THEN
      EXECUTE format('SELECT %s, $2 || %s', small, large) INTO ${into}, omitted USING ${row}, omitted;
    END IF;`;
}
/** In PL/pgSQL: the setting where the row waits that leaves a partition, until it has arrived in another. */
const DEPARTED = `format('service.departed_row_%s_%s', move_key, pg_trigger_depth())`;

/**
 * For rows one by one. The last argument of the trigger says what for:
 *
 * - `insert`, `update` and `delete`: partitions are written under their own names too, and made long after the trigger;
 *   tables that inherit are written under the names of others.
 * - `moved_from` and `moved_to`: PostgreSQL carries out an update that moves a row to another partition as a deletion there
 *   and an insertion here, one directly after the other. Both make one update; no other place knows the row before
 *   than a setting of the transaction. A row that was not let into the other partition is deleted.
 * - `replica`: what replication applies.
 */
function captureOfRows(schema: string): string {
  return `
    CREATE OR REPLACE FUNCTION capture_data_event() ${DECLARATION} AS $capture$
    DECLARE
      captured_event text; is_plain boolean; is_large boolean := false; whole text; small text; large text;
      is_whole boolean; new_record jsonb; old_record jsonb; omitted text[] := '{}'; departed text;
      move_key text := right(TG_NAME, 12);
    BEGIN
      IF TG_ARGV[3] = 'replica' AND current_setting('session_replication_role') <> 'replica' THEN
        RETURN NULL;
      END IF;
      captured_event := CASE TG_ARGV[3] WHEN 'moved_to' THEN 'update' ELSE lower(TG_OP) END;
      IF TG_ARGV[3] = 'moved_from' THEN
        captured_event := ${schema}.data_capture_departure(OLD.tableoid::text || OLD.ctid::text, move_key);
      END IF;
      ${preamble(schema)}
      IF TG_OP = 'UPDATE' AND NOT NEW OPERATOR(pg_catalog.*<>) OLD THEN RETURN NULL; END IF;
      ${measure(`is_large := greatest(pg_column_size(NEW), pg_column_size(OLD)) > ${PLAIN_BYTES}`)}
      IF is_plain AND NOT is_large THEN
        new_record := to_jsonb(NEW);
        old_record := to_jsonb(OLD);
      ELSE
        ${columnByColumn(schema, `'($1)'`)}
        IF TG_OP <> 'DELETE' THEN ${jsonOfRow('NEW', 'new_record')} END IF;
        IF TG_OP <> 'INSERT' THEN ${jsonOfRow('OLD', 'old_record')} END IF;
      END IF;
      IF TG_ARGV[3] = 'moved_from' AND captured_event = 'update' THEN
        PERFORM set_config(${DEPARTED}, jsonb_build_array(old_record, to_jsonb(omitted))::text, true);
        RETURN NULL;
      ELSIF TG_ARGV[3] = 'moved_to' THEN
        departed := nullif(current_setting(${DEPARTED}, true), '');
        IF departed IS NULL THEN RETURN NULL; END IF;
        PERFORM set_config(${DEPARTED}, '', true);
        old_record := departed::jsonb -> 0;
        omitted := omitted || ARRAY(SELECT jsonb_array_elements_text(departed::jsonb -> 1));
      END IF;
      ${insertEvents(schema, 'SELECT new_record AS record, old_record, omitted', IN_FUNCTION)};
      RETURN NULL;
    END $capture$`;
}
