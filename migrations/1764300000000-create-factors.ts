import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Second factors, their recovery codes, and the sign-ins that wait for one.
 *
 * - `users.second_factor`: whether a factor is in force. The statement that opens a session reads it in the row that it
 *   locks, so that no sign-in goes past a factor that is confirmed at the same time.
 * - `sessions.auth_time`, `amr` and `aal`: when and how the user proved who they are. Null and empty for sessions that
 *   the previous release opens: they began when they were created, and met no second factor.
 * - `factors.last_step`: the last accepted time step of a TOTP (RFC 6238, section 5.2).
 */
export class CreateFactors1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN second_factor boolean NOT NULL DEFAULT false');
    await runner.query(`
      ALTER TABLE sessions
        ADD COLUMN auth_time timestamptz,
        ADD COLUMN amr       text[]   NOT NULL DEFAULT '{}',
        ADD COLUMN aal       smallint NOT NULL DEFAULT 1`);
    await runner.query(`
      CREATE TABLE factors (
        id            uuid        PRIMARY KEY,
        user_id       uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        type          text        NOT NULL CHECK (type IN ('totp')),
        name          text        NOT NULL,
        sealed_secret bytea       NOT NULL,
        last_step     bigint      NOT NULL DEFAULT 0,
        created_at    timestamptz NOT NULL DEFAULT now(),
        confirmed_at  timestamptz,
        last_used_at  timestamptz
      )`);
    await runner.query('CREATE INDEX factors_user ON factors (user_id)');
    await runner.query(`
      CREATE TABLE recovery_codes (
        user_id   uuid  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        code_hash bytea NOT NULL,
        PRIMARY KEY (user_id, code_hash)
      )`);
    await runner.query(`
      CREATE TABLE second_factor_challenges (
        token_hash    bytea       PRIMARY KEY,
        user_id       uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        proof         text        NOT NULL,
        amr           text[]      NOT NULL,
        proven_digest bytea       NOT NULL,
        tries_left    smallint    NOT NULL,
        expires_at    timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX second_factor_challenges_user ON second_factor_challenges (user_id)');
    await runner.query(
      'CREATE INDEX second_factor_challenges_expiry ON second_factor_challenges (expires_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE second_factor_challenges, recovery_codes, factors');
    await runner.query('ALTER TABLE sessions DROP COLUMN auth_time, DROP COLUMN amr, DROP COLUMN aal');
    await runner.query('ALTER TABLE users DROP COLUMN second_factor');
  }
}
