/** How many runs of a job may be at work, and how many may begin within a time: its concurrency and its rate. */
export const jobLimits = String.raw`

-- When runs of jobs with a rate began, by the value that the rate is counted by. Only who holds the row of tenant_queues reads and
-- changes it. There is no reference to the job: it would be locked after the tenant, and deletions lock it before.
CREATE TABLE run_rates (
  tenant_id uuid          NOT NULL,
  job_id    text          NOT NULL,
  key       text          NOT NULL,
  -- When the latest attempts began, in order: as many as the limit of the rate, and more as long as they count, in case the limit
  -- was higher and will be again.
  starts    timestamptz[] NOT NULL,
  -- When runs that wait for this rate are to be looked at again; null where none does.
  free_at   timestamptz,
  PRIMARY KEY (tenant_id, job_id, key)
) WITH (fillfactor = 50);
CREATE INDEX run_rates_awaited ON run_rates (tenant_id, free_at) WHERE free_at IS NOT NULL;

-- How many more attempts may begin at this instant: one row, as PostgreSQL plans such a function with the statement that calls it.
CREATE FUNCTION places_of_rate(rate jsonb, starts timestamptz[], instant timestamptz) RETURNS TABLE (places integer)
LANGUAGE sql STABLE AS $$
  SELECT (rate ->> 'limit')::integer - count(*)::integer FROM unnest(starts) AS start
  WHERE start > instant - make_interval(secs => (rate ->> 'per_ms')::float8 / 1000)
$$;

-- Of runs of a tenant, in their turn, those that have no place, and what leaves none: the rate of their job, or else its concurrency, as
-- many with their value are running or go before them. No reason is given for those that may have a place under the rate once those
-- with the other reason are out of the way. For who holds the row of tenant_queues.
CREATE FUNCTION runs_without_place(run_ids text[], instant timestamptz) RETURNS TABLE (id text, reason text)
LANGUAGE sql STABLE AS $$
  WITH turn AS MATERIALIZED (
    SELECT run.id, run.tenant_id, run.job_id, given.nth,
           CASE WHEN job.concurrency IS NOT NULL THEN run.concurrency_key END AS key, (job.concurrency ->> 'limit')::integer AS places,
           CASE WHEN job.rate IS NOT NULL THEN run.rate_key END AS rate_key, job.rate
    FROM unnest(run_ids) WITH ORDINALITY AS given (id, nth) JOIN runs_active run USING (id)
      JOIN jobs job ON job.tenant_id = run.tenant_id AND job.id = run.job_id
  ), at_work AS MATERIALIZED (
    -- Once for each value: hundreds of runs may wait for places that hundreds have.
    SELECT value.*, (
        SELECT count(*) FROM runs_active busy
        WHERE busy.tenant_id = value.tenant_id AND busy.job_id = value.job_id AND busy.concurrency_key = value.key
          AND busy.status = 'running'
      ) AS running
    FROM (SELECT DISTINCT tenant_id, job_id, key FROM turn WHERE key IS NOT NULL) value
  ), rates AS MATERIALIZED (
    SELECT value.tenant_id, value.job_id, value.rate_key, counted.places
    FROM (
        SELECT DISTINCT ON (tenant_id, job_id, rate_key) * FROM turn WHERE rate_key IS NOT NULL
      ) value LEFT JOIN run_rates known
      ON known.tenant_id = value.tenant_id AND known.job_id = value.job_id AND known.key = value.rate_key
      CROSS JOIN LATERAL places_of_rate(value.rate, known.starts, instant) counted
  ), rated AS (
    SELECT turn.*, rates.places AS rate_places,
           coalesce(row_number() OVER (PARTITION BY turn.tenant_id, turn.job_id, turn.rate_key ORDER BY turn.nth) > rates.places, false)
             AS is_behind
    FROM turn LEFT JOIN rates
      ON rates.tenant_id = turn.tenant_id AND rates.job_id = turn.job_id AND rates.rate_key = turn.rate_key
  ), crowded AS (
    SELECT rated.*, NOT rated.is_behind AND coalesce(at_work.running + row_number() OVER (
             PARTITION BY rated.tenant_id, rated.job_id, rated.key, rated.is_behind ORDER BY rated.nth
           ) > rated.places, false) AS is_crowded
    FROM rated LEFT JOIN at_work
      ON at_work.tenant_id = rated.tenant_id AND at_work.job_id = rated.job_id AND at_work.key = rated.key
  ), throttled AS (
    SELECT crowded.*, row_number() OVER (
             PARTITION BY crowded.tenant_id, crowded.job_id, crowded.rate_key, crowded.is_crowded ORDER BY crowded.nth
           ) > crowded.rate_places AS is_throttled
    FROM crowded
  )
  SELECT throttled.id, CASE WHEN throttled.is_crowded THEN 'concurrency' WHEN throttled.is_throttled THEN 'rate' END
  FROM throttled WHERE throttled.is_crowded OR throttled.is_behind
$$;

-- Lets the next runs with these values, which the concurrency of their job has blocked, be looked at again: as many as left a place,
-- also one that they did not have, as whoever has none is blocked again. A place that a run left because of a rate, if that is given, is
-- of no use to others under this rate. Returns when the first of these runs was due.
CREATE FUNCTION unblock_next_runs(tenants uuid[], jobs text[], keys text[], rate_keys text[], instant timestamptz) RETURNS timestamptz
LANGUAGE plpgsql AS $$
DECLARE
  first_due timestamptz;
BEGIN
  WITH unblocked AS (
    UPDATE runs_active SET blocked = NULL WHERE id IN (
      SELECT following.id FROM (
        SELECT tenant_id, job_id, key, rate_key, count(*) AS places
        FROM unnest(tenants, jobs, keys, rate_keys) AS place (tenant_id, job_id, key, rate_key)
        GROUP BY tenant_id, job_id, key, rate_key
      ) free_places CROSS JOIN LATERAL (
        SELECT waiting.id FROM runs_active waiting
        WHERE waiting.tenant_id = free_places.tenant_id AND waiting.job_id = free_places.job_id
          AND waiting.concurrency_key = free_places.key AND waiting.blocked = 'concurrency'
          AND (free_places.rate_key IS NULL OR waiting.rate_key IS DISTINCT FROM free_places.rate_key)
          AND NOT coalesce(waiting.start_before <= instant AND waiting.status = 'queued', false)
        ORDER BY waiting.priority DESC, waiting.due_at, waiting.id LIMIT free_places.places
      ) following
    ) RETURNING due_at
  )
  SELECT min(due_at) INTO first_due FROM unblocked;
  RETURN first_due;
END $$;

-- The runs of a tenant that were blocked by a rate which leaves places now, the first ones of each rate.
CREATE FUNCTION runs_with_place_again(of_tenant uuid, instant timestamptz, most integer) RETURNS TABLE (id text)
LANGUAGE sql STABLE AS $$
  WITH job AS MATERIALIZED (
    SELECT jobs.id, jobs.rate, least(most, jobs.max_concurrent_runs - (
             SELECT count(*) FROM runs_active busy
             WHERE busy.tenant_id = of_tenant AND busy.job_id = jobs.id AND busy.status = 'running'
           )) AS free
    FROM jobs WHERE jobs.tenant_id = of_tenant AND jobs.rate IS NOT NULL
  )
  SELECT following.id FROM (
    SELECT open.job_id, open.key, least(job.free, counted.places) AS places
    FROM job CROSS JOIN LATERAL (
      -- A job that has no room for its runs keeps those of no other job waiting.
      SELECT * FROM run_rates WHERE tenant_id = of_tenant AND job_id = job.id AND free_at <= instant ORDER BY free_at LIMIT 100
    ) open CROSS JOIN LATERAL places_of_rate(job.rate, open.starts, instant) counted
    WHERE job.free > 0
  ) rated CROSS JOIN LATERAL (
    SELECT waiting.id FROM runs_active waiting
    WHERE waiting.tenant_id = of_tenant AND waiting.job_id = rated.job_id AND waiting.rate_key = rated.key
      AND waiting.blocked = 'rate' AND NOT coalesce(waiting.start_before <= instant AND waiting.status = 'queued', false)
    ORDER BY waiting.priority DESC, waiting.due_at, waiting.id LIMIT greatest(rated.places, 0)
  ) following
$$;

-- Counts attempts that begin against the rates of their jobs, and tells when runs that were blocked by a rate are to be looked at
-- again: when the first of as many attempts as its limit is too long ago to count.
CREATE FUNCTION count_starts(of_tenants uuid[], begun text[], throttled text[], instant timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH changed AS (
    SELECT tenant_id, job_id, key, sum(more)::integer AS more FROM (
      SELECT tenant_id, job_id, rate_key, CASE WHEN id = ANY (begun) THEN 1 ELSE 0 END
      FROM runs_active WHERE id = ANY (begun || throttled) AND rate_key IS NOT NULL
      UNION ALL
      SELECT tenant_id, job_id, key, 0 FROM run_rates WHERE tenant_id = ANY (of_tenants) AND free_at <= instant
    ) AS start (tenant_id, job_id, key, more)
    GROUP BY tenant_id, job_id, key
  )
  INSERT INTO run_rates (tenant_id, job_id, key, starts, free_at)
  SELECT changed.tenant_id, changed.job_id, changed.key, latest.starts,
         CASE WHEN job.rate IS NOT NULL AND EXISTS (
           SELECT FROM runs_active waiting
           WHERE waiting.tenant_id = changed.tenant_id AND waiting.job_id = changed.job_id AND waiting.rate_key = changed.key
             AND waiting.blocked = 'rate'
         ) THEN coalesce(latest.starts[cardinality(latest.starts) - rate.limit + 1] + rate.per, instant) END
  FROM changed LEFT JOIN jobs job ON job.tenant_id = changed.tenant_id AND job.id = changed.job_id
    LEFT JOIN run_rates known
      ON known.tenant_id = changed.tenant_id AND known.job_id = changed.job_id AND known.key = changed.key
    CROSS JOIN LATERAL (
      SELECT (job.rate ->> 'limit')::integer AS limit, make_interval(secs => (job.rate ->> 'per_ms')::float8 / 1000) AS per
    ) rate CROSS JOIN LATERAL (
      -- In order also after the clock was set back.
      SELECT coalesce(array_agg(start ORDER BY start), '{}') AS starts FROM (
        SELECT start, row_number() OVER (ORDER BY start DESC) AS nth
        FROM unnest(known.starts || array_fill(instant, ARRAY[CASE WHEN job.rate IS NULL THEN 0 ELSE changed.more END])) AS start
      ) counted
      WHERE coalesce(nth <= rate.limit OR start > instant - rate.per, true)
    ) latest
  WHERE job.rate IS NOT NULL OR known.key IS NOT NULL
  ON CONFLICT (tenant_id, job_id, key) DO UPDATE SET starts = excluded.starts, free_at = excluded.free_at;
END $$;

-- The runs of a tenant, some of whose jobs have a concurrency or a rate, that begin now in as many slots. Marks those whose turn it is
-- and which have no place, so that none is looked at with every claim, and looks behind them: a few hundred at most.
CREATE FUNCTION turns_under_limits(
  -- As tenant_queues has it, and as it is afterwards.
  of_tenant uuid, INOUT due_from timestamptz, instant timestamptz, slots integer,
  -- The runs, and those that a rate has blocked. Whether a concurrency has blocked runs that are not just to wait; whether runs have a
  -- place under a rate again; and whether there may be more that could begin.
  OUT turns text[], OUT throttled text[], OUT has_blocked boolean, OUT is_reopened boolean, OUT may_be_more boolean
) LANGUAGE plpgsql AS $$
DECLARE
  looked_at text[]; left_out text[]; reasons text[]; run runs_active;
  -- The jobs and values of runs that have left a place to others, and the values that the rate which kept them from it goes by.
  left_jobs text[]; left_keys text[]; left_rates text[]; unblocked_from timestamptz;
BEGIN
  throttled := '{}'; has_blocked := false;
  is_reopened := false;
  IF EXISTS (SELECT FROM run_rates WHERE tenant_id = of_tenant AND free_at <= instant) THEN
    WITH reopened AS (
      UPDATE runs_active SET blocked = NULL WHERE id IN (SELECT id FROM runs_with_place_again(of_tenant, instant, slots))
      RETURNING due_at
    )
    SELECT min(due_at) INTO unblocked_from FROM reopened;
    is_reopened := unblocked_from IS NOT NULL;
    due_from := least(due_from, unblocked_from);
  END IF;
  FOR pass IN 1 .. 3 LOOP
    SELECT coalesce(array_agg(id), '{}'), coalesce(min(first_due), due_from) INTO looked_at, due_from
    FROM runs_in_turn(of_tenant, due_from, instant, greatest(slots, least(200, (slots + 2) * 6 ^ (pass - 1)))::integer);
    SELECT coalesce(array_agg(id), '{}'), coalesce(array_agg(reason), '{}') INTO left_out, reasons
    FROM runs_without_place(looked_at, instant);
    left_jobs := '{}'; left_keys := '{}'; left_rates := '{}';
    FOR run IN
      UPDATE runs_active SET blocked = without.reason FROM unnest(left_out, reasons) AS without (id, reason)
      WHERE runs_active.id = without.id AND without.reason IS NOT NULL RETURNING runs_active.*
    LOOP
      IF run.blocked = 'concurrency' THEN
        has_blocked := has_blocked OR EXISTS (
          SELECT FROM jobs
          WHERE tenant_id = of_tenant AND id = run.job_id AND concurrency ->> 'when_full' <> 'queue');
      ELSE
        throttled := throttled || run.id;
        IF run.concurrency_key IS NOT NULL AND EXISTS (
          SELECT FROM jobs WHERE tenant_id = of_tenant AND id = run.job_id AND rate ? 'key') THEN
          left_jobs := left_jobs || run.job_id; left_keys := left_keys || run.concurrency_key;
          left_rates := left_rates || run.rate_key;
        END IF;
      END IF;
    END LOOP;
    IF left_keys <> '{}' THEN
      unblocked_from :=
        unblock_next_runs(array_fill(of_tenant, ARRAY[cardinality(left_keys)]), left_jobs, left_keys, left_rates, instant);
      due_from := least(due_from, unblocked_from);
    END IF;
    turns := ARRAY(
      SELECT id FROM unnest(looked_at) WITH ORDINALITY AS turn (id, nth) WHERE id <> ALL (left_out) ORDER BY nth LIMIT slots);
    may_be_more := left_out <> '{}' AND cardinality(turns) < slots;
    EXIT WHEN NOT may_be_more;
  END LOOP;
END $$;

-- Lets all blocked runs of jobs, which have more places now or are gone, be looked at again when it is their turn.
CREATE FUNCTION unblock_runs(of_tenant uuid, of_jobs text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tenant_queues SET due_from = '-infinity' WHERE tenant_id = of_tenant;
  UPDATE runs_active SET blocked = NULL WHERE tenant_id = of_tenant AND job_id = ANY (of_jobs) AND blocked IS NOT NULL;
  UPDATE run_rates SET free_at = NULL WHERE tenant_id = of_tenant AND job_id = ANY (of_jobs) AND free_at IS NOT NULL;
END $$;
`;
