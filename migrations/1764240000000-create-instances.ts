import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The processes of the deployment, whatever their roles. Each updates its row every ten seconds and deletes it when it
 * stops. A worker's `id` is that of its row in `workers`.
 */
export class CreateInstances1764240000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE instances (
        id         uuid        PRIMARY KEY,
        roles      text[]      NOT NULL,
        version    text        NOT NULL,
        started_at timestamptz NOT NULL DEFAULT now(),
        seen_at    timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE instances');
  }
}
