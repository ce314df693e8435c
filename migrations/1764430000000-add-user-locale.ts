import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `locale`: the language tag (BCP 47) that a user chose; null for none. */
export class AddUserLocale1764430000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN locale text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN locale');
  }
}
