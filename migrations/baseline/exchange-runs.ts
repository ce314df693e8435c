/** The one function through which runs are accepted, begin and end, and one for jobs that limit them otherwise than before. */
export const exchangeRuns = String.raw`

-- For the given tenants, under the locks of their rows: defers attempts, ends attempts and runs, accepts runs, and gives the
-- slots on offer to the runs whose turn it is. Each step is one statement for all tenants. A step that has nothing to do costs
-- nothing, and the snapshot of each statement is newer than the locks, so it sees whatever others did to runs of these tenants.
--
-- exchange is an object. Whatever is not of one of its tenants is left out:
--   tenants  [{tenant_id, slots}], each once, with how many of its runs may begin on the worker
--   defers   [{tenant_id, id, fence, worker_id}]: their handlers will report the end
--   retries  [{tenant_id, id, fence, worker_id, outcome, status_code, error_code, error_message, failures, losses, delay_ms}]
--   ends     [{tenant_id, id, fence, worker_id, status, outcome, status_code, error_code, error_message, result, failures,
--              losses, if_late}]
--   arrivals [{tenant_id, id, job_id, trigger, payload, ..., nth, bytes_with_it}], numbered by tenant, with the sum of the
--              payloads so far
-- A retry or an end with a fence is that of an attempt: it changes nothing unless the run runs under this fence, and for
-- this worker if one is given. An end without a fence ends the run as it is, with if_late only if it has not started in time.
--
-- With a lock_limit_ms it fails if another transaction has locked one of the tenants for longer. Deletions lock a job before
-- its tenant. So with waits_for_jobs, which only who has locked no tenant may ask for, it waits for them first; without, runs of
-- a job that is being deleted are left out.
--
-- IS NOT DISTINCT FROM is a condition that no index serves: a run is looked up by its id alone, never among all of its tenant.
--
-- The rows: a run that was deferred, ended (also one that is retried), accepted (with the id that was given for it, another one if it
-- joined a run that was waiting, and with the ms until it is due), refused (with the quota that it reached) or claimed; and for each
-- tenant one without a run, with whether runs wait, whether workers have room for them, whether some are blocked by the concurrency of
-- a job that does not let them wait, and in how many ms a rate next leaves a place.
CREATE FUNCTION exchange_runs_1(
  worker uuid, cap integer, max_queued bigint, max_queued_bytes bigint, worker_life_ms float8, lock_limit_ms integer,
  waits_for_jobs boolean, exchange json
) RETURNS TABLE (
  kind text, run runs, reached text, is_waiting boolean, has_room boolean, has_blocked boolean, given_id text, wait_ms float8
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  given record; instant timestamptz;
  -- The runs that have ended, those of which an attempt has, and those that begin.
  ended text[] := '{}'; attempts text[] := '{}'; turns text[] := '{}';
  -- Of each tenant, in the same order: its id, its counts, where their row is, and how many more runs may begin. And the place of the
  -- run's tenant. The rows are looked for once: earlier versions, which a long transaction keeps, are in the way.
  tenant_ids uuid[]; queues tenant_queues[]; locations tid[]; free integer[]; n integer;
  -- The lines that follow from what happened, with their tenants, runs, jobs and levels.
  line_ids bigint[] := '{}'; line_tenants uuid[] := '{}'; line_runs text[] := '{}'; line_jobs text[] := '{}';
  line_levels text[] := '{}';
  -- The places under the concurrency of jobs that became free, and when the first run that could have one was due.
  left_tenants uuid[] := '{}'; left_jobs text[] := '{}'; left_keys text[] := '{}'; unblocked_from timestamptz;
  -- The tenants with jobs that have a concurrency or a rate; and what was found out about one of them, or about a run.
  limited uuid[] := '{}'; look record; blocked uuid[] := '{}'; reopened uuid[] := '{}'; throttled text[] := '{}';
  -- The arrivals that have not yet joined a run that waits for further triggers, and what was there before one was joined.
  later text[]; bytes_before integer;
BEGIN
  IF lock_limit_ms > 0 THEN PERFORM set_config('lock_timeout', lock_limit_ms::text, true); END IF;

  SELECT * INTO given FROM json_to_record(exchange)
    AS given (tenants json, defers json, retries json, ends json, arrivals json);

  IF waits_for_jobs THEN
    PERFORM FROM jobs
    WHERE (tenant_id, id) IN (
      SELECT tenant_id, job_id FROM json_to_recordset(given.arrivals) AS new (tenant_id uuid, job_id text)
    )
    ORDER BY tenant_id, id FOR KEY SHARE;
  END IF;

  -- BETWEEN lets the index be read from its end, where the latest version of a row is.
  SELECT array_agg(tenant_id), array_agg(queue), array_agg(location), array_agg(slots) INTO tenant_ids, queues, locations, free
  FROM (SELECT * FROM json_to_recordset(given.tenants) AS one (tenant_id uuid, slots integer) ORDER BY tenant_id) tenant CROSS JOIN LATERAL (
    SELECT queue, queue.ctid AS location FROM tenant_queues queue
    WHERE queue.tenant_id BETWEEN tenant.tenant_id AND tenant.tenant_id ORDER BY queue.tenant_id DESC LIMIT 1 FOR NO KEY UPDATE
  ) locked;
  IF tenant_ids IS NULL THEN RETURN; END IF;
  -- Not now(), which was before the locks: what others made due meanwhile is due.
  instant := clock_timestamp();

  IF given.defers IS NOT NULL THEN
    FOR run IN
      WITH deferred AS (
        UPDATE runs_active active SET worker_id = NULL
        FROM json_to_recordset(given.defers) AS attempt (tenant_id uuid, id text, fence integer, worker_id uuid)
        WHERE active.id = attempt.id AND active.fence = attempt.fence AND active.worker_id = attempt.worker_id
          AND active.tenant_id IS NOT DISTINCT FROM attempt.tenant_id AND attempt.tenant_id = ANY (tenant_ids)
          AND active.status = 'running'
        RETURNING active.*
      ), added AS (
        INSERT INTO deferred_attempts (run_id, tenant_id, fence, expires_at)
        SELECT id, tenant_id, fence, instant + make_interval(secs => timeout_ms / 1000.0) FROM deferred
      )
      TABLE deferred
    LOOP
      n := array_position(tenant_ids, run.tenant_id);
      queues[n].deferred := queues[n].deferred + 1;
      kind := 'deferred'; run.payload := NULL;
      RETURN NEXT;
    END LOOP;
  END IF;

  IF given.retries IS NOT NULL THEN
    FOR run IN
      WITH held AS (
        SELECT attempt.*, active.attempt AS number, active.attempt_started_at AS started_at
        FROM json_to_recordset(given.retries) AS attempt (
            tenant_id uuid, id text, fence integer, worker_id uuid, outcome text, status_code integer, error_code text,
            error_message text, failures integer, losses integer, delay_ms float8)
          JOIN runs_active active ON active.id = attempt.id
        WHERE active.tenant_id IS NOT DISTINCT FROM attempt.tenant_id AND attempt.tenant_id = ANY (tenant_ids)
          AND active.status = 'running' AND active.fence = attempt.fence
          AND (attempt.worker_id IS NULL OR active.worker_id = attempt.worker_id)
      ), kept AS (
        INSERT INTO run_attempts (run_id, number, started_at, completed_at, outcome, status_code, error)
        SELECT id, number, started_at, instant, outcome, status_code, error_message FROM held
      ), logged AS (
        -- The row will tell of the next attempt. The line about the start of this one keeps its number.
        INSERT INTO run_logs (id, at, tenant_id, run_id, job_id, attempt, level, message) OVERRIDING SYSTEM VALUE
        SELECT line.id, line.at, active.tenant_id, active.id, active.job_id, held.number, line.level, line.message
        FROM held JOIN runs_active active ON active.id = held.id CROSS JOIN LATERAL (
          VALUES (active.started_line, held.started_at, 'info', 'attempt ' || held.number || ' started'),
                 (nextval('run_logs_id_seq'), instant, 'warn',
                  text_of_attempt(held.number, held.outcome, held.status_code, held.error_message)
                  || '; retry in ' || round(held.delay_ms) || ' ms')
        ) AS line (id, at, level, message)
        WHERE line.id IS NOT NULL
      )
      UPDATE runs_active active SET
        status = 'retrying', worker_id = NULL, failures = active.failures + held.failures,
        losses = active.losses + held.losses, attempt_started_at = NULL, started_line = NULL, result = NULL,
        error_code = held.error_code, error_message = held.error_message,
        due_at = instant + make_interval(secs => held.delay_ms / 1000)
      FROM held WHERE active.id = held.id
      RETURNING active.*
    LOOP
      n := array_position(tenant_ids, run.tenant_id);
      queues[n].running := queues[n].running - 1; queues[n].retrying := queues[n].retrying + 1;
      queues[n].due_from := least(queues[n].due_from, run.due_at);
      attempts := attempts || run.id;
      IF run.concurrency_key IS NOT NULL THEN
        left_tenants := left_tenants || run.tenant_id; left_jobs := left_jobs || run.job_id;
        left_keys := left_keys || run.concurrency_key;
      END IF;
      kind := 'ended'; run.payload := NULL;
      RETURN NEXT;
    END LOOP;
  END IF;

  IF given.ends IS NOT NULL THEN
    FOR run IN
      WITH gone AS (
        DELETE FROM runs_active active
        USING json_to_recordset(given.ends) AS final (
          tenant_id uuid, id text, fence integer, worker_id uuid, status text, outcome text, status_code integer,
          error_code text, error_message text, result text, failures integer, losses integer, if_late boolean)
        WHERE active.id = final.id
          AND active.tenant_id IS NOT DISTINCT FROM final.tenant_id AND final.tenant_id = ANY (tenant_ids)
          AND (final.fence IS NULL OR active.status = 'running' AND active.fence = final.fence)
          AND (final.worker_id IS NULL OR active.worker_id = final.worker_id)
          AND (final.if_late IS NOT TRUE OR active.status = 'queued' AND active.start_before <= instant)
        RETURNING active.*, active.status = 'running' AS was_running, final.status AS final_status,
          final.outcome AS final_outcome, final.status_code AS final_status_code, final.error_code AS final_error_code,
          final.error_message AS final_error_message, final.result AS final_result,
          final.failures AS more_failures, final.losses AS more_losses
      ), ended AS (
        INSERT INTO runs_ended (
          id, tenant_id, job_id, status, trigger, payload, payload_bytes, handler, timeout_ms, retry_backoff,
          acts_as_caller, permissions, priority, attempt, failures, losses, max_attempts, fence, due_at, start_before,
          scheduled_for, created_at, started_at, completed_at, attempt_started_at, outcome, status_code, retry_of,
          result, error_code, error_message,
          trace_parent, of_open_job, delayed_until, concurrency_key, rate_key, queued_line, started_line, ended_line)
        SELECT
          id, tenant_id, job_id, final_status, trigger, payload, payload_bytes, handler, timeout_ms, retry_backoff,
          acts_as_caller, permissions, priority, attempt, failures + more_failures, losses + more_losses,
          max_attempts, fence, due_at, start_before,
          scheduled_for, created_at, started_at, instant, attempt_started_at, CASE WHEN was_running THEN final_outcome END,
          CASE WHEN was_running THEN final_status_code END, retry_of, final_result::json, final_error_code,
          final_error_message, trace_parent, of_open_job, delayed_until, concurrency_key, rate_key, queued_line, started_line,
          nextval('run_logs_id_seq')
        FROM gone
        RETURNING *
      )
      TABLE ended
    LOOP
      n := array_position(tenant_ids, run.tenant_id);
      ended := ended || run.id;
      line_ids := line_ids || run.ended_line; line_tenants := line_tenants || run.tenant_id;
      line_runs := line_runs || run.id; line_jobs := line_jobs || run.job_id;
      line_levels := line_levels || level_of_end(run.status);
      IF run.outcome IS NOT NULL THEN
        queues[n].running := queues[n].running - 1;
        attempts := attempts || run.id;
      ELSIF run.attempt = 0 THEN
        queues[n].queued := queues[n].queued - 1;
        queues[n].queued_bytes := queues[n].queued_bytes - run.payload_bytes;
      ELSE
        queues[n].retrying := queues[n].retrying - 1;
      END IF;
      IF run.concurrency_key IS NOT NULL THEN
        left_tenants := left_tenants || run.tenant_id; left_jobs := left_jobs || run.job_id;
        left_keys := left_keys || run.concurrency_key;
      END IF;
      kind := 'ended'; run.payload := NULL; run.result := NULL;
      RETURN NEXT;
    END LOOP;

    IF EXISTS (
      SELECT FROM event_triggers
      WHERE tenant_id = ANY (tenant_ids)
        AND (event IN ('run.completed', 'run.failed', 'run.cancelled')
          OR unless && '{run.completed,run.failed,run.cancelled}')
    ) THEN
      PERFORM capture_ends_of_runs(ended);
    END IF;
  END IF;

  IF attempts <> '{}' AND EXISTS (SELECT FROM unnest(queues) WHERE deferred > 0) THEN
    FOR run.tenant_id IN DELETE FROM deferred_attempts WHERE run_id = ANY (attempts) RETURNING tenant_id LOOP
      n := array_position(tenant_ids, run.tenant_id);
      -- Below zero only if something other than the program changed the counts, which keeps no run from ending.
      queues[n].deferred := greatest(queues[n].deferred - 1, 0);
    END LOOP;
  END IF;

  IF given.arrivals IS NOT NULL THEN
    -- The sums go on from the counts of before the arrivals.
    run := NULL;
    FOR run.tenant_id, run.id, reached IN
      SELECT new.tenant_id, new.id, CASE WHEN queue.queued + new.nth > max_queued THEN 'waitingRuns' ELSE 'waitingPayloadBytes' END
      FROM json_to_recordset(given.arrivals) AS new (tenant_id uuid, id text, nth integer, bytes_with_it bigint)
        JOIN unnest(queues) queue USING (tenant_id)
      WHERE queue.queued + new.nth > max_queued OR queue.queued_bytes + new.bytes_with_it > max_queued_bytes
    LOOP
      kind := 'refused';
      RETURN NEXT;
    END LOOP;
    reached := NULL;

    FOR run IN
      WITH accepted AS (
        INSERT INTO runs_active (
          id, tenant_id, job_id, status, trigger, payload, payload_bytes, handler, timeout_ms, retry_backoff,
          acts_as_caller, permissions, priority, max_attempts, due_at, start_before, scheduled_for, created_at, retry_of,
          trace_parent, of_open_job,
          delayed_until, concurrency_key, rate_key, debounce_key, queued_line)
        SELECT
          new.id, job.tenant_id, job.id, 'queued', new.trigger, new.payload::json, new.payload_bytes, job.handler,
          job.timeout_ms, job.retry_backoff, job.acts_as_caller, job.permissions,
          coalesce(new.priority, job.priority), job.retries + 1, due.at,
          due.at + make_interval(secs => job.start_within_ms::float8 / 1000), new.scheduled_for, instant, new.retry_of,
          new.trace_parent, job.invocable_by IS NOT DISTINCT FROM 'authenticated',
          CASE WHEN due.at > instant THEN due.at END,
          CASE WHEN job.concurrency IS NOT NULL THEN key_of_payload(new.payload::json, job.concurrency ->> 'key') END,
          CASE WHEN job.rate IS NOT NULL THEN coalesce(key_of_payload(new.payload::json, job.rate ->> 'key'), '') END,
          CASE WHEN wait.debounce IS NOT NULL THEN debounce_key_of(job, new.trigger, new.payload::json) END,
          nextval('run_logs_id_seq')
        FROM json_to_recordset(given.arrivals) AS new (
            tenant_id uuid, id text, job_id text, trigger jsonb, payload text, payload_bytes integer, priority integer,
            delay_ms float8, run_at timestamptz, scheduled_for timestamptz, retry_of text, trace_parent text, nth integer,
            bytes_with_it bigint)
          JOIN unnest(queues) queue ON queue.tenant_id = new.tenant_id
          JOIN jobs job ON job.tenant_id = new.tenant_id AND job.id = new.job_id
          CROSS JOIN LATERAL (
            SELECT CASE WHEN new.retry_of IS NULL AND new.run_at IS NULL AND new.delay_ms = 0 THEN job.debounce END AS debounce
          ) wait CROSS JOIN LATERAL (
            SELECT coalesce(new.run_at, end_of_debounce(wait.debounce, instant, instant),
                            instant + make_interval(secs => new.delay_ms / 1000)) AS at
          ) due
        WHERE (NOT job.paused OR new.trigger ->> 'type' = 'manual' OR new.retry_of IS NOT NULL)
          AND (queue.queued + new.nth > max_queued OR queue.queued_bytes + new.bytes_with_it > max_queued_bytes) IS NOT TRUE
        ORDER BY new.tenant_id, new.nth
        FOR KEY SHARE OF job SKIP LOCKED
        RETURNING *
      )
      TABLE accepted
    LOOP
      n := array_position(tenant_ids, run.tenant_id);
      given_id := run.id; bytes_before := NULL;
      IF run.debounce_key IS NOT NULL THEN
        later := array_remove(coalesce(later, ARRAY(SELECT id FROM json_to_recordset(given.arrivals) AS new (id text))), run.id);
        SELECT * INTO look FROM join_waiting_run(run.id, later);
        run := look.run; bytes_before := look.bytes_before;
        IF look.left_key IS NOT NULL THEN
          left_tenants := left_tenants || run.tenant_id; left_jobs := left_jobs || run.job_id; left_keys := left_keys || look.left_key;
        END IF;
      END IF;
      queues[n].queued_bytes := queues[n].queued_bytes + run.payload_bytes - coalesce(bytes_before, 0);
      queues[n].due_from := least(queues[n].due_from, run.due_at);
      IF bytes_before IS NULL THEN
        queues[n].queued := queues[n].queued + 1;
        line_ids := line_ids || run.queued_line; line_tenants := line_tenants || run.tenant_id;
        line_runs := line_runs || run.id; line_jobs := line_jobs || run.job_id; line_levels := line_levels || 'info'::text;
      END IF;
      kind := 'accepted'; run.payload := NULL; wait_ms := extract(epoch FROM run.due_at - instant) * 1000;
      RETURN NEXT;
    END LOOP;
  END IF;

  IF left_keys <> '{}' THEN unblocked_from := unblock_next_runs(left_tenants, left_jobs, left_keys, '{}', instant); END IF;

  FOR n IN 1 .. cardinality(tenant_ids) LOOP
    IF tenant_ids[n] = ANY (left_tenants) THEN queues[n].due_from := least(queues[n].due_from, unblocked_from); END IF;
    free[n] := CASE WHEN queues[n].queued + queues[n].retrying > 0 THEN least(free[n], cap - queues[n].running) ELSE 0 END;
  END LOOP;

  IF 0 < ANY (free) THEN
    limited := ARRAY(
      SELECT tenant.id FROM unnest(tenant_ids) AS tenant (id)
      WHERE EXISTS (SELECT FROM jobs WHERE tenant_id = tenant.id AND (concurrency IS NOT NULL OR rate IS NOT NULL)));

    FOR look IN
      SELECT queue.ordinality AS nth, array_agg(turn.id) AS turns, min(turn.first_due) AS first_due
      FROM unnest(queues) WITH ORDINALITY queue
        CROSS JOIN LATERAL runs_in_turn(queue.tenant_id, queue.due_from, instant, free[queue.ordinality]) turn
      WHERE free[queue.ordinality] > 0 AND queue.tenant_id <> ALL (limited)
      GROUP BY queue.ordinality
    LOOP
      turns := turns || look.turns;
      queues[look.nth].due_from := look.first_due;
    END LOOP;

    FOR n IN 1 .. cardinality(tenant_ids) LOOP
      CONTINUE WHEN free[n] <= 0 OR tenant_ids[n] <> ALL (limited);
      SELECT * INTO look FROM turns_under_limits(tenant_ids[n], queues[n].due_from, instant, free[n]);
      turns := turns || look.turns;
      queues[n].due_from := look.due_from;
      throttled := throttled || look.throttled;
      IF look.has_blocked THEN blocked := blocked || tenant_ids[n]; END IF;
      IF look.is_reopened THEN reopened := reopened || tenant_ids[n]; END IF;
      -- The next exchange looks for them.
      IF look.may_be_more THEN free[n] := cardinality(look.turns); END IF;
    END LOOP;

    FOR run IN
      WITH claimed AS (
        UPDATE runs_active SET
          status = 'running', worker_id = worker, fence = fence + 1, attempt = attempt + 1,
          started_at = coalesce(started_at, instant), attempt_started_at = instant,
          started_line = nextval('run_logs_id_seq')
        WHERE id = ANY (turns)
        RETURNING *
      )
      SELECT * FROM claimed ORDER BY priority DESC, due_at, id
    LOOP
      n := array_position(tenant_ids, run.tenant_id);
      queues[n].running := queues[n].running + 1; free[n] := free[n] - 1;
      IF run.attempt = 1 THEN
        queues[n].queued := queues[n].queued - 1;
        queues[n].queued_bytes := queues[n].queued_bytes - run.payload_bytes;
      ELSE
        queues[n].retrying := queues[n].retrying - 1;
      END IF;
      line_ids := line_ids || run.started_line; line_tenants := line_tenants || run.tenant_id;
      line_runs := line_runs || run.id; line_jobs := line_jobs || run.job_id; line_levels := line_levels || 'info'::text;
      kind := 'claimed';
      RETURN NEXT;
    END LOOP;

    IF limited <> '{}' THEN PERFORM count_starts(limited, turns, throttled, instant); END IF;
  END IF;

  UPDATE tenant_queues queue SET
    running = (queues[nth]).running, deferred = (queues[nth]).deferred, queued = (queues[nth]).queued,
    queued_bytes = (queues[nth]).queued_bytes, retrying = (queues[nth]).retrying, due_from = (queues[nth]).due_from
  FROM unnest(locations) WITH ORDINALITY AS locked (location, nth)
  WHERE queue.ctid = location AND queue IS DISTINCT FROM queues[nth];

  IF line_ids <> '{}' THEN
    INSERT INTO run_changes (last_line, first_line, tenant_id, at, run_ids, job_ids, levels)
    SELECT max(id), min(id), tenant_id, instant, array_agg(run_id), array_agg(DISTINCT job_id), array_agg(DISTINCT level)
    FROM (
      SELECT *, row_number() OVER (PARTITION BY tenant_id ORDER BY id) AS nth
      FROM unnest(line_ids, line_tenants, line_runs, line_jobs, line_levels) AS line (id, tenant_id, run_id, job_id, level)
    ) line
    GROUP BY tenant_id, (nth - 1) / 500;
  END IF;

  run := NULL; kind := 'tenant';
  FOR run.tenant_id, is_waiting, has_room, has_blocked, wait_ms IN
    SELECT queue.tenant_id, queue.queued + queue.retrying > 0,
           -- Where slots were left over, no other run may begin now. What is not due yet has a wake-up of its own.
           queue.queued + queue.retrying > 0 AND free[queue.ordinality] <= 0 AND queue.running < cap
             AND coalesce(queue.running - queue.deferred < (
               -- Of all workers; null where there is none.
               SELECT sum(tenant_slots) FROM workers
               WHERE heartbeat_at > instant - make_interval(secs => worker_life_ms / 1000)
             ), true)
             AND (EXISTS (SELECT FROM runs_in_turn(queue.tenant_id, queue.due_from, instant, 1))
               OR EXISTS (SELECT FROM run_rates WHERE tenant_id = queue.tenant_id AND free_at <= instant)),
           queue.tenant_id = ANY (blocked),
           CASE WHEN queue.tenant_id = ANY (reopened) AND free[queue.ordinality] > 0 THEN 0
                WHEN queue.tenant_id = ANY (limited) THEN (
                  SELECT extract(epoch FROM min(free_at) - instant) * 1000 FROM run_rates
                  WHERE tenant_id = queue.tenant_id AND free_at > instant
                )
           END
    FROM unnest(queues) WITH ORDINALITY queue
  LOOP
    RETURN NEXT;
  END LOOP;
END $$;
`;
