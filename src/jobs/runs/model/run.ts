import type { TenantId } from '../../../http/index.js';
import { TRIGGER_TYPES } from '../../triggers/index.js';
import type { RetryBackoff } from './retry-backoff.js';
import type { AttemptOutcome, RunErrorCode, RunStatus } from './run-status.js';

/** What triggered a run. */
export type RunTrigger =
  | { readonly type: 'manual'; readonly user_id: string }
  | { readonly type: 'manual'; readonly key_id: string }
  /** Triggered by the handler of another run. */
  | { readonly type: 'manual'; readonly run_id: string }
  /** `position`: index of the trigger within its job. */
  | { readonly type: 'cron'; readonly position: number; readonly schedule: string; readonly timezone: string }
  | { readonly type: 'webhook'; readonly path: string; readonly method: string }
  | { readonly type: 'data'; readonly table: string; readonly event: string };

export const RUN_TRIGGER_TYPES = [
  'manual',
  ...TRIGGER_TYPES,
] as const satisfies readonly RunTrigger['type'][];

/** A run to be enqueued. */
export interface NewRun {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly trigger: RunTrigger;
  /** JSON text, passed to the handler unchanged. */
  readonly payload: string;
  readonly delayMs: number;
  /** The scheduled time that the run stands for. */
  readonly scheduledFor: Date | null;
  /** The ended run that it repeats. */
  readonly retryOf: string | null;
  readonly traceParent: string | null;
}

/** A run as stored in the database. */
export interface Run {
  readonly id: string;
  readonly jobId: string;
  readonly status: RunStatus;
  readonly trigger: RunTrigger;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly scheduledFor: Date | null;
  /** When the next attempt may start; null unless the run waits for one. */
  readonly dueAt: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly retryOf: string | null;
  readonly errorCode: RunErrorCode | null;
  readonly errorMessage: string | null;
}

export interface RunAttempt {
  readonly number: number;
  readonly startedAt: Date;
  readonly completedAt: Date | null;
  readonly outcome: AttemptOutcome | null;
  readonly statusCode: number | null;
  readonly error: string | null;
}

export interface RunDetails extends Run {
  /** JSON text, exactly as received and as passed to the handler. */
  readonly payload: string;
  /** JSON text, exactly as the handler returned it. */
  readonly result: string | null;
  readonly attempts: readonly RunAttempt[];
}

/** A run claimed for one attempt. `fence` proves the claim when the outcome is written. */
export interface ClaimedRun {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly handler: string;
  readonly timeoutMs: number;
  readonly retryBackoff: RetryBackoff;
  readonly trigger: RunTrigger;
  /** JSON text, passed to the handler unchanged. */
  readonly payload: string;
  readonly attempt: number;
  readonly failures: number;
  readonly maxAttempts: number;
  readonly fence: number;
  /** The scheduled time that the run stands for. */
  readonly scheduledFor: Date | null;
  readonly traceParent: string | null;
}

/** What the metrics need of an ended run. */
export interface EndedRun {
  readonly status: RunStatus;
  /** Seconds from the start of the first attempt to the end; null when the run never started. */
  readonly seconds: number | null;
}
