/**
 * Runs and their attempts. They are the truth; whatever Redis holds is a hint to look here.
 *
 * A run copies what it needs of its job, so that a job edited or deleted meanwhile changes no run that was accepted, and
 * claiming reads one row.
 */
export const runs = String.raw`

-- The statuses of a run are those of run-status.ts in the program. Runs that have not ended are few and change often; those
-- that have ended are many and never change. So each partition has the indexes that serve it, and no others.
CREATE TABLE runs (
  id                 text        NOT NULL,
  tenant_id          uuid        NOT NULL,
  job_id             text        NOT NULL,
  status             text        NOT NULL,
  trigger            jsonb       NOT NULL,
  payload            json        NOT NULL,
  -- Of the payload as text.
  payload_bytes      integer     NOT NULL DEFAULT 0,
  handler            text        NOT NULL,
  timeout_ms         integer     NOT NULL,
  retry_backoff      jsonb       NOT NULL,
  acts_as_caller     boolean     NOT NULL DEFAULT false,
  permissions        text[],
  priority           integer     NOT NULL DEFAULT 0,
  attempt            integer     NOT NULL DEFAULT 0,
  failures           integer     NOT NULL DEFAULT 0,
  losses             integer     NOT NULL DEFAULT 0,
  max_attempts       integer     NOT NULL,
  -- Grows with each claim. Whoever writes an outcome names the fence it claimed with.
  fence              integer     NOT NULL DEFAULT 0,
  -- A deferred attempt runs without a worker.
  worker_id          uuid,
  due_at             timestamptz NOT NULL,
  -- The instant by which the run must have started.
  start_before       timestamptz,
  scheduled_for      timestamptz,
  created_at         timestamptz NOT NULL DEFAULT now(),
  started_at         timestamptz,
  completed_at       timestamptz,
  -- The last attempt, unless the run waits for the next one: when it began and, once the run has ended, how it ended.
  attempt_started_at timestamptz,
  outcome            text,
  status_code        integer,
  retry_of           text,
  result             json,
  error_code         text,
  error_message      text,
  trace_parent       text,
  -- Whether its job was open to users when it was accepted. Users trigger no others.
  of_open_job        boolean     NOT NULL DEFAULT false,
  -- The due time that it was accepted with, if it was to wait.
  delayed_until      timestamptz,
  -- What its job's concurrency and rate are counted by; and which of them left no place when it was the run's turn.
  concurrency_key    text,
  rate_key           text,
  -- The value that its job's debounce goes by, if further triggers may replace the payload while the run waits.
  debounce_key       text,
  blocked            text        CHECK (blocked IN ('concurrency', 'rate')),
  -- The numbers of the lines that follow from this row: see lines_of_runs.
  queued_line        bigint,
  started_line       bigint,
  ended_line         bigint,
  CHECK (status = 'running' OR worker_id IS NULL),
  CHECK (blocked IS NULL OR status IN ('queued', 'retrying')),
  CHECK ((status IN ('completed', 'failed', 'cancelled')) = (completed_at IS NOT NULL))
) PARTITION BY LIST (status);

CREATE TABLE runs_active PARTITION OF runs (PRIMARY KEY (id)) FOR VALUES IN ('queued', 'running', 'retrying')
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
CREATE INDEX runs_active_listing ON runs_active (tenant_id, id DESC);
-- The queue: see runs_in_turn.
CREATE INDEX runs_active_waiting ON runs_active (tenant_id, job_id, priority DESC, due_at)
  WHERE status IN ('queued', 'retrying') AND blocked IS NULL;
CREATE INDEX runs_active_crowded ON runs_active (tenant_id, job_id, concurrency_key, priority DESC, due_at)
  WHERE blocked = 'concurrency';
CREATE INDEX runs_active_throttled ON runs_active (tenant_id, job_id, rate_key, priority DESC, due_at) WHERE blocked = 'rate';
CREATE INDEX runs_active_debounced ON runs_active (tenant_id, job_id, debounce_key)
  WHERE status = 'queued' AND debounce_key IS NOT NULL;
-- A job's running runs, under its max_concurrent_runs, and those with one value, under its concurrency. A worker's running runs are
-- found by reading all of it.
CREATE INDEX runs_active_running ON runs_active (tenant_id, job_id, concurrency_key, worker_id) WHERE status = 'running';
CREATE INDEX runs_active_to_start_before ON runs_active (start_before)
  WHERE status = 'queued' AND start_before IS NOT NULL;
CREATE INDEX runs_active_of_user ON runs_active (tenant_id, (trigger ->> 'user_id'), id DESC) WHERE of_open_job;
CREATE INDEX runs_active_by_parent ON runs_active (tenant_id, (trigger ->> 'run_id'), id DESC)
  WHERE trigger ->> 'run_id' IS NOT NULL;
CREATE INDEX runs_active_retries ON runs_active (tenant_id, retry_of, id DESC) WHERE retry_of IS NOT NULL;

CREATE TABLE runs_ended PARTITION OF runs (PRIMARY KEY (id)) FOR VALUES IN ('completed', 'failed', 'cancelled');
-- Lists and searches. What most runs of a tenant are, the list itself finds quickly, so runs_ended_unsuccessful is partial.
CREATE INDEX runs_ended_listing ON runs_ended (tenant_id, id DESC);
CREATE INDEX runs_ended_by_job ON runs_ended (tenant_id, job_id, id DESC);
CREATE INDEX runs_ended_by_trigger ON runs_ended (tenant_id, (trigger ->> 'type'), id DESC);
CREATE INDEX runs_ended_unsuccessful ON runs_ended (tenant_id, id DESC) WHERE status IN ('failed', 'cancelled');
CREATE INDEX runs_ended_by_error ON runs_ended (tenant_id, error_code, id DESC) WHERE error_code IS NOT NULL;
-- The runs that a user of a project triggered, which this user may read.
CREATE INDEX runs_ended_of_user ON runs_ended (tenant_id, (trigger ->> 'user_id'), id DESC) WHERE of_open_job;
-- The children of a run: a trigger names the run whose handler triggered it.
CREATE INDEX runs_ended_by_parent ON runs_ended (tenant_id, (trigger ->> 'run_id'), id DESC)
  WHERE trigger ->> 'run_id' IS NOT NULL;
CREATE INDEX runs_ended_retries ON runs_ended (tenant_id, retry_of, id DESC) WHERE retry_of IS NOT NULL;
-- What retention walks, oldest first.
CREATE INDEX runs_ended_finished ON runs_ended (completed_at);

-- The attempts of runs before their last one. They are written once, when they end.
CREATE TABLE run_attempts (
  run_id       text        NOT NULL,
  number       integer     NOT NULL,
  started_at   timestamptz NOT NULL,
  completed_at timestamptz NOT NULL,
  outcome      text        NOT NULL
               CHECK (outcome IN ('completed', 'failed', 'timeout', 'lost', 'interrupted', 'cancelled')),
  status_code  integer,
  error        text,
  PRIMARY KEY (run_id, number)
);

-- All attempts.
CREATE VIEW attempts_of_runs AS
SELECT run_id, number, started_at, completed_at, outcome, status_code, error FROM run_attempts
UNION ALL
SELECT id, attempt, attempt_started_at, completed_at, outcome, status_code,
       CASE WHEN outcome = 'lost' THEN 'the worker was lost' WHEN outcome IS NOT NULL THEN error_message END
FROM runs WHERE attempt_started_at IS NOT NULL;

-- Attempts whose handler answered that it goes on and reports the end later. A sign of life changes only a row of this small
-- table; without an index on expires_at, and with room left in each page, such an update stays in its page.
CREATE TABLE deferred_attempts (
  run_id     text        PRIMARY KEY,
  tenant_id  uuid        NOT NULL,
  fence      integer     NOT NULL,
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- What handlers have done, so that a later attempt of the run need not do it again. Each is written once. Retention deletes those
-- whose run it has deleted.
CREATE TABLE run_steps (
  run_id      text        NOT NULL,
  name        text        NOT NULL,
  attempt     integer     NOT NULL,
  value       json        NOT NULL,
  -- Of the value as text.
  value_bytes integer     NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, name)
);

-- The Idempotency-Key of a trigger, and the run that it got.
CREATE TABLE run_requests (
  tenant_id    uuid        NOT NULL,
  job_id       text        NOT NULL,
  key          text        NOT NULL,
  request_hash bytea       NOT NULL,
  run_id       text        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, job_id, key)
);
CREATE INDEX run_requests_by_key ON run_requests (tenant_id, key);
CREATE INDEX run_requests_age ON run_requests (created_at);

-- A document as text in which what no jsonb can hold is replaced by another one that nobody looks for, a character that is none
-- (U+FFFF). That is an escaped NUL or one half of a surrogate pair in a string, and a number that no numeric can hold. The document
-- is taken apart into strings and what is between them, and a string into pairs of surrogates, other escapes, and the rest.
CREATE FUNCTION as_jsonb_can_hold(document text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(CASE WHEN part_of[1] LIKE '"%' THEN (
      SELECT string_agg(CASE WHEN piece[1] ~ '^\\u(?:0000|[dD][89a-fA-F]..)$' THEN '\uffff' ELSE piece[1] END, '' ORDER BY at)
      FROM regexp_matches(part_of[1], '\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|[^\\]+', 'g') WITH ORDINALITY AS pieces (piece, at)
    ) ELSE regexp_replace(part_of[1], '-?[0-9][0-9.]*[eE][+-]?[0-9]{5,}', '"\\uffff"', 'g') END, '' ORDER BY place)
  FROM regexp_matches(document, '"(?:[^"\\]|\\.)*"|[^"]+', 'g') WITH ORDINALITY AS parts (part_of, place)
$$;

-- The operator @> for payloads, which are kept as text: some of them no jsonb can hold.
CREATE FUNCTION json_contains(document json, part text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  BEGIN
    RETURN document::jsonb @> part::jsonb;
  EXCEPTION WHEN data_exception THEN
    RETURN as_jsonb_can_hold(document::text)::jsonb @> part::jsonb;
  END;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN false;
END $$;

-- The value in a payload that a job's concurrency, rate or debounce goes by. The pointer is a JSON Pointer (RFC 6901). Runs without the
-- value have an empty key in common. Equal values have equal keys, but for those with a number of a large exponent, which numeric would
-- write out in up to 131,072 digits.
CREATE FUNCTION key_of_payload(payload json, pointer text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  path text[]; written json; value jsonb; key text;
BEGIN
  path := string_to_array(substr(pointer, 2), '/');
  IF strpos(pointer, '~') > 0 THEN
    path := ARRAY(SELECT replace(replace(token, '~1', '/'), '~0', '~') FROM unnest(path) WITH ORDINALITY AS part (token, nth) ORDER BY nth);
  END IF;
  BEGIN
    written := payload #> path;
  EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    BEGIN
      written := as_jsonb_can_hold(payload::text)::json #> path;
    EXCEPTION WHEN data_exception OR program_limit_exceeded THEN NULL; END;
  END;
  key := written::text;
  IF key !~ '[0-9][eE][+-]?[0-9]{3,}' THEN
    BEGIN
      value := written::jsonb;
      key := CASE jsonb_typeof(value)
        WHEN 'number' THEN trim_scale(value::numeric)::text
        -- Equal ones may differ in the digits of their numbers.
        WHEN 'array' THEN 'hash:' || jsonb_hash_extended(value, 0) || ':' || jsonb_hash_extended(value, 1)
        WHEN 'object' THEN 'hash:' || jsonb_hash_extended(value, 0) || ':' || jsonb_hash_extended(value, 1)
        ELSE value::text END;
    EXCEPTION WHEN data_exception OR program_limit_exceeded THEN NULL; END;
  END IF;
  RETURN CASE WHEN length(key) > 200 THEN 'sha256:' || encode(sha256(convert_to(key, 'UTF8')), 'hex') ELSE coalesce(key, '') END;
END $$;
`;
