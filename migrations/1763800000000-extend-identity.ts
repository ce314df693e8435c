import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time tokens of mail links, the mail outbox, and the life of signing keys beyond the first one. */
export class ExtendIdentity1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The token itself is never stored. `email` binds it to the address that it was sent to: a token for an
    // address that the account no longer has is void.
    await runner.query(`
      CREATE TABLE one_time_tokens (
        token_hash bytea       PRIMARY KEY,
        purpose    text        NOT NULL CHECK (purpose IN ('verify', 'recover', 'magic_link', 'invite')),
        user_id    uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        email      text        NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at    timestamptz
      )`);
    await runner.query(`CREATE INDEX one_time_tokens_user ON one_time_tokens (user_id, purpose)`);
    await runner.query(`CREATE INDEX one_time_tokens_age ON one_time_tokens (expires_at)`);
    await runner.query(`CREATE INDEX refresh_tokens_age ON refresh_tokens (expires_at)`);
    await runner.query(`CREATE INDEX sessions_age ON sessions (last_refreshed_at)`);
    // The message holds a link that signs in or sets a password, so it lies sealed, and goes once it is sent.
    await runner.query(`
      CREATE TABLE outgoing_mails (
        id              uuid        PRIMARY KEY,
        sealed_message  bytea       NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now(),
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        attempts        integer     NOT NULL DEFAULT 0,
        last_error      text
      )`);
    await runner.query(`CREATE INDEX outgoing_mails_due ON outgoing_mails (next_attempt_at)`);
    // When a mail that anyone can ask for was last asked for, by the hash of its purpose and address: of
    // known and unknown addresses alike.
    await runner.query(`
      CREATE TABLE mail_turns (
        address_hash bytea       PRIMARY KEY,
        taken_at     timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      ALTER TABLE signing_keys
        ADD COLUMN signs_at    timestamptz,
        ADD COLUMN active_at   timestamptz,
        ADD COLUMN retiring_at timestamptz,
        ADD COLUMN retires_at  timestamptz,
        ADD COLUMN retired_at  timestamptz,
        ALTER COLUMN sealed_private_key DROP NOT NULL`);
    await runner.query(
      `UPDATE signing_keys SET signs_at = created_at, active_at = created_at WHERE state = 'active'`,
    );
    // What will not sign again leaves nothing to steal, in backups neither.
    await runner.query(`
      ALTER TABLE signing_keys
        ADD CONSTRAINT signing_keys_private_part CHECK ((sealed_private_key IS NOT NULL) = (state IN ('next', 'active'))),
        ADD CHECK (signs_at IS NOT NULL),
        ADD CHECK ((active_at IS NOT NULL) OR (state = 'next')),
        ADD CHECK ((retires_at IS NOT NULL) OR (state <> 'retiring')),
        ADD CHECK ((retired_at IS NOT NULL) = (state = 'retired'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // The earlier release knows no other state than these, and keeps the private part of both.
    await runner.query(`DELETE FROM signing_keys WHERE sealed_private_key IS NULL`);
    await runner.query(`
      ALTER TABLE signing_keys
        DROP CONSTRAINT signing_keys_private_part,
        DROP COLUMN signs_at, DROP COLUMN active_at, DROP COLUMN retiring_at, DROP COLUMN retires_at, DROP COLUMN retired_at,
        ALTER COLUMN sealed_private_key SET NOT NULL`);
    await runner.query(`DROP TABLE mail_turns`);
    await runner.query(`DROP TABLE outgoing_mails`);
    await runner.query(`DROP INDEX sessions_age`);
    await runner.query(`DROP INDEX refresh_tokens_age`);
    await runner.query(`DROP TABLE one_time_tokens`);
  }
}
