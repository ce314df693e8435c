import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Users, sessions, refresh tokens and signing keys.
 *
 * `realm_id` is the space in which an address is unique: the nil UUID for a whole deployment, a project's
 * id where users belong to a project. Token values are never stored, only their SHA-256; private keys
 * only sealed under the data key.
 */
export class CreateIdentity1763700001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id             uuid        PRIMARY KEY,
        realm_id       uuid        NOT NULL,
        email          text        NOT NULL,
        email_verified boolean     NOT NULL DEFAULT false,
        password_hash  text,
        metadata       text        NOT NULL DEFAULT '{}',
        created_at     timestamptz NOT NULL DEFAULT now(),
        disabled_at    timestamptz,
        UNIQUE (realm_id, email)
      )`);
    await runner.query(`
      CREATE TABLE sessions (
        id                uuid        PRIMARY KEY,
        user_id           uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_at        timestamptz NOT NULL DEFAULT now(),
        last_refreshed_at timestamptz NOT NULL DEFAULT now(),
        user_agent        text,
        ip                text,
        revoked_at        timestamptz,
        revoked_reason    text,
        CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
      )`);
    await runner.query(`CREATE INDEX sessions_live ON sessions (user_id) WHERE revoked_at IS NULL`);
    await runner.query(`
      CREATE TABLE refresh_tokens (
        token_hash       bytea       PRIMARY KEY,
        session_id       uuid        NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        created_at       timestamptz NOT NULL DEFAULT now(),
        expires_at       timestamptz NOT NULL,
        rotated_at       timestamptz,
        sealed_successor bytea
      )`);
    await runner.query(`CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id)`);
    await runner.query(`
      CREATE TABLE signing_keys (
        kid                text        PRIMARY KEY,
        algorithm          text        NOT NULL,
        state              text        NOT NULL CHECK (state IN ('next', 'active', 'retiring', 'retired')),
        public_jwk         jsonb       NOT NULL,
        sealed_private_key bytea       NOT NULL,
        created_at         timestamptz NOT NULL DEFAULT now()
      )`);
    // Two instances that start at once must not both mint a key to sign with.
    await runner.query(
      `CREATE UNIQUE INDEX signing_keys_one_active ON signing_keys ((true)) WHERE state = 'active'`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX signing_keys_one_next ON signing_keys ((true)) WHERE state = 'next'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE signing_keys`);
    await runner.query(`DROP TABLE refresh_tokens`);
    await runner.query(`DROP TABLE sessions`);
    await runner.query(`DROP TABLE users`);
  }
}
