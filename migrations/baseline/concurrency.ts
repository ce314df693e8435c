/**
 * What runs of a tenant and of a job wait for: counts of rows of runs, which change only in the statements that change these
 * rows, so that they cannot drift from them.
 */
export const concurrency = String.raw`

CREATE TABLE tenant_concurrency (
  tenant_id     uuid        PRIMARY KEY,
  running       integer     NOT NULL DEFAULT 0 CHECK (running >= 0),
  -- How many of the running runs are deferred.
  deferred      integer     NOT NULL DEFAULT 0,
  -- When a run was last throttled. Whoever frees a slot reads it from the row that it locks, and so hears of a run that was
  -- throttled after its own statement began.
  throttled_at  timestamptz,
  -- What has been started of waiting_counts, ever: what waits is their sum less these.
  started_runs  bigint      NOT NULL DEFAULT 0,
  started_bytes bigint      NOT NULL DEFAULT 0,
  -- The tenant is gone: nothing is registered for it any more, and its history, which nobody can read, need not grow old.
  removed_at    timestamptz
);
COMMENT ON TABLE tenant_concurrency IS 'Running runs of each tenant, under max_org_concurrent_runs';

-- A row outlives its job, for a run may.
CREATE TABLE job_concurrency (
  tenant_id uuid    NOT NULL,
  job_id    text    NOT NULL,
  running   integer NOT NULL CHECK (running >= 0),
  PRIMARY KEY (tenant_id, job_id)
);
COMMENT ON TABLE job_concurrency IS 'Running runs of each job that has max_concurrent_runs';

-- How many runs of each tenant were accepted, less those that were cancelled before they started, and how long their
-- payloads are. A tenant has several rows, so that those who accept its runs at one time rarely wait for each other; one
-- row alone may be below zero.
CREATE TABLE waiting_counts (
  tenant_id     uuid     NOT NULL,
  shard         smallint NOT NULL,
  runs          bigint   NOT NULL,
  payload_bytes bigint   NOT NULL,
  PRIMARY KEY (tenant_id, shard)
) WITH (fillfactor = 50);
`;
