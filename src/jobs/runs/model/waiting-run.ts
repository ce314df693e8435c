/** A run at one point of its way: the fence tells one attempt from the next. */
export interface RunAtFence {
  readonly id: string;
  readonly fence: number;
}

/** The concurrency slot that a run left: of its tenant, and of its job. */
export interface FreedSlot {
  readonly tenantId: string;
  readonly jobId: string;
}

/** A run that a worker is to be told of. */
export interface WakeableRun extends RunAtFence {
  readonly tenantId: string;
  /** Where it stands among the runs of all tenants: the smaller, the sooner (see `fairShareOrder`). */
  readonly fairShareOrder: number;
}

/**
 * By how much a run comes later for each run of its tenant that is before it, milliseconds. As runs take less than
 * this times the slots there are, tenants are served in turn; however much others bring, none waits for ever.
 */
const FAIR_SHARE_STEP_MS = 10_000;

/** In SQL: the turn of a run that is due at an instant, with so many of its tenant running or waiting before it. */
export function fairShareOrder(dueAt: string, ahead: string): string {
  return `(extract(epoch FROM ${dueAt})::float8 * 1000 + (${ahead}) * ${FAIR_SHARE_STEP_MS})`;
}

/** In SQL: whether the row of `runs` waits for an attempt. */
export const IS_WAITING = `runs.status IN ('queued', 'retrying')`;

/**
 * In SQL: whether the job of the row of `runs` has capacity, as the snapshot shows it. Not a join, for which the planner
 * might read all jobs there are.
 */
export const JOB_HAS_FREE_SLOT = `coalesce((
  SELECT job_concurrency.running < jobs.max_concurrent_runs
  FROM job_concurrency JOIN jobs ON jobs.tenant_id = job_concurrency.tenant_id AND jobs.id = job_concurrency.job_id
  WHERE job_concurrency.tenant_id = runs.tenant_id AND job_concurrency.job_id = runs.job_id
), true)`;
