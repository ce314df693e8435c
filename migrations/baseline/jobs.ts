/** Jobs, and the schedules and hooks that set them going. */
export const jobs = String.raw`

CREATE TABLE jobs (
  tenant_id           uuid        NOT NULL,
  id                  text        NOT NULL,
  name                text        NOT NULL,
  description         text,
  -- The name of a function; or the URL of an endpoint, whose calls the secret with this path signs.
  handler             text        NOT NULL,
  signing_secret      text,
  CHECK ((signing_secret IS NOT NULL) = (strpos(handler, '://') > 0)),
  timeout_ms          integer     NOT NULL,
  retries             integer     NOT NULL,
  retry_backoff       jsonb       NOT NULL,
  triggers            jsonb       NOT NULL,
  paused              boolean     NOT NULL DEFAULT false,
  max_concurrent_runs integer     CHECK (max_concurrent_runs >= 1),
  -- How many runs with the same value in their payload may be running, and what becomes of more: {key, limit, when_full}.
  concurrency         jsonb,
  -- How many attempts may begin within a time, of all runs or of those with the same value: {limit, per_ms, key}.
  rate                jsonb,
  -- How long a run waits for further triggers, which replace its payload: {period_ms, max_ms, key}.
  debounce            jsonb,
  -- The order of the runs of a tenant, and how soon a run must have started.
  priority            integer     NOT NULL DEFAULT 0 CHECK (priority BETWEEN -100 AND 100),
  start_within_ms     integer     CHECK (start_within_ms >= 1),
  -- Whether a project opens the job to its users.
  invocable_by        text        CHECK (invocable_by IN ('authenticated')),
  -- As whom its runs act: as whoever sets them going, or for the tenant, with these permissions; null for all.
  acts_as_caller      boolean     NOT NULL DEFAULT false,
  permissions         text[],
  CHECK (NOT acts_as_caller OR permissions IS NULL),
  -- How long ended runs are kept; null for the deployment's setting.
  retention_days      integer     CHECK (retention_days >= 1),
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id)
);
-- For the few jobs with such limits, with a retention of their own, or with an endpoint.
CREATE INDEX jobs_with_limits ON jobs (tenant_id, id) WHERE concurrency IS NOT NULL OR rate IS NOT NULL;
CREATE INDEX jobs_with_signing_secret ON jobs (tenant_id, signing_secret) WHERE signing_secret IS NOT NULL;
CREATE INDEX jobs_with_retention ON jobs (tenant_id, id) WHERE retention_days IS NOT NULL;

-- One row for each cron trigger. It repeats what the manifest says of it, so that firing reads one row.
CREATE TABLE cron_triggers (
  tenant_id       uuid        NOT NULL,
  job_id          text        NOT NULL,
  -- The trigger's index within its job.
  position        integer     NOT NULL,
  schedule        text        NOT NULL,
  timezone        text        NOT NULL,
  misfire         text        NOT NULL CHECK (misfire IN ('once', 'skip')),
  payload         json        NOT NULL,
  -- No instant up to this one is still to fire; it has fired, or was dropped, or was over when the trigger came. It only
  -- grows, and in the transaction that adds the runs, so each instant fires once.
  settled_until   timestamptz NOT NULL,
  -- The first instant after that, in the schedule's own time and never rounded; null when none can be told. When a job
  -- fires next is the least of its rows, whether it is paused or not.
  next_fire_at    timestamptz,
  -- The trigger is due, but its tenant had no room for its run.
  postponed_until timestamptz,
  PRIMARY KEY (tenant_id, job_id, position),
  FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id) ON DELETE CASCADE
);
-- Of those that are due at one instant, those of a tenant together: their runs are accepted under its lock.
CREATE INDEX cron_triggers_due ON cron_triggers (next_fire_at, tenant_id);

-- In the database, so that no way of ending a pause can forget it.
CREATE FUNCTION settle_cron_triggers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE cron_triggers SET settled_until = greatest(settled_until, service_now())
  WHERE tenant_id = NEW.tenant_id AND job_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER jobs_resumed AFTER UPDATE OF paused ON jobs
FOR EACH ROW WHEN (OLD.paused AND NOT NEW.paused) EXECUTE FUNCTION settle_cron_triggers();

CREATE TABLE hooks (
  -- In which the name is unique: the whole deployment (the nil UUID), or a project.
  scope           uuid   NOT NULL,
  name            text   NOT NULL,
  tenant_id       uuid   NOT NULL,
  job_id          text   NOT NULL,
  method          text   NOT NULL,
  verification    jsonb  NOT NULL,
  secret_path     text,
  -- Headers of a webhook that its runs get.
  forward_headers text[] NOT NULL DEFAULT '{}',
  -- The last call that was refused, and the code of the error that it got; set about once a second at most.
  refused_at      timestamptz,
  refused_code    text,
  PRIMARY KEY (scope, name),
  FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX hooks_job ON hooks (tenant_id, job_id);
CREATE INDEX hooks_secret ON hooks (tenant_id, secret_path) WHERE secret_path IS NOT NULL;

-- What was delivered lately, remembered in the transaction of its run by the hash of the id that its provider gave it.
CREATE TABLE hook_deliveries (
  tenant_id   uuid        NOT NULL,
  hook        text        NOT NULL,
  id_hash     bytea       NOT NULL,
  run_id      text        NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, hook, id_hash)
);
CREATE INDEX hook_deliveries_age ON hook_deliveries (received_at);
`;
