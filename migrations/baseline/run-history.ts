/** What is kept of runs beside them: the lines of their logs, their numbers, and operations on many of them. */
export const runHistory = String.raw`

-- What the handlers of runs print, and what happened to runs that their rows no longer tell. The lines that follow from rows of
-- runs have their numbers from the same sequence.
CREATE TABLE run_logs (
  id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  tenant_id uuid        NOT NULL,
  run_id    text        NOT NULL,
  job_id    text        NOT NULL,
  attempt   integer,
  level     text        NOT NULL CHECK (level IN ('debug', 'info', 'warn', 'error')),
  message   text        NOT NULL
);
-- Serves the deletion of a run's lines with the run, too.
CREATE INDEX run_logs_run ON run_logs (run_id, id);
CREATE INDEX run_logs_tenant ON run_logs (tenant_id, id);

-- How an attempt ended, for the log of its run.
CREATE FUNCTION text_of_attempt(number integer, outcome text, status_code integer, error text) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT 'attempt ' || number || ' ' || CASE outcome WHEN 'timeout' THEN 'timed out' WHEN 'lost' THEN 'was lost'
           WHEN 'interrupted' THEN 'was interrupted' WHEN 'cancelled' THEN 'was cancelled' ELSE outcome END
         || coalesce(' with status ' || status_code, '')
         || coalesce(': ' || CASE WHEN outcome = 'lost' THEN 'the worker was lost' ELSE error END, '')
$$;

-- The level of the line that says how a run ended.
CREATE FUNCTION level_of_end(status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE status WHEN 'completed' THEN 'info' WHEN 'failed' THEN 'error' ELSE 'warn' END
$$;

-- The lines that follow from the rows of runs: that the run was accepted, that its last attempt began, and how it ended.
CREATE VIEW lines_of_runs AS
SELECT line.id, line.at, runs.tenant_id, runs.id AS run_id, runs.job_id, line.attempt, line.level, line.message, line.ends_run
FROM runs CROSS JOIN LATERAL (VALUES
  (queued_line, created_at, NULL, 'info', 'queued (' || (trigger ->> 'type') || ')'
     || coalesce(to_char(delayed_until AT TIME ZONE 'UTC', '", due at "YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), ''), false),
  (started_line, attempt_started_at, attempt, 'info', 'attempt ' || attempt || ' started', false),
  (ended_line, completed_at, nullif(attempt, 0), level_of_end(status),
     CASE WHEN outcome IS NULL THEN 'the run is ' || status || coalesce(': ' || error_message, '')
          ELSE text_of_attempt(attempt, outcome, status_code, error_message) || '; the run is ' || status END, true)
) AS line (id, at, attempt, level, message, ends_run)
WHERE line.id IS NOT NULL;

-- Where the lines of a tenant that follow from its runs are in the order of lines: a row for each exchange, and for each 500 lines
-- of a large one. The lines of these runs with numbers in its range belong to it. The rows of a tenant do not overlap, since the
-- exchanges of a tenant happen one after the other.
CREATE TABLE run_changes (
  last_line  bigint      PRIMARY KEY,
  first_line bigint      NOT NULL,
  tenant_id  uuid        NOT NULL,
  at         timestamptz NOT NULL,
  run_ids    text[]      NOT NULL,
  -- Of the lines, for searches.
  job_ids    text[]      NOT NULL,
  levels     text[]      NOT NULL
);
CREATE INDEX run_changes_tenant ON run_changes (tenant_id, last_line);

-- Up to which number no line will still come to light: numbers are taken before their commit. It waits for the transactions
-- that had taken a number when it was called, and answers null if its patience ends before.
--
-- Who takes a number locks the sequence before, until the transaction's end; who deletes lines does not. The number is read
-- before the locks: who has one up to it holds a lock by then, or has ended. The answer is a line's, not the number itself,
-- since a crash takes back numbers that were not committed.
CREATE FUNCTION settled_log_id(patience_ms integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE allocated bigint; writers text[]; looks integer := patience_ms / 5;
BEGIN
  SELECT last_value INTO allocated FROM run_logs_id_seq;
  SELECT array_agg(virtualtransaction) INTO writers FROM pg_locks
  WHERE relation = 'run_logs_id_seq'::regclass AND mode = 'RowExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
  WHILE EXISTS (
    SELECT FROM pg_locks
    WHERE relation = 'run_logs_id_seq'::regclass AND mode = 'RowExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND virtualtransaction = ANY (writers)
  ) LOOP
    IF looks <= 0 THEN RETURN NULL; END IF;
    looks := looks - 1;
    PERFORM pg_sleep(0.005);
  END LOOP;
  RETURN greatest(0, (SELECT max(id) FROM run_logs WHERE id <= allocated),
                  (SELECT max(last_line) FROM run_changes WHERE last_line <= allocated));
END $$;

CREATE FUNCTION milliseconds_between(earlier timestamptz, later timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT (extract(epoch FROM later - earlier) * 1000)::bigint $$;

-- What changes say of runs that were accepted or ended, for run_stats. Of a retried run, nothing tells any more how long its first
-- attempt waited.
CREATE VIEW figures_of_changes AS
SELECT change.last_line, change.tenant_id, change.at, runs.job_id, is_accepted::integer AS accepted,
       (has_ended AND status = 'completed')::integer AS completed, (has_ended AND status = 'failed')::integer AS failed,
       (has_ended AND status = 'cancelled')::integer AS cancelled,
       CASE WHEN has_ended THEN milliseconds_between(started_at, completed_at) END AS duration_ms,
       CASE WHEN has_ended AND attempt = 1 THEN milliseconds_between(due_at, started_at) END AS wait_ms
FROM run_changes change JOIN runs ON runs.id = ANY (change.run_ids)
  CROSS JOIN LATERAL (
    SELECT coalesce(queued_line BETWEEN first_line AND change.last_line, false) AS is_accepted,
           coalesce(ended_line BETWEEN first_line AND change.last_line, false) AS has_ended
  ) what
WHERE is_accepted OR has_ended;

-- Up to which row of run_changes run_stats has the figures. The roll-up changes both in one statement.
CREATE TABLE run_stats_progress (
  only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_line bigint  NOT NULL
);
INSERT INTO run_stats_progress (last_line) VALUES (0);

-- A row per minute, hour and day in which something happened, for each job and, with an empty job_id, for all jobs of the
-- tenant.
CREATE TABLE run_stats (
  tenant_id uuid        NOT NULL,
  job_id    text        NOT NULL,
  minutes   smallint    NOT NULL CHECK (minutes IN (1, 60, 1440)),
  at        timestamptz NOT NULL,
  accepted  bigint      NOT NULL,
  completed bigint      NOT NULL,
  failed    bigint      NOT NULL,
  cancelled bigint      NOT NULL,
  -- Histograms: each element is 256 times the number of runs, plus their bucket.
  durations bigint[]    NOT NULL,
  waits     bigint[]    NOT NULL,
  PRIMARY KEY (tenant_id, job_id, minutes, at)
) WITH (fillfactor = 70);
CREATE INDEX run_stats_age ON run_stats (minutes, at);

CREATE TABLE run_operations (
  id           uuid        PRIMARY KEY,
  tenant_id    uuid        NOT NULL,
  action       text        NOT NULL,
  -- Who began the operation, and the origin of the run whose handler did, for the runs that it adds.
  actor        text        NOT NULL,
  origin       jsonb,
  total        integer     NOT NULL,
  done         integer     NOT NULL DEFAULT 0,
  failed       integer     NOT NULL DEFAULT 0,
  due_at       timestamptz NOT NULL DEFAULT now(),
  created_at   timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz
);
CREATE INDEX run_operations_due ON run_operations (due_at) WHERE completed_at IS NULL;
CREATE INDEX run_operations_of_tenant ON run_operations (tenant_id);

-- An operation knows its runs from the start.
CREATE TABLE run_operation_items (
  operation_id uuid NOT NULL REFERENCES run_operations (id) ON DELETE CASCADE,
  run_id       text NOT NULL,
  -- Null until the run is dealt with, then done or an error code. The transaction that retries or cancels a run also writes
  -- its outcome.
  outcome      text,
  PRIMARY KEY (operation_id, run_id)
);
CREATE INDEX run_operation_items_pending ON run_operation_items (operation_id, run_id) WHERE outcome IS NULL;
`;
