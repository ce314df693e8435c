import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts that operate the deployment. In the organization profile they are accounts like all others; in the project
 * profile they have a realm of their own.
 */
export class CreateOperators1764260000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE operators (
        user_id   uuid        PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        read_only boolean     NOT NULL,
        added_at  timestamptz NOT NULL DEFAULT now()
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operators');
  }
}
