import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stored rows up to this size become JSON without further thought: even decompressed they are far from any limit. */
const PLAIN_BYTES = 65_536;
/** A row that is longer than this as JSON is delivered without its large values. */
const WHOLE_BYTES = 1_048_576;
/** What is a large value of such a row, as PostgreSQL stores it. */
const LARGE_VALUE_BYTES = 1_024;

/**
 * Row changes that set jobs going.
 *
 * - `data_triggers` says which job of which tenant watches which table for which event; `columns`, of an update,
 *   are those whose change counts (null: any).
 * - `data_events` is the outbox: one row for each change and each job that it sets going, written in the
 *   transaction of the change, deleted in the transaction that accepts the run. It refers to no job: a key would
 *   make writers of watched tables lock jobs.
 * - The capture functions run with the rights of their owner, so that a writer needs none on these tables, and
 *   nobody else may make triggers of them. They name every table with its schema.
 */
export class CreateDataEvents1763950000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE data_triggers (
        table_schema text NOT NULL,
        table_name   text NOT NULL,
        event        text NOT NULL CHECK (event IN ('insert', 'update', 'delete')),
        tenant_id    uuid NOT NULL,
        job_id       text NOT NULL,
        columns      text[],
        PRIMARY KEY (table_schema, table_name, event, tenant_id, job_id),
        FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX data_triggers_job ON data_triggers (tenant_id, job_id)`);
    await runner.query(`
      CREATE TABLE data_events (
        id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant_id   uuid        NOT NULL,
        job_id      text        NOT NULL,
        table_name  text        NOT NULL,
        event       text        NOT NULL,
        record      jsonb,
        old_record  jsonb,
        omitted     text[],
        bytes       integer     NOT NULL,
        occurred_at timestamptz NOT NULL,
        refusal     text
      )`);
    await runner.query(`CREATE INDEX data_events_waiting ON data_events (id) WHERE refusal IS NULL`);
    const [found] = (await runner.query(`SELECT quote_ident(current_schema()) AS name`)) as [
      { name: string },
    ];
    await runner.query(captureOfStatements(found.name));
    await runner.query(captureOfRows(found.name));
    for (const name of ['capture_data_events', 'capture_data_event']) {
      await runner.query(`REVOKE ALL ON FUNCTION ${name}() FROM PUBLIC`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    // With the triggers on watched tables.
    await runner.query('DROP FUNCTION capture_data_events() CASCADE');
    await runner.query('DROP FUNCTION capture_data_event() CASCADE');
    await runner.query('DROP TABLE data_events');
    await runner.query('DROP TABLE data_triggers');
  }
}

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
  event: 'lower(TG_OP)',
};
/** In a statement that is put together when it runs. */
const IN_TEXT: Names = { schema: '$1', table: '$2', tenantColumn: '$3', event: '$4' };

/** What the functions are declared with: what a value looks like as JSON must not depend on who writes it. */
const DECLARATION = `
  RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  SET timezone = 'UTC' SET intervalstyle = 'postgres' SET bytea_output = 'hex' SET extra_float_digits = 1`;

/** The way out of loops, and out of all work where no job waits for this event. */
function preamble(schema: string): string {
  return `
    IF current_setting('service.skip_data_events', true) = 'on' THEN RETURN NULL; END IF;
    PERFORM FROM ${schema}.data_triggers
    WHERE table_schema = TG_ARGV[0] AND table_name = TG_ARGV[1] AND event = lower(TG_OP);
    IF NOT FOUND THEN RETURN NULL; END IF;`;
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

/** SQL that makes JSON of a row under the alias `service_row`, which no column should bear. */
interface Shape {
  readonly record: string;
  /** Names of the columns whose values are left out. */
  readonly omitted: string;
  /** Whether an update changed the row; of images before and after. */
  readonly differs: string;
  readonly image: string;
}

const IMAGES_DIFFER = 'n.image OPERATOR(pg_catalog.*<>) o.image';
const PLAIN: Shape = {
  record: 'to_jsonb(service_row)',
  omitted: `'{}'::text[]`,
  differs: IMAGES_DIFFER,
  image: 'service_row',
};
/** %1$s and %2$s: JSON of the small values, names of the large ones, column by column. */
const WITHOUT_LARGE: Shape = { record: '%1$s', omitted: '%2$s', differs: 'true', image: 'NULL::integer' };
/** As it is stored first, which may be compressed but costs nothing to know. */
const IS_SHORT = `pg_column_size(service_row) <= ${WHOLE_BYTES} AND pg_column_size(to_jsonb(service_row)) <= ${WHOLE_BYTES}`;
const WHOLE_IF_SHORT: Shape = {
  record: `CASE WHEN ${IS_SHORT} THEN to_jsonb(service_row) ELSE %1$s END`,
  omitted: `CASE WHEN ${IS_SHORT} THEN '{}'::text[] ELSE %2$s END`,
  differs: IMAGES_DIFFER,
  image: 'service_row',
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

/** Sets `small` and `large` for the shapes of large rows: SQL over each column of the table. */
const COLUMN_BY_COLUMN = `
  SELECT '(SELECT jsonb_object_agg(c.name, c.value) FROM (VALUES '
           || string_agg(format('(%1$L, CASE WHEN pg_column_size(service_row.%1$I) <= ${LARGE_VALUE_BYTES} '
                                || 'THEN to_jsonb(service_row.%1$I) END)', attname), ', ')
           || ') AS c (name, value))',
         'array_remove(ARRAY['
           || string_agg(format('CASE WHEN pg_column_size(service_row.%1$I) > ${LARGE_VALUE_BYTES} THEN %1$L END',
                                attname), ', ')
           || ']::text[], NULL)'
  INTO small, large
  FROM pg_attribute WHERE attrelid = TG_RELID AND attnum > 0 AND NOT attisdropped;`;

/** Runs a statement that was put together from a shape of large rows. */
function execute(statement: string): string {
  return `EXECUTE format($text$${statement}$text$, small, large)
          USING TG_ARGV[0], TG_ARGV[1], TG_ARGV[2], lower(TG_OP);`;
}

/**
 * Of a large row JSON is made whole if it is short enough, else without its large values. PostgreSQL has limits
 * of its own for JSON (256 MiB) and for rows in memory (1 GiB), which no writer shall run into on our account.
 */
function largeRows(whole: string, withoutLarge: string): string {
  return `
    ${COLUMN_BY_COLUMN}
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

/** For whole statements: what most tables have. */
function captureOfStatements(schema: string): string {
  const [plain, whole, withoutLarge] = [PLAIN, WHOLE_IF_SHORT, WITHOUT_LARGE].map(changesOf);
  const hasLarge = (rows: string): string =>
    `EXISTS (SELECT FROM ${rows} AS service_row WHERE pg_column_size(service_row) > ${PLAIN_BYTES})`;
  const branch = (event: StatementKind): string => `
    IF TG_OP = '${event}' THEN
      ${measure(`is_large := ${TRANSITION_TABLES[event].map(hasLarge).join(' OR ')}`)}
      IF NOT is_large THEN
        ${insertEvents(schema, plain?.[event] ?? '', IN_FUNCTION)};
        RETURN NULL;
      END IF;
      ${largeRows(
        execute(insertEvents(schema, whole?.[event] ?? '', IN_TEXT)),
        execute(insertEvents(schema, withoutLarge?.[event] ?? '', IN_TEXT)),
      )}
    END IF;`;
  return `
    CREATE FUNCTION capture_data_events() ${DECLARATION} AS $capture$
    DECLARE is_large boolean := false; small text; large text;
    BEGIN
      ${preamble(schema)}
      ${KINDS.map(branch).join('')}
      RETURN NULL;
    END $capture$`;
}

/** Makes JSON of a large row in the variable `into`: whole if it is short enough, else column by column. */
function jsonOfLargeRow(row: 'NEW' | 'OLD', into: string): string {
  return `
    is_whole := false;
    BEGIN
      IF pg_column_size(${row}) <= ${WHOLE_BYTES} THEN
        ${into} := to_jsonb(${row});
        is_whole := pg_column_size(${into}) <= ${WHOLE_BYTES};
      END IF;
    EXCEPTION WHEN program_limit_exceeded OR out_of_memory THEN
      is_whole := false;
    END;
    IF NOT is_whole THEN
      ${into} := '{}';
      FOR field IN SELECT attname FROM pg_attribute WHERE attrelid = TG_RELID AND attnum > 0 AND NOT attisdropped LOOP
        EXECUTE format('SELECT pg_column_size(field), CASE WHEN pg_column_size(field) <= ${LARGE_VALUE_BYTES} '
                       || 'THEN to_jsonb(field) END FROM (SELECT ($1).%I AS field OFFSET 0) AS one', field)
        INTO size, value USING ${row};
        IF size > ${LARGE_VALUE_BYTES} THEN omitted := omitted || field; END IF;
        ${into} := ${into} || jsonb_build_object(field, value);
      END LOOP;
    END IF;`;
}

/**
 * For rows one by one: partitioned tables and partitions. A statement's trigger fires for the table that the
 * statement names, and partitions are written under their own names too, and made long after the trigger.
 */
function captureOfRows(schema: string): string {
  return `
    CREATE FUNCTION capture_data_event() ${DECLARATION} AS $capture$
    DECLARE
      is_large boolean := false; is_whole boolean; new_record jsonb; old_record jsonb; omitted text[] := '{}';
      field text; size integer; value jsonb;
    BEGIN
      ${preamble(schema)}
      IF TG_OP = 'UPDATE' AND NOT NEW OPERATOR(pg_catalog.*<>) OLD THEN RETURN NULL; END IF;
      ${measure(`is_large := greatest(pg_column_size(NEW), pg_column_size(OLD)) > ${PLAIN_BYTES}`)}
      IF NOT is_large THEN
        new_record := to_jsonb(NEW);
        old_record := to_jsonb(OLD);
      ELSE
        IF TG_OP <> 'DELETE' THEN ${jsonOfLargeRow('NEW', 'new_record')} END IF;
        IF TG_OP <> 'INSERT' THEN ${jsonOfLargeRow('OLD', 'old_record')} END IF;
      END IF;
      ${insertEvents(schema, 'SELECT new_record AS record, old_record, omitted', IN_FUNCTION)};
      RETURN NULL;
    END $capture$`;
}
