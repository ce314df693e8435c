import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds users without reading all of them:
 * - `users_listing`: those of a realm, in the order of lists;
 * - `users_email_start`: by how their address begins;
 * - `users_search`: by how words of their address and of `metadata.name` begin. The realm is a word as well, so that the
 *   index finds the users of one project. Words are cut to what an index entry can have. The function is costly for the
 *   planner, which would otherwise rather compute it for every user than use the index.
 *
 * And `api_keys_creator`: the API keys that a user created.
 */
export class IndexUsers1764270000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX users_listing ON users (realm_id, id)');
    await runner.query('CREATE INDEX users_email_start ON users (realm_id, email text_pattern_ops)');
    await runner.query(String.raw`
      CREATE FUNCTION user_search_words(realm_id uuid, email text, metadata text) RETURNS tsvector
      LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
      BEGIN
        RETURN pg_catalog.array_to_tsvector(
          pg_catalog.array_append(
            pg_catalog.array_remove(
              pg_catalog.regexp_split_to_array(
                pg_catalog.lower(email || ' ' || pg_catalog.left(coalesce(metadata::json ->> 'name', ''), 200)),
                '[\s@._+,;:<>()"/-]+'
              ),
              ''
            ),
            'realm:' || realm_id::text
          )
        );
      END
      $$`);
    await runner.query(
      'CREATE INDEX users_search ON users USING gin (user_search_words(realm_id, email, metadata))',
    );
    await runner.query('CREATE INDEX api_keys_creator ON api_keys (created_by, created_at DESC, id DESC)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX api_keys_creator');
    await runner.query('DROP INDEX users_search');
    await runner.query('DROP FUNCTION user_search_words(uuid, text, text)');
    await runner.query('DROP INDEX users_email_start');
    await runner.query('DROP INDEX users_listing');
  }
}
