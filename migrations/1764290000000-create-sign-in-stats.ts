import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many sign-ins succeeded and were refused in the whole deployment, by five minutes. */
export class CreateSignInStats1764290000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sign_in_stats (
        at          timestamptz PRIMARY KEY,
        signed_up   bigint      NOT NULL,
        signed_in   bigint      NOT NULL,
        refused     bigint      NOT NULL,
        unanswered  bigint      NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_stats');
  }
}
