import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The mails that were sent or given up, without their messages. They go with the account that they were for. Mails that
 * wait get what the list shows of them; it is null in mails of the previous release. `failed_attempt` is the latest
 * attempt that ended: an instance is sending a mail with more attempts than that.
 */
export class CreateMailHistory1764280000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outgoing_mails
        ADD COLUMN kind text,
        ADD COLUMN recipient text,
        ADD COLUMN failed_attempt integer NOT NULL DEFAULT 0,
        ADD COLUMN last_answer text`);
    await runner.query(
      'CREATE INDEX outgoing_mails_recipient ON outgoing_mails (recipient text_pattern_ops)',
    );
    await runner.query(`
      CREATE TABLE mail_history (
        id          uuid        PRIMARY KEY,
        realm_id    uuid        NOT NULL,
        user_id     uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
        kind        text        NOT NULL,
        recipient   text        NOT NULL,
        state       text        NOT NULL CHECK (state IN ('sent', 'failed')),
        attempts    integer     NOT NULL,
        reason      text,
        answer      text,
        created_at  timestamptz NOT NULL,
        finished_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX mail_history_realm ON mail_history (realm_id, id)');
    await runner.query(
      'CREATE INDEX mail_history_recipient ON mail_history (recipient text_pattern_ops, id)',
    );
    await runner.query('CREATE INDEX mail_history_user ON mail_history (user_id)');
    await runner.query(`CREATE INDEX mail_history_failed ON mail_history (id) WHERE state = 'failed'`);
    await runner.query('CREATE INDEX mail_history_age ON mail_history (finished_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_history');
    await runner.query(`
      ALTER TABLE outgoing_mails
        DROP COLUMN last_answer,
        DROP COLUMN failed_attempt,
        DROP COLUMN recipient,
        DROP COLUMN kind`);
  }
}
