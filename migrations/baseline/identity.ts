/**
 * Accounts, their sessions, and what proves an address. Tokens are never stored, only their SHA-256.
 *
 * realm_id is the space in which an address is unique: the nil UUID for a whole deployment, a project's id where users
 * belong to a project.
 */
export const identity = String.raw`

CREATE TABLE users (
  id                uuid        PRIMARY KEY,
  realm_id          uuid        NOT NULL,
  email             text        NOT NULL,
  email_verified    boolean     NOT NULL DEFAULT false,
  password_hash     text,
  -- The kind of hash that an import brought, with its parameters, until the first sign-in or a new password replaces it.
  -- Sign-ins of unknown addresses cost what the hashes of a realm cost by these shares.
  imported_hash     text,
  -- Whether a factor is in force. The statement that opens a session reads it in the row that it locks, so that no sign-in
  -- goes past a factor that is confirmed at the same time.
  second_factor     boolean     NOT NULL DEFAULT false,
  -- The language tag (BCP 47) that the user chose.
  locale            text,
  metadata          text        NOT NULL DEFAULT '{}',
  created_at        timestamptz NOT NULL DEFAULT now(),
  disabled_at       timestamptz,
  -- Since then access tokens count only while their session lives. Set where sessions end together with their access
  -- tokens; null where tokens outlive their sessions.
  sessions_ended_at timestamptz,
  UNIQUE (realm_id, email)
);
CREATE INDEX users_listing ON users (realm_id, id);
CREATE INDEX users_email_start ON users (realm_id, email text_pattern_ops);
CREATE INDEX users_imported_hash ON users (realm_id, imported_hash) WHERE imported_hash IS NOT NULL;

-- What users, organizations and projects are searched by: how words of a text begin, and of metadata.name where there is
-- one. The realm of a user is a word as well, so that the index finds the users of one project; no word that somebody
-- types begins with its separator. Words are cut to what an index entry can have. The function is costly for the planner,
-- which would otherwise rather compute it for every row than use the index.
CREATE FUNCTION search_words(realm_id uuid, words text, metadata text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
BEGIN
  RETURN pg_catalog.array_to_tsvector(
    pg_catalog.array_remove(
      pg_catalog.array_append(
        pg_catalog.regexp_split_to_array(
          pg_catalog.lower(pg_catalog.normalize(
            words || ' ' || pg_catalog.left(coalesce(metadata::json ->> 'name', ''), 200), 'NFC'
          )),
          '[\s@._+,;:<>()"/-]+'
        ),
        coalesce('@' || realm_id::text, '')
      ),
      ''
    )
  );
END
$$;
CREATE INDEX users_search ON users USING gin (search_words(realm_id, email, metadata));

-- Accounts that operate the deployment. In the organization profile they are accounts like all others; in the project
-- profile they have a realm of their own.
CREATE TABLE operators (
  user_id   uuid        PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  read_only boolean     NOT NULL,
  added_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE sessions (
  id                uuid        PRIMARY KEY,
  user_id           uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at        timestamptz NOT NULL DEFAULT now(),
  last_refreshed_at timestamptz NOT NULL DEFAULT now(),
  -- When and how the user proved who they are: the claims auth_time and amr, and the level of assurance.
  auth_time         timestamptz NOT NULL,
  amr               text[]      NOT NULL,
  aal               smallint    NOT NULL,
  user_agent        text,
  ip                text,
  revoked_at        timestamptz,
  revoked_reason    text,
  CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
);
CREATE INDEX sessions_live ON sessions (user_id) WHERE revoked_at IS NULL;
CREATE INDEX sessions_age ON sessions (last_refreshed_at);

-- The last day, in UTC, on which a user of a project whose jobs listen to sign-ins signed in.
CREATE TABLE sign_in_days (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  day     date NOT NULL
);

CREATE TABLE refresh_tokens (
  token_hash       bytea       PRIMARY KEY,
  session_id       uuid        NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  created_at       timestamptz NOT NULL DEFAULT now(),
  expires_at       timestamptz NOT NULL,
  rotated_at       timestamptz,
  sealed_successor bytea
);
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);
CREATE INDEX refresh_tokens_age ON refresh_tokens (expires_at);

-- Tokens of links in mails. The address binds a token: for an address that the account no longer has it is void.
CREATE TABLE one_time_tokens (
  token_hash     bytea       PRIMARY KEY,
  purpose        text        NOT NULL CHECK (purpose IN ('verify', 'recover', 'magic_link', 'invite')),
  user_id        uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email          text        NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now(),
  expires_at     timestamptz NOT NULL,
  used_at        timestamptz,
  -- Where the page of this link ends, and to whom its code is bound (RFC 7636).
  redirect_to    text,
  code_challenge text
);
CREATE INDEX one_time_tokens_user ON one_time_tokens (user_id, purpose);
CREATE INDEX one_time_tokens_age ON one_time_tokens (expires_at);

-- What pages of mails add to the URL where they end. A code holds for the address and the password that the account had.
CREATE TABLE sign_in_codes (
  code_hash       bytea       PRIMARY KEY,
  user_id         uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  proof           text        NOT NULL,
  email           text        NOT NULL,
  password_digest bytea       NOT NULL,
  code_challenge  text,
  expires_at      timestamptz NOT NULL
);
CREATE INDEX sign_in_codes_user ON sign_in_codes (user_id);
CREATE INDEX sign_in_codes_expiry ON sign_in_codes (expires_at);

-- Changes of address that wait for the mail to the new address. The token counts only while the account has the address
-- and the password that it had when the change was asked for.
CREATE TABLE address_changes (
  user_id         uuid        PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- That asked for it.
  session_id      uuid        NOT NULL,
  token_hash      bytea       NOT NULL UNIQUE,
  former_email    text        NOT NULL,
  new_email       text        NOT NULL,
  password_digest bytea       NOT NULL,
  expires_at      timestamptz NOT NULL,
  redirect_to     text,
  code_challenge  text
);
CREATE INDEX address_changes_expiry ON address_changes (expires_at);

-- How many sign-ins succeeded and were refused in the whole deployment, by five minutes.
CREATE TABLE sign_in_stats (
  at         timestamptz PRIMARY KEY,
  signed_up  bigint      NOT NULL,
  signed_in  bigint      NOT NULL,
  refused    bigint      NOT NULL,
  unanswered bigint      NOT NULL
);
`;
