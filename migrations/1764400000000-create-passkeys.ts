import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Passkeys (WebAuthn Level 3), each a factor of its account.
 *
 * - `passkeys.credential_id` is unique among the accounts of a realm: the same authenticator may serve several projects.
 * - `passkeys.sign_count`: the highest signature counter seen; 0 where the authenticator has none.
 * - `passkey_challenges`: challenges of users who are signed in, deleted by their use.
 * - `used_passkey_tokens`: challenge tokens by which somebody signed in, kept until they expire, so that none works twice.
 *   Handing one out stores nothing.
 */
export class CreatePasskeys1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE factors DROP CONSTRAINT factors_type_check');
    await runner.query(`
      ALTER TABLE factors
        ALTER COLUMN sealed_secret DROP NOT NULL,
        ADD CONSTRAINT factors_type_check CHECK (type IN ('totp', 'passkey')),
        ADD CONSTRAINT factors_secret_check CHECK ((type = 'totp') = (sealed_secret IS NOT NULL))`);
    await runner.query(`
      CREATE TABLE passkeys (
        factor_id     uuid     PRIMARY KEY REFERENCES factors (id) ON DELETE CASCADE,
        realm_id      uuid     NOT NULL,
        credential_id bytea    NOT NULL,
        public_key    bytea    NOT NULL,
        sign_count    bigint   NOT NULL,
        transports    text[]   NOT NULL,
        is_synced     boolean  NOT NULL,
        UNIQUE (realm_id, credential_id)
      )`);
    await runner.query(`
      CREATE TABLE passkey_challenges (
        challenge_hash bytea       PRIMARY KEY,
        user_id        uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        session_id     uuid        NOT NULL,
        purpose        text        NOT NULL CHECK (purpose IN ('add', 'reauthenticate')),
        expires_at     timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX passkey_challenges_user ON passkey_challenges (user_id)');
    await runner.query('CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at)');
    await runner.query(`
      CREATE TABLE used_passkey_tokens (
        token_hash bytea       PRIMARY KEY,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX used_passkey_tokens_expiry ON used_passkey_tokens (expires_at)');
  }

  /** Passkeys go, and with the last factor of an account the factor itself. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE used_passkey_tokens, passkey_challenges, passkeys');
    await runner.query(`DELETE FROM factors WHERE type = 'passkey'`);
    await runner.query(`
      UPDATE users SET second_factor = false
      WHERE second_factor
        AND NOT EXISTS (SELECT FROM factors WHERE user_id = users.id AND confirmed_at IS NOT NULL)`);
    await runner.query(`
      DELETE FROM recovery_codes
      WHERE NOT EXISTS (SELECT FROM users WHERE users.id = recovery_codes.user_id AND second_factor)`);
    await runner.query(`
      ALTER TABLE factors
        DROP CONSTRAINT factors_secret_check,
        DROP CONSTRAINT factors_type_check,
        ALTER COLUMN sealed_secret SET NOT NULL`);
    await runner.query(`ALTER TABLE factors ADD CONSTRAINT factors_type_check CHECK (type IN ('totp'))`);
  }
}
