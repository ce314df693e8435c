/** Second factors, passkeys (WebAuthn Level 3) and recovery codes of accounts, and the sign-ins that wait for one. */
export const factors = String.raw`

CREATE TABLE factors (
  id            uuid        PRIMARY KEY,
  user_id       uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type          text        NOT NULL CHECK (type IN ('totp', 'passkey')),
  name          text        NOT NULL,
  sealed_secret bytea,
  -- The last accepted time step of a TOTP (RFC 6238, section 5.2).
  last_step     bigint      NOT NULL DEFAULT 0,
  created_at    timestamptz NOT NULL DEFAULT now(),
  confirmed_at  timestamptz,
  last_used_at  timestamptz,
  CONSTRAINT factors_secret_check CHECK ((type = 'totp') = (sealed_secret IS NOT NULL))
);
CREATE INDEX factors_user ON factors (user_id);

CREATE TABLE recovery_codes (
  user_id   uuid  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE second_factor_challenges (
  token_hash    bytea       PRIMARY KEY,
  user_id       uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- An enrolment adds the first factor of its account in place of asking for one.
  kind          text        NOT NULL CHECK (kind IN ('factor', 'enrolment')),
  proof         text        NOT NULL,
  amr           text[]      NOT NULL,
  proven_digest bytea       NOT NULL,
  tries_left    smallint    NOT NULL,
  expires_at    timestamptz NOT NULL
);
CREATE INDEX second_factor_challenges_user ON second_factor_challenges (user_id);
CREATE INDEX second_factor_challenges_expiry ON second_factor_challenges (expires_at);

CREATE TABLE passkeys (
  factor_id     uuid    PRIMARY KEY REFERENCES factors (id) ON DELETE CASCADE,
  realm_id      uuid    NOT NULL,
  credential_id bytea   NOT NULL,
  public_key    bytea   NOT NULL,
  -- The highest signature counter seen; 0 where the authenticator has none.
  sign_count    bigint  NOT NULL,
  transports    text[]  NOT NULL,
  is_synced     boolean NOT NULL,
  -- Among the accounts of a realm: the same authenticator may serve several projects.
  UNIQUE (realm_id, credential_id)
);

-- Challenges of users who are signed in, deleted by their use.
CREATE TABLE passkey_challenges (
  challenge_hash bytea       PRIMARY KEY,
  user_id        uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  session_id     uuid        NOT NULL,
  purpose        text        NOT NULL CHECK (purpose IN ('add', 'reauthenticate')),
  expires_at     timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_user ON passkey_challenges (user_id);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);

-- Challenge tokens by which somebody signed in, kept until they expire, so that none works twice. Handing one out stores
-- nothing.
CREATE TABLE used_passkey_tokens (
  token_hash bytea       PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_passkey_tokens_expiry ON used_passkey_tokens (expires_at);
`;
