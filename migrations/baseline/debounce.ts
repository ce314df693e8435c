/** How triggers that follow each other closely become one run. */
export const debounce = String.raw`

-- When a run is due that waits for further triggers: as long after the last one as the period, but not longer after the first one than
-- the maximum.
CREATE FUNCTION end_of_debounce(debounce jsonb, first_at timestamptz, last_at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT least(
    last_at + make_interval(secs => (debounce ->> 'period_ms')::float8 / 1000),
    first_at + make_interval(secs => (debounce ->> 'max_ms')::float8 / 1000))
$$;

-- By what a trigger joins a waiting run. Where it matters who sets a run going, each caller has runs of their own; what sets one
-- going for the tenant, such as a schedule, is one of them.
CREATE FUNCTION debounce_key_of(job jobs, trigger jsonb, payload json) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN job.acts_as_caller OR job.invocable_by IS NOT NULL
      THEN concat_ws(' ', trigger ->> 'user_id', trigger ->> 'key_id', trigger ->> 'operator_id', trigger ->> 'run_id', '')
      ELSE '' END
    || coalesce(key_of_payload(payload, job.debounce ->> 'key'), '')
$$;

-- Lets a run that was accepted in this transaction join the one that waits for further triggers, if there is one that was accepted
-- before: any but those that were accepted in this transaction, too, and are to join later. The waiting run becomes what the new one
-- would have been, with its own id and age. Returns the run that is left, the bytes of the payload that was replaced, and the value by
-- which the concurrency of the job counted it: it may have been its turn. For who holds the row of tenant_queues.
CREATE FUNCTION join_waiting_run(new_id text, later text[], OUT run runs, OUT bytes_before integer, OUT left_key text)
LANGUAGE plpgsql AS $$
DECLARE
  new runs_active; kept runs_active;
BEGIN
  SELECT * INTO new FROM runs_active WHERE id = new_id;
  SELECT * INTO kept FROM runs_active waiting
  WHERE waiting.tenant_id = new.tenant_id AND waiting.job_id = new.job_id AND waiting.debounce_key = new.debounce_key
    AND waiting.status = 'queued' AND waiting.id <> new_id AND waiting.id <> ALL (later)
  LIMIT 1;
  IF kept.id IS NULL THEN
    run := new;
    RETURN;
  END IF;
  bytes_before := kept.payload_bytes; left_key := kept.concurrency_key;
  DELETE FROM runs_active WHERE id = new_id;
  UPDATE runs_active waiting SET
    trigger = new.trigger, payload = new.payload, payload_bytes = new.payload_bytes, handler = new.handler,
    timeout_ms = new.timeout_ms, retry_backoff = new.retry_backoff, acts_as_caller = new.acts_as_caller,
    permissions = new.permissions, priority = new.priority, max_attempts = new.max_attempts, due_at = due.at,
    start_before = greatest(due.at, new.created_at) + (new.start_before - new.due_at),
    scheduled_for = new.scheduled_for, trace_parent = new.trace_parent, of_open_job = new.of_open_job,
    delayed_until = due.at, concurrency_key = new.concurrency_key, rate_key = new.rate_key, blocked = NULL
  FROM jobs job CROSS JOIN LATERAL (
    SELECT end_of_debounce(job.debounce, kept.created_at, new.created_at) AS at
  ) due
  WHERE waiting.id = kept.id AND job.tenant_id = new.tenant_id AND job.id = new.job_id
  RETURNING waiting.* INTO run;
END $$;
`;
