/** Organizations with their roles, members, invitations and API keys. */
export const organizations = String.raw`

CREATE TABLE organizations (
  id                    uuid        PRIMARY KEY,
  slug                  text        NOT NULL UNIQUE,
  name                  text        NOT NULL,
  -- Whether it is closed to members whose account has no second factor.
  require_second_factor boolean     NOT NULL DEFAULT false,
  created_at            timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX organizations_search ON organizations USING gin (search_words(NULL, slug || ' ' || name, NULL));

-- A former slug leads to its organization, and nobody else may have it, until reserved_until.
CREATE TABLE former_slugs (
  slug           text        PRIMARY KEY,
  org_id         uuid        NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  reserved_until timestamptz NOT NULL
);
CREATE INDEX former_slugs_org ON former_slugs (org_id);

-- The built-in roles are rows of each organization like the custom ones, so that one foreign key keeps every member's role
-- existing, whatever runs at the same time.
CREATE TABLE roles (
  org_id      uuid        NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name        text        NOT NULL,
  permissions text[]      NOT NULL,
  builtin     boolean     NOT NULL DEFAULT false,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, name)
);

CREATE TABLE members (
  org_id    uuid        NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id   uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role      text        NOT NULL,
  joined_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, user_id),
  FOREIGN KEY (org_id, role) REFERENCES roles (org_id, name)
);
CREATE INDEX members_user ON members (user_id);
CREATE INDEX members_role ON members (org_id, role);
CREATE INDEX members_listing ON members (org_id, joined_at DESC, user_id DESC);

CREATE TABLE invitations (
  id           uuid        PRIMARY KEY,
  org_id       uuid        NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  email        text        NOT NULL,
  role         text        NOT NULL,
  inviter_type text        NOT NULL CHECK (inviter_type IN ('user', 'api_key')),
  inviter_id   text        NOT NULL,
  status       text        NOT NULL CHECK (status IN ('pending', 'accepted', 'revoked', 'replaced', 'expired')),
  token_hash   bytea       NOT NULL UNIQUE,
  emailed      boolean     NOT NULL DEFAULT false,
  -- The token was shown in no answer, so that who has it read the mailbox.
  mail_only    boolean     NOT NULL DEFAULT false,
  -- Where the page of its link ends.
  redirect_to  text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  ended_at     timestamptz,
  CHECK ((status = 'pending') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX invitations_one_pending ON invitations (org_id, email) WHERE status = 'pending';
CREATE INDEX invitations_listing ON invitations (org_id, id DESC);
-- What a quota counts, without a look at what it does not count.
CREATE INDEX invitations_pending ON invitations (org_id, expires_at) WHERE status = 'pending';
CREATE INDEX invitations_expiring ON invitations (expires_at) WHERE status = 'pending';

CREATE TABLE api_keys (
  id           text        PRIMARY KEY,
  org_id       uuid        NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name         text        NOT NULL,
  secret_hash  bytea       NOT NULL,
  permissions  text[]      NOT NULL,
  creator_type text        NOT NULL CHECK (creator_type IN ('user', 'api_key')),
  created_by   text        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz
);
CREATE INDEX api_keys_listing ON api_keys (org_id, created_at DESC, id DESC);
CREATE INDEX api_keys_creator ON api_keys (created_by, created_at DESC, id DESC);
-- What a quota counts, as for invitations.
CREATE INDEX api_keys_unrevoked ON api_keys (org_id, expires_at) WHERE revoked_at IS NULL;
`;
