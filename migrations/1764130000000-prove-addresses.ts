import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the proof of an address needs to know.
 *
 * - `users.sessions_ended_at`: since then access tokens count only while their session lives. Set where sessions end
 *   together with their access tokens; null, as for every account that there is, where tokens outlive their sessions.
 * - `invitations.mail_only`: the token was shown in no answer, so that who has it read the mailbox. The previous release
 *   shows links without a word, so that what it writes is false; of its rows `emailed` says the same once it is true.
 */
export class ProveAddresses1764130000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN sessions_ended_at timestamptz');
    await runner.query('ALTER TABLE invitations ADD COLUMN mail_only boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invitations DROP COLUMN mail_only');
    await runner.query('ALTER TABLE users DROP COLUMN sessions_ended_at');
  }
}
