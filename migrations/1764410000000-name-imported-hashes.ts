import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - `users.imported_hash`: the kind of hash that an import brought, with its parameters, until the first sign-in or a new
 *   password replaces it. Sign-ins of unknown addresses cost what the hashes of a realm cost by these shares. The previous
 *   release does not clear it, which makes a share too large and nothing else.
 * - `users_imported_hash`: counts them without reading all users.
 */
export class NameImportedHashes1764410000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN imported_hash text');
    await runner.query(
      'CREATE INDEX users_imported_hash ON users (realm_id, imported_hash) WHERE imported_hash IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX users_imported_hash');
    await runner.query('ALTER TABLE users DROP COLUMN imported_hash');
  }
}
