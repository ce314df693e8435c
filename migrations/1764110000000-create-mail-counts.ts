import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many mails a recipient got, and an inviter sent, in the window of a day that began with the first. By the hash of
 * who it is: of known and unknown addresses alike. An earlier release sends without counting here.
 */
export class CreateMailCounts1764110000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_counts (
        subject_hash bytea       PRIMARY KEY,
        mails        integer     NOT NULL,
        since        timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX mail_counts_age ON mail_counts (since)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE mail_counts`);
  }
}
