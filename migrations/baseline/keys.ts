/** What the program signs with, and the secrets of tenants. All of it lies sealed under the data key. */
export const keys = String.raw`

-- Each key has a companion for run tokens, with which it is published and retired.
CREATE TABLE signing_keys (
  kid                    text        PRIMARY KEY,
  algorithm              text        NOT NULL,
  state                  text        NOT NULL CHECK (state IN ('next', 'active', 'retiring', 'retired')),
  public_jwk             jsonb       NOT NULL,
  sealed_private_key     bytea,
  run_public_jwk         jsonb       NOT NULL,
  sealed_run_private_key bytea,
  created_at             timestamptz NOT NULL DEFAULT now(),
  signs_at               timestamptz CHECK (signs_at IS NOT NULL),
  active_at              timestamptz,
  retiring_at            timestamptz,
  retires_at             timestamptz,
  retired_at             timestamptz,
  -- Tokens of runs may live longer than access tokens; a key that signed one stays published until it has expired.
  tokens_until           timestamptz,
  -- What will not sign again leaves nothing to steal, in backups neither.
  CONSTRAINT signing_keys_private_part CHECK ((sealed_private_key IS NOT NULL) = (state IN ('next', 'active'))),
  CONSTRAINT signing_keys_run_private_part CHECK ((sealed_run_private_key IS NOT NULL) = (state IN ('next', 'active'))),
  CHECK (active_at IS NOT NULL OR state = 'next'),
  CHECK (retires_at IS NOT NULL OR state <> 'retiring'),
  CHECK ((retired_at IS NOT NULL) = (state = 'retired'))
);
-- Two instances that start at once must not both mint a key to sign with.
CREATE UNIQUE INDEX signing_keys_one_active ON signing_keys ((true)) WHERE state = 'active';
CREATE UNIQUE INDEX signing_keys_one_next ON signing_keys ((true)) WHERE state = 'next';

-- The secrets with which calls to a tenant's handlers are signed. A tenant has one without an end; a replaced one signs
-- beside it until signs_until.
CREATE TABLE signing_secrets (
  id            uuid        PRIMARY KEY,
  tenant_id     uuid        NOT NULL,
  sealed_secret bytea       NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  signs_until   timestamptz
);
CREATE UNIQUE INDEX signing_secrets_current ON signing_secrets (tenant_id) WHERE signs_until IS NULL;
CREATE INDEX signing_secrets_tenant ON signing_secrets (tenant_id);

-- A value is bound to its row, so that no other row can have it.
CREATE TABLE vault_secrets (
  id           uuid        PRIMARY KEY,
  tenant_id    uuid        NOT NULL,
  path         text        NOT NULL,
  sealed_value bytea       NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, path)
);
CREATE INDEX vault_secrets_listing ON vault_secrets (tenant_id, id DESC);
`;
