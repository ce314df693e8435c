import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What runs are searched by: the code of their error, and the `Idempotency-Key` of their trigger.
 *
 * `json_contains` is `@>` for payloads, which are kept as text: some of them no `jsonb` can hold, such as a NUL in a
 * string. These contain nothing.
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
        RETURN document::jsonb @> part::jsonb;
      EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
        RETURN false;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION json_contains(json, text)');
    await runner.query('DROP INDEX run_requests_by_key, runs_by_error');
  }
}
