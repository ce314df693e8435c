import { IN_FUNCTION } from './outbox.js';

/** The first number that PostgreSQL gives to what is not its own; FirstNormalObjectId in its sources. */
export const FIRST_NORMAL_OID = 16_384;
/** Stored rows up to this size become JSON without further thought: even decompressed they are far from any limit. */
export const PLAIN_BYTES = 65_536;
/** A row that is longer than this as JSON is delivered without its large values. */
export const WHOLE_BYTES = 1_048_576;
/** `json` and `json[]`: their values are text that need not be valid as `jsonb`. */
const JSON_TYPES = '114, 199';
/** What is a large value of such a row, as PostgreSQL stores it. */
const LARGE_VALUE_BYTES = 1_024;

/**
 * What the functions are declared with: what a value looks like, and what their text means, must not depend on who writes
 * it. The currency of `money` is that of the database.
 */
export const DECLARATION = `
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
export function preamble(schema: string): string {
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

/**
 * A `json` value may contain what `jsonb` cannot: a NUL or half of a surrogate pair as an escape, or a number beyond its
 * range. Such a value becomes the string of its text, so that its writer does not fail.
 */
export const CAPTURE_JSON = `
  CREATE FUNCTION data_capture_json(value anyelement) RETURNS jsonb LANGUAGE plpgsql AS $capture$
  BEGIN
    RETURN pg_catalog.to_jsonb(value);
  EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    RETURN pg_catalog.to_jsonb(value::pg_catalog.text);
  END $capture$`;

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
export function columnByColumn(schema: string, rowName: string): string {
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

/** Even the look at how large rows are may run into the limit of rows in memory. */
export function measure(look: string): string {
  return `
    BEGIN
      ${look};
    EXCEPTION WHEN program_limit_exceeded OR out_of_memory THEN
      is_large := true;
    END;`;
}
