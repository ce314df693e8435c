import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In SQL: JSON as strings and what is between them, and a string as pairs of surrogates, other escapes, and the rest. */
const PARTS = String.raw`'"(?:[^"\\]|\\.)*"|[^"]+'`;
const PARTS_OF_STRING = String.raw`'\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|[^\\]+'`;
/** In SQL: such a part that no text of PostgreSQL can hold: a NUL, or one half of a surrogate pair. */
const UNSTORABLE = String.raw`'^\\u(?:0000|[dD][89a-fA-F]..)$'`;
/** In SQL: a number that no `numeric` can hold. */
const LARGE_NUMBER = String.raw`'-?[0-9][0-9.]*[eE][+-]?[0-9]{5,}'`;
/** In SQL: a character that is none (U+FFFF), which stands for both. */
const NOTHING = String.raw`\uffff`;

/**
 * What runs are searched by: the code of their error, and the `Idempotency-Key` of their trigger.
 *
 * `json_contains` is `@>` for payloads, which are kept as text: some of them no `jsonb` can hold, such as a NUL in a
 * string. Of these, the values that it cannot hold are in place of another one that nobody looks for.
 */
export class IndexRunSearch1764250000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX runs_by_error ON runs (tenant_id, error_code, id DESC) WHERE error_code IS NOT NULL',
    );
    await runner.query('CREATE INDEX run_requests_by_key ON run_requests (tenant_id, key)');
    await runner.query(`
      CREATE FUNCTION json_contains(document json, part text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
      BEGIN
        BEGIN
          RETURN document::jsonb @> part::jsonb;
        EXCEPTION WHEN data_exception THEN
          RETURN (
            SELECT string_agg(CASE WHEN part_of[1] LIKE '"%' THEN (
                SELECT string_agg(CASE WHEN piece[1] ~ ${UNSTORABLE} THEN '${NOTHING}' ELSE piece[1] END, '' ORDER BY at)
                FROM regexp_matches(part_of[1], ${PARTS_OF_STRING}, 'g') WITH ORDINALITY AS pieces (piece, at)
              ) ELSE regexp_replace(part_of[1], ${LARGE_NUMBER}, '"\\${NOTHING}"', 'g') END, '' ORDER BY place)
            FROM regexp_matches(document::text, ${PARTS}, 'g') WITH ORDINALITY AS parts (part_of, place)
          )::jsonb @> part::jsonb;
        END;
      EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
        RETURN false;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION json_contains(json, text)');
    await runner.query('DROP INDEX run_requests_by_key, runs_by_error');
  }
}
