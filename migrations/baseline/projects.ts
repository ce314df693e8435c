/** Projects: the hosts that name them, and what they demand of sign-ins and say of their mails and pages. */
export const projects = String.raw`

-- Of the two keys of a project only their jti and time are kept: they are signed anew with the project's private key, which
-- lies outside the database. Another jti is another key.
CREATE TABLE projects (
  id             uuid        PRIMARY KEY,
  ref            text        NOT NULL UNIQUE CHECK (ref ~ '^[a-z][a-z0-9-]{2,39}$'),
  name           text        NOT NULL,
  anon_key_id    uuid        NOT NULL,
  anon_key_at    timestamptz NOT NULL,
  service_key_id uuid        NOT NULL,
  service_key_at timestamptz NOT NULL,
  -- Where the pages of its mails may end.
  redirect_urls  text[]      NOT NULL DEFAULT '{}',
  created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX projects_search ON projects USING gin (search_words(NULL, ref || ' ' || name, NULL));

CREATE TABLE project_hosts (
  host       text    PRIMARY KEY,
  project_id uuid    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  position   integer NOT NULL
);
CREATE INDEX project_hosts_project ON project_hosts (project_id, position);

-- Whether the accounts of a realm must have a second factor. The statement that opens a session reads it, so that none goes
-- past it. Only the realms of projects have a row.
CREATE TABLE sign_in_policies (
  realm_id              uuid    PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  require_second_factor boolean NOT NULL
);

-- To whom the passkeys of a project belong, where the project says so itself.
CREATE TABLE project_relying_parties (
  project_id uuid   PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  rp_id      text   NOT NULL,
  rp_name    text   NOT NULL,
  origins    text[] NOT NULL
);

-- The user of a pending invitation exists already. Without sent_at the mail server has not taken the mail: such a row was
-- left by an invitation that was cut short, and stands in nobody's way.
CREATE TABLE project_invitations (
  user_id    uuid        PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  realm_id   uuid        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  sent_at    timestamptz
);
CREATE INDEX project_invitations_age ON project_invitations (expires_at);
CREATE INDEX project_invitations_realm ON project_invitations (realm_id);

CREATE TABLE project_mail_settings (
  project_id      uuid        PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  host            text        NOT NULL,
  port            integer     NOT NULL CHECK (port BETWEEN 1 AND 65535),
  username        text,
  sealed_password bytea,
  sender          text        NOT NULL,
  tls             text        NOT NULL CHECK (tls IN ('starttls', 'tls', 'none')),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  CHECK ((username IS NULL) = (sealed_password IS NULL))
);

-- How the mails and pages of a project look. Without a row, or where a column is null, as for a project without a brand.
CREATE TABLE project_brands (
  project_id  uuid PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  name        text,
  logo_url    text,
  color       text,
  support_url text
);
`;
