/**
 * Row changes and events that set jobs going. Each has an outbox: one row for each change or event and each job that it sets
 * going, written in the transaction in which it happens, deleted in the transaction that accepts the run. The outboxes refer
 * to no job: a key would make writers of watched tables, and whatever has events, lock jobs.
 */
export const events = String.raw`

-- Which job of which tenant watches which table for which event.
CREATE TABLE data_triggers (
  table_schema text NOT NULL,
  table_name   text NOT NULL,
  event        text NOT NULL CHECK (event IN ('insert', 'update', 'delete')),
  tenant_id    uuid NOT NULL,
  job_id       text NOT NULL,
  -- Of an update: those whose change counts; null for any.
  columns      text[],
  PRIMARY KEY (table_schema, table_name, event, tenant_id, job_id),
  FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX data_triggers_job ON data_triggers (tenant_id, job_id);

CREATE TABLE data_events (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id   uuid        NOT NULL,
  job_id      text        NOT NULL,
  table_name  text        NOT NULL,
  event       text        NOT NULL,
  record      jsonb,
  old_record  jsonb,
  omitted     text[],
  bytes       integer     NOT NULL,
  occurred_at timestamptz NOT NULL,
  refusal     text
);
CREATE INDEX data_events_waiting ON data_events (id) WHERE refusal IS NULL;
CREATE INDEX data_events_postponed ON data_events (tenant_id, id) WHERE refusal = 'waits for room';

-- One row for each event of each trigger of a job.
CREATE TABLE event_triggers (
  tenant_id uuid    NOT NULL,
  event     text    NOT NULL,
  job_id    text    NOT NULL,
  position  integer NOT NULL,
  -- To whose events, of runs and jobs, the trigger is limited.
  only_jobs text[],
  -- How long after the event its run is due, and which events about the same subject undo it until then.
  after_ms  bigint,
  unless    text[],
  PRIMARY KEY (tenant_id, event, job_id, position),
  FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX event_triggers_job ON event_triggers (tenant_id, job_id);

CREATE TABLE tenant_events (
  id                bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id         uuid        NOT NULL,
  job_id            text        NOT NULL,
  event_id          uuid        NOT NULL,
  event             text        NOT NULL,
  data              jsonb       NOT NULL,
  depth             integer     NOT NULL,
  follows_run_event boolean     NOT NULL,
  bytes             integer     NOT NULL,
  occurred_at       timestamptz NOT NULL,
  -- What it is about, and of a trigger with after_ms, until when it waits and which events about the same undo it.
  subject           text        NOT NULL,
  due_at            timestamptz,
  unless            text[],
  refusal           text
);
CREATE INDEX tenant_events_waiting ON tenant_events (id) WHERE refusal IS NULL;
CREATE INDEX tenant_events_postponed ON tenant_events (tenant_id, id) WHERE refusal = 'waits for room';
CREATE INDEX tenant_events_later ON tenant_events (due_at) WHERE refusal = 'waits until it is due';
CREATE INDEX tenant_events_undone ON tenant_events (tenant_id, subject)
  WHERE refusal = 'waits until it is due' AND unless IS NOT NULL;
CREATE INDEX tenant_events_of_job ON tenant_events (tenant_id, job_id) WHERE refusal = 'waits until it is due';

-- Events that were undone while another transaction had them locked, which may be rolled back. They become no runs.
-- An id may be in it more than once: nobody waits for somebody else to insert it.
CREATE TABLE undone_events (
  id bigint NOT NULL
);
CREATE INDEX undone_events_id ON undone_events (id);

-- Captures the ends of runs for the jobs that listen to them, as tenancy/events does with everything else that happens. A run
-- that the end of another led to ends without an event, and so do its repetitions and its descendants.
CREATE FUNCTION capture_ends_of_runs(run_ids text[]) RETURNS void LANGUAGE sql AS $$
  WITH ended AS MATERIALIZED (
    SELECT *, gen_random_uuid() AS event_id, 'run.' || status AS event, 'job:' || job_id AS subject, ended_line AS nth FROM runs_ended
    WHERE id = ANY (run_ids) AND (trigger #>> '{origin,run_event}') IS DISTINCT FROM 'true'
  ), latest AS MATERIALIZED (
    SELECT tenant_id, subject, event, max(nth) AS nth FROM ended GROUP BY tenant_id, subject, event
  ), to_undo AS MATERIALIZED (
    SELECT later.id FROM latest JOIN tenant_events later USING (tenant_id, subject)
    WHERE later.refusal = 'waits until it is due' AND later.unless IS NOT NULL AND later.due_at > clock_timestamp()
      AND latest.event = ANY (later.unless)
  ), undone AS (
    DELETE FROM tenant_events WHERE id IN (
      SELECT id FROM tenant_events WHERE id IN (SELECT id FROM to_undo) FOR UPDATE SKIP LOCKED
    )
    RETURNING id
  ), undone_by_mark AS (
    INSERT INTO undone_events (id) SELECT id FROM to_undo EXCEPT SELECT id FROM undone
  )
  INSERT INTO tenant_events (
    tenant_id, job_id, event_id, event, data, depth, follows_run_event, bytes, occurred_at, subject, due_at, unless, refusal)
  SELECT tenant_id, job_id, event_id, event, data, depth, false, octet_length(data::text), now(), subject,
         now() + make_interval(secs => after_ms::float8 / 1000), unless,
         CASE WHEN after_ms IS NOT NULL THEN 'waits until it is due' END
  FROM (
    SELECT ended.tenant_id, listener.job_id, ended.event_id, ended.event, ended.subject, ended.nth, listener.after_ms,
           listener.unless,
           coalesce((ended.trigger #>> '{origin,depth}')::integer, 0) + 1 AS depth,
           jsonb_build_object(
             'run_id', ended.id, 'job_id', ended.job_id, 'status', ended.status, 'trigger', ended.trigger ->> 'type',
             'attempts', ended.attempt, 'parent_run_id', ended.trigger ->> 'run_id', 'retry_of', ended.retry_of,
             'error', CASE WHEN ended.error_code IS NOT NULL THEN jsonb_build_object(
               'code', ended.error_code, 'message', left(ended.error_message, 2000)) END) AS data
    FROM ended
      CROSS JOIN LATERAL (
        SELECT trigger.job_id, trigger.after_ms, trigger.unless FROM event_triggers trigger
        WHERE trigger.tenant_id = ended.tenant_id AND trigger.event = ended.event
          AND (trigger.only_jobs IS NULL OR ended.job_id = ANY (trigger.only_jobs))
          AND (SELECT NOT paused FROM jobs WHERE jobs.tenant_id = trigger.tenant_id AND jobs.id = trigger.job_id)
        OFFSET 0
      ) listener
  ) captured
  WHERE depth <= 10 AND NOT EXISTS (
    SELECT FROM latest
    WHERE latest.tenant_id = captured.tenant_id AND latest.subject = captured.subject AND latest.nth > captured.nth
      AND latest.event = ANY (captured.unless)
  )
$$;
`;
