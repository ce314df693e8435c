import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Through whose mail server a mail leaves; null for mails of the previous release, which are counted for nobody. */
export class NameMailRealms1764180000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outgoing_mails ADD COLUMN realm_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outgoing_mails DROP COLUMN realm_id');
  }
}
