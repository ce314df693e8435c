import { IN_FUNCTION, IN_TEXT, insertEvents } from './outbox.js';
import { DECLARATION, PLAIN_BYTES, WHOLE_BYTES, columnByColumn, measure, preamble } from './values.js';

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

/**
 * For whole statements: what most tables have. Statements that replication applies, and those of a session that plays its
 * part, do not fire such triggers; a trigger for each row captures these changes, and not both must.
 */
export function captureOfStatements(schema: string): string {
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
    CREATE FUNCTION capture_data_events() ${DECLARATION} AS $capture$
    DECLARE captured_event text; is_plain boolean; is_large boolean := false; whole text; small text; large text;
    BEGIN
      IF current_setting('session_replication_role') = 'replica' THEN RETURN NULL; END IF;
      captured_event := lower(TG_OP);
      ${preamble(schema)}
      ${KINDS.map(branch).join('')}
      RETURN NULL;
    END $capture$`;
}
