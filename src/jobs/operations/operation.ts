import type { TenantId } from '../../http/index.js';
import type { EventOrigin } from '../runs/model/run.js';

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

/** An operation that begins. */
export interface NewOperation {
  readonly id: string;
  readonly action: OperationAction;
  readonly runIds: readonly string[];
  /** The run whose handler began it, or null. */
  readonly callingRunId: string | null;
  /** Who began it, as `runActorOf` names them. */
  readonly actor: string;
}

/** An operation that a worker has locked. */
export interface LockedOperation {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly action: OperationAction;
  /** Who began it, for the runs that it adds. */
  readonly actor: string;
  /** The events that led to the run whose handler began it, and that lead to the runs that it adds. */
  readonly origin: EventOrigin | null;
  /** Whether it no longer waits for quotas. */
  readonly isExpired: boolean;
}

/** The outcome of one run: `done`, or an error code of the same request for a single run. */
export interface ItemOutcome {
  readonly runId: string;
  readonly outcome:
    'done' | 'run_not_found' | 'run_finished' | 'run_unfinished' | 'job_deleted' | 'limit_reached';
}
