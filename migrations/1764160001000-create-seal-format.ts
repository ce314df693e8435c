import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which format sealed values have: one row, sealed itself, that the program and `rekey` write. */
export class CreateSealFormat1764160001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE seal_format (
        id           smallint PRIMARY KEY CHECK (id = 1),
        sealed_phase bytea    NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE seal_format');
  }
}
