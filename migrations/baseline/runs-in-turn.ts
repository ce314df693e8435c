/** Who goes next: the one place that knows the turn of waiting runs. */
export const runsInTurn = String.raw`

-- The jobs of a tenant that have waiting runs which are not blocked, with the priorities of these runs, and when the first of each is
-- due. None is due before due_from, as tenant_queues has it. It skips in the index from each job and priority to the next, however
-- many runs there are between.
CREATE FUNCTION waiting_lanes(of_tenant uuid, due_from timestamptz)
RETURNS TABLE (job_id text, priority integer, first_due timestamptz) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE lane AS (
    (SELECT run.job_id, run.priority, run.due_at FROM runs_active run
     WHERE run.tenant_id = of_tenant AND run.status IN ('queued', 'retrying') AND run.blocked IS NULL AND run.due_at >= due_from
     ORDER BY run.job_id, run.priority DESC, run.due_at LIMIT 1)
    UNION ALL
    SELECT following.job_id, following.priority, following.due_at FROM lane CROSS JOIN LATERAL (
      (SELECT run.job_id, run.priority, run.due_at FROM runs_active run
       WHERE run.tenant_id = of_tenant AND run.status IN ('queued', 'retrying') AND run.blocked IS NULL
         AND run.job_id = lane.job_id AND run.priority < lane.priority AND run.due_at >= due_from
       ORDER BY run.priority DESC, run.due_at LIMIT 1)
      UNION ALL
      (SELECT run.job_id, run.priority, run.due_at FROM runs_active run
       WHERE run.tenant_id = of_tenant AND run.status IN ('queued', 'retrying') AND run.blocked IS NULL
         AND run.job_id > lane.job_id AND run.due_at >= due_from
       ORDER BY run.job_id, run.priority DESC, run.due_at LIMIT 1)
      LIMIT 1
    ) following
  )
  SELECT lane.job_id, lane.priority, lane.due_at FROM lane
$$;

-- The runs of a tenant that may begin now, the highest priority first, and among these the one that has been due longest: at
-- most as many as given, and of a job at most as many as its max_concurrent_runs leaves. Only who holds the row of
-- tenant_queues knows that they stay free. With each, when the first of all is due that are not blocked, also of those that may not
-- begin.
CREATE FUNCTION runs_in_turn(of_tenant uuid, due_from timestamptz, due_by timestamptz, most integer)
RETURNS TABLE (id text, first_due timestamptz) LANGUAGE sql STABLE AS $$
  WITH lane AS MATERIALIZED (SELECT * FROM waiting_lanes(of_tenant, due_from))
  SELECT turn.id, (SELECT min(first_due) FROM lane) FROM (
    SELECT run.id, run.priority, run.due_at, job.free,
           row_number() OVER (PARTITION BY lane.job_id ORDER BY run.priority DESC, run.due_at, run.id) AS place
    FROM lane
      CROSS JOIN LATERAL (
        SELECT coalesce((
          SELECT greatest(limited.max_concurrent_runs - (
            SELECT count(*) FROM runs_active busy
            WHERE busy.tenant_id = of_tenant AND busy.job_id = lane.job_id AND busy.status = 'running'
          ), 0)
          FROM jobs limited
          WHERE limited.tenant_id = of_tenant AND limited.id = lane.job_id AND limited.max_concurrent_runs IS NOT NULL
        ), most) AS free OFFSET 0
      ) job
      CROSS JOIN LATERAL (
        SELECT due.id, due.priority, due.due_at FROM runs_active due
        WHERE due.tenant_id = of_tenant AND due.job_id = lane.job_id AND due.priority = lane.priority
          AND due.status IN ('queued', 'retrying') AND due.blocked IS NULL AND due.due_at <= due_by
          -- What is left in the index of runs that were due before is passed over once, in the lanes.
          AND due.due_at >= lane.first_due
          -- start_before is about the first attempt.
          AND NOT coalesce(due.start_before <= due_by AND due.status = 'queued', false)
        ORDER BY due.due_at LIMIT least(most, job.free)
      ) run
  ) turn
  WHERE turn.place <= turn.free
  ORDER BY turn.priority DESC, turn.due_at, turn.id LIMIT most
$$;

-- What the counts of each tenant should be.
CREATE VIEW counted_runs AS
SELECT tenant_id, count(*) FILTER (WHERE status = 'running')::integer AS running,
       count(*) FILTER (WHERE status = 'running' AND worker_id IS NULL)::integer AS deferred,
       count(*) FILTER (WHERE status = 'queued')::integer AS queued,
       coalesce(sum(payload_bytes) FILTER (WHERE status = 'queued'), 0)::bigint AS queued_bytes,
       count(*) FILTER (WHERE status = 'retrying')::integer AS retrying,
       min(due_at) FILTER (WHERE status IN ('queued', 'retrying') AND blocked IS NULL) AS first_due
FROM runs_active GROUP BY tenant_id;

-- The tenants whose counts differ, in one snapshot. They never do unless something else than the program changes runs.
CREATE VIEW tenant_queues_with_wrong_counts AS
SELECT queue.tenant_id
FROM tenant_queues queue LEFT JOIN counted_runs counted USING (tenant_id)
WHERE (queue.running, queue.deferred, queue.queued, queue.queued_bytes, queue.retrying)
  <> (coalesce(counted.running, 0), coalesce(counted.deferred, 0), coalesce(counted.queued, 0),
      coalesce(counted.queued_bytes, 0), coalesce(counted.retrying, 0))
  OR queue.due_from > counted.first_due;

-- Sets the counts of a tenant to what its runs say. Returns whether they were wrong. The second statement has a snapshot that
-- is newer than the lock.
CREATE FUNCTION recount_runs(of_tenant uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tenant_queues WHERE tenant_id = of_tenant FOR NO KEY UPDATE;
  UPDATE tenant_queues queue SET
    running = coalesce(counted.running, 0), deferred = coalesce(counted.deferred, 0),
    queued = coalesce(counted.queued, 0), queued_bytes = coalesce(counted.queued_bytes, 0),
    retrying = coalesce(counted.retrying, 0), due_from = coalesce(counted.first_due, '-infinity')
  FROM tenant_queues_with_wrong_counts wrong LEFT JOIN counted_runs counted USING (tenant_id)
  WHERE wrong.tenant_id = of_tenant AND queue.tenant_id = of_tenant;
  RETURN FOUND;
END $$;
`;
