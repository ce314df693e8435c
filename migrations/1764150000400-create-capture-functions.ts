import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the capture of row changes calls. Everyone may: the functions read and write nothing but their arguments and settings
 * of the transaction.
 */
export class CreateCaptureFunctions1764150000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CAPTURE_JSON);
    await runner.query(CAPTURE_DEPARTURE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION data_capture_departure(text, text)');
    await runner.query('DROP FUNCTION data_capture_json(anyelement)');
  }
}

/**
 * A `json` value may contain what `jsonb` cannot: a NUL or half of a surrogate pair as an escape, or a number beyond its
 * range. Such a value becomes the string of its text, so that its writer does not fail.
 */
const CAPTURE_JSON = `
  CREATE FUNCTION data_capture_json(value anyelement) RETURNS jsonb LANGUAGE plpgsql AS $capture$
  BEGIN
    RETURN pg_catalog.to_jsonb(value);
  EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    RETURN pg_catalog.to_jsonb(value::pg_catalog.text);
  END $capture$`;

/**
 * What has happened to a row that an update has taken out of a partition: an update, or a deletion if it has arrived
 * nowhere. When the triggers of a statement fire, all rows are in their places, and the conditions of the triggers have left
 * word (src/jobs/data-events/capture-triggers.ts): a row has not arrived if another one has begun since, or if the statement
 * ended before.
 */
const CAPTURE_DEPARTURE = `
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
