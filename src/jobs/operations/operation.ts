import type { TenantId } from '../../http/index.js';

export const OPERATION_ACTIONS = ['retry', 'cancel'] as const;
export type OperationAction = (typeof OPERATION_ACTIONS)[number];

/** An operation as callers see it. */
export interface Operation {
  readonly id: string;
  readonly action: OperationAction;
  readonly total: number;
  /** How many runs are dealt with, including those that failed. */
  readonly done: number;
  readonly failed: number;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  /** How many runs failed, by error code. */
  readonly errors: Readonly<Record<string, number>>;
}

/** An operation that a worker has locked. */
export interface LockedOperation {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly action: OperationAction;
  /** Whether it no longer waits for quotas. */
  readonly isExpired: boolean;
}

/** The outcome of one run: `done`, or an error code of the same request for a single run. */
export interface ItemOutcome {
  readonly runId: string;
  readonly outcome:
    'done' | 'run_not_found' | 'run_finished' | 'run_unfinished' | 'job_deleted' | 'limit_reached';
}
