/** The outbox of mails and what became of them, their templates, and how many an address may get. */
export const mail = String.raw`

-- The message holds a link that signs in or sets a password, so it lies sealed, and goes once it is sent.
CREATE TABLE outgoing_mails (
  id              uuid        PRIMARY KEY,
  -- Through whose mail server it leaves.
  realm_id        uuid        NOT NULL,
  kind            text        NOT NULL,
  recipient       text        NOT NULL,
  sealed_message  bytea       NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  attempts        integer     NOT NULL DEFAULT 0,
  -- The latest attempt that ended: an instance is sending a mail with more attempts than that.
  failed_attempt  integer     NOT NULL DEFAULT 0,
  last_error      text,
  last_answer     text
);
CREATE INDEX outgoing_mails_due ON outgoing_mails (next_attempt_at);
CREATE INDEX outgoing_mails_recipient ON outgoing_mails (recipient text_pattern_ops);

-- The mails that were sent or given up, without their messages. They go with the account that they were for, or with the
-- invitation to an organization, which may be for an address without one.
CREATE TABLE mail_history (
  id             uuid        PRIMARY KEY,
  realm_id       uuid        NOT NULL,
  user_id        uuid        REFERENCES users (id) ON DELETE CASCADE,
  invitation_id  uuid        REFERENCES invitations (id) ON DELETE CASCADE,
  kind           text        NOT NULL,
  recipient      text        NOT NULL,
  state          text        NOT NULL CHECK (state IN ('sent', 'failed')),
  attempts       integer     NOT NULL,
  reason         text,
  answer         text,
  -- Where the page of its link ended, so that one that is sent again ends there too.
  redirect_to    text,
  code_challenge text,
  created_at     timestamptz NOT NULL,
  finished_at    timestamptz NOT NULL,
  CHECK (num_nonnulls(user_id, invitation_id) > 0)
);
CREATE INDEX mail_history_realm ON mail_history (realm_id, id);
CREATE INDEX mail_history_recipient ON mail_history (recipient text_pattern_ops, id);
CREATE INDEX mail_history_user ON mail_history (user_id);
CREATE INDEX mail_history_invitation ON mail_history (invitation_id) WHERE invitation_id IS NOT NULL;
CREATE INDEX mail_history_failed ON mail_history (id) WHERE state = 'failed';
CREATE INDEX mail_history_age ON mail_history (finished_at);

-- Only what replaces a built-in template: resetting one deletes its row.
CREATE TABLE mail_templates (
  -- Null for the deployment.
  project_id uuid        REFERENCES projects (id) ON DELETE CASCADE,
  name       text        NOT NULL,
  -- Empty for all languages without their own.
  locale     text        NOT NULL,
  subject    text        NOT NULL,
  html       text        NOT NULL,
  text       text        NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT mail_templates_key UNIQUE NULLS NOT DISTINCT (project_id, name, locale)
);

-- When a mail that anyone can ask for was last asked for, by the hash of its purpose and address: of known and unknown
-- addresses alike.
CREATE TABLE mail_cooldowns (
  address_hash bytea       PRIMARY KEY,
  taken_at     timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE mail_cooldowns IS 'When an address was last sent a mail of a kind';

-- How many mails a recipient got, and an inviter sent, in the window of a day that began with the first. By the hash of who
-- it is: of known and unknown addresses alike.
CREATE TABLE mail_counts (
  subject_hash bytea       PRIMARY KEY,
  mails        integer     NOT NULL,
  since        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mail_counts_age ON mail_counts (since);
`;
