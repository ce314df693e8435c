import { isUnclaimed, isWaiting } from './status-sql.js';

/** A run and the number of its claims so far, which tells one attempt from the next. */
export interface RunAtFence {
  readonly id: string;
  readonly fence: number;
}

/** The concurrency slots that a run freed: one of its tenant and one of its job. */
export interface FreedSlot {
  readonly tenantId: string;
  readonly jobId: string;
}

/** A run that is due for a wake-up. */
export interface WakeableRun extends RunAtFence {
  readonly tenantId: string;
  /** Its position among the runs of all tenants: the smaller, the sooner (see `fairShareOrder`). */
  readonly fairShareOrder: number;
}

/**
 * Milliseconds by which each run of the same tenant ahead of a run moves it back in the queue. As long as runs take
 * less than this times the number of slots, tenants are served alternately. However many runs other tenants add, no
 * tenant waits for ever.
 */
const FAIR_SHARE_STEP_MS = 10_000;

/**
 * In SQL: the fair-share order of a run that is due at an instant, with `ahead` runs of its tenant running or waiting
 * before it.
 */
export function fairShareOrder(dueAt: string, ahead: string): string {
  return `(extract(epoch FROM ${dueAt})::float8 * 1000 + (${ahead}) * ${FAIR_SHARE_STEP_MS})`;
}

/** In SQL: the order in which the waiting runs of a tenant get its slots. Partial indexes have exactly this order. */
export const IN_TURN = 'priority DESC, due_at';

/**
 * In SQL: whether the row of `runs` may begin an attempt as far as its `start_before` is concerned, which is about its
 * first attempt. PostgreSQL takes a `coalesce` for true in half of the rows. By the condition itself, of which it has
 * statistics, it could expect to find no run in time and read all of them.
 */
export const IS_IN_TIME = `NOT coalesce(runs.start_before <= now() AND ${isUnclaimed('runs.status')}, false)`;

/** In SQL: whether the row of `runs` is waiting for an attempt. */
export const IS_WAITING = isWaiting('runs.status');

/**
 * In SQL: whether there is such a row of `runs`. `OFFSET 0` keeps PostgreSQL from collecting all waiting runs, of this
 * tenant or of all, before it looks for one.
 */
export function anyRun(condition: string): string {
  return `EXISTS (SELECT FROM runs WHERE ${condition} OFFSET 0)`;
}

/**
 * In SQL: whether the job of the row of `runs` has a free slot in this snapshot. This is not a join, because the
 * planner might then read all jobs.
 */
export const JOB_HAS_FREE_SLOT = `coalesce((
  SELECT job_concurrency.running < jobs.max_concurrent_runs
  FROM job_concurrency JOIN jobs ON jobs.tenant_id = job_concurrency.tenant_id AND jobs.id = job_concurrency.job_id
  WHERE job_concurrency.tenant_id = runs.tenant_id AND job_concurrency.job_id = runs.job_id
), true)`;
