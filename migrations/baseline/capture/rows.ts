import { IN_FUNCTION, insertEvents } from './outbox.js';
import { DECLARATION, PLAIN_BYTES, WHOLE_BYTES, columnByColumn, measure, preamble } from './values.js';

/**
 * What has happened to a row that an update has taken out of a partition: an update, or a deletion if it has arrived
 * nowhere. When the triggers of a statement fire, all rows are in their places, and the conditions of the triggers have left
 * word (src/jobs/data-events/capture-triggers.ts): a row has not arrived if another one has begun since, or if the statement
 * ended before.
 */
export const CAPTURE_DEPARTURE = `
  CREATE FUNCTION data_capture_departure(moved_row text, key text) RETURNS text LANGUAGE plpgsql AS $capture$
  DECLARE
    move text;
    event text := 'update';
  BEGIN
    IF position(' ' || moved_row IN coalesce(current_setting('service.lost_' || key, true), '')) > 0 THEN
      event := 'delete';
    END IF;
    -- Triggers of a statement fire one deeper than it executes, those of a foreign key's cascade at the same depth.
    FOR depth IN pg_trigger_depth() - 1 .. pg_trigger_depth() LOOP
      move := format('service.move_%s_%s', key, depth);
      IF current_setting(move, true) IN ('left ' || moved_row, 'arriving ' || moved_row) THEN
        event := 'delete';
        -- The next statement may insert a row.
        PERFORM set_config(move, '', true);
      END IF;
    END LOOP;
    RETURN event;
  END $capture$`;

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
export function captureOfRows(schema: string): string {
  return `
    CREATE FUNCTION capture_data_event() ${DECLARATION} AS $capture$
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
