import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many of a worker's slots one tenant may hold; null for workers of the previous release, which know no share. */
export class ShareWorkers1764170000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workers ADD COLUMN tenant_slots integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workers DROP COLUMN tenant_slots');
  }
}
