import type { TenantId } from '../../../http/index.js';
import type { EventType } from '../../../tenancy/index.js';
import { TRIGGER_TYPES } from '../../triggers/index.js';
import type { RetryPolicy } from './retry-backoff.js';
import type { AttemptOutcome, RunErrorCode, RunStatus } from './run-status.js';

/** Headers of a webhook call that its run keeps for the handler, by name in lower case. */
export type ForwardedHeaders = Readonly<Record<string, string>>;

/**
 * Which events led to a run: those that called handlers which, with their run tokens, caused the next event or triggered
 * the next run.
 */
export interface EventOrigin {
  /** How many events. */
  readonly depth: number;
  /** Whether the end of a run is among them. Then this run's own end is no event. */
  readonly run_event: boolean;
}

/** What triggered a run. */
export type RunTrigger = TriggerCause & {
  /** Of a run that an event led to. The API does not show it. */
  readonly origin?: EventOrigin;
  /** Of a repetition, who asked for it, as `runActorOf` names them. The API shows it as the run's actor. */
  readonly repeated_by?: string;
};

type TriggerCause =
  | { readonly type: 'manual'; readonly user_id: string }
  | { readonly type: 'manual'; readonly key_id: string }
  /** Null for a program with `admin.token`. */
  | { readonly type: 'manual'; readonly operator_id: string | null }
  /** Triggered by the handler of another run; `user_id`: the user of a project as whom that run acts. */
  | { readonly type: 'manual'; readonly run_id: string; readonly user_id?: string }
  /** `position`: index of the trigger within its job. */
  | { readonly type: 'cron'; readonly position: number; readonly schedule: string; readonly timezone: string }
  | {
      readonly type: 'webhook';
      readonly path: string;
      readonly method: string;
      readonly headers?: ForwardedHeaders;
    }
  | { readonly type: 'data'; readonly table: string; readonly event: string }
  | { readonly type: 'event'; readonly event: { readonly type: EventType; readonly id: string } };

export const RUN_TRIGGER_TYPES = [
  'manual',
  ...TRIGGER_TYPES,
] as const satisfies readonly RunTrigger['type'][];

/** The longest retention that a job may have: a tenant cannot make the deployment keep its history for ever. */
export const MAX_RETENTION_DAYS = 365;

/** The bounds of a priority. The higher goes first among the waiting runs of a tenant. */
export const LOWEST_PRIORITY = -100;
export const HIGHEST_PRIORITY = 100;

/** A run to be enqueued. */
export interface NewRun {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly trigger: RunTrigger;
  /** JSON text, passed to the handler unchanged. */
  readonly payload: string;
  /** From −100 to 100, higher first; null for that of its job. */
  readonly priority: number | null;
  readonly delayMs: number;
  /** The instant until which a delayed run waits, where one was given; it is `delayMs` ahead. */
  readonly runAt: Date | null;
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
  readonly priority: number;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly scheduledFor: Date | null;
  /** When the next attempt may start; null unless the run waits for one. */
  readonly dueAt: Date | null;
  /** The instant by which the first attempt must have begun; null for none. */
  readonly startBefore: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly retryOf: string | null;
  /** The run whose handler triggered it. That run may have been deleted. */
  readonly parentRunId: string | null;
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

/** An attempt as the handler's token names it. */
export interface AttemptName {
  readonly runId: string;
  readonly attempt: number;
  readonly tenantId: TenantId;
}

/** A run and the number of its claims so far, which tells one attempt from the next. */
export interface RunAtFence {
  readonly id: string;
  readonly fence: number;
}

/** What says as whom a run acts. */
export interface ActingRun {
  /** Whether it acts as its actor; otherwise for the tenant, with `permissions`. */
  readonly actsAsCaller: boolean;
  /** Null for all. */
  readonly permissions: readonly string[] | null;
  readonly trigger: RunTrigger;
}

export const ALL_PERMISSIONS: readonly string[] = ['*'];

/**
 * For all permissions in the token of a run together, which is in a header of the call: with 4,000 it stays below the 8 KiB
 * that proxies accept of one.
 */
export const MAX_TOKEN_PERMISSIONS_CHARACTERS = 4_000;

/** A run claimed for one attempt. `fence` proves the claim when the outcome is written. */
export interface ClaimedRun extends ActingRun {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly handler: string;
  readonly timeoutMs: number;
  readonly retryBackoff: RetryPolicy;
  /** JSON text, passed to the handler unchanged. */
  readonly payload: string;
  readonly attempt: number;
  readonly failures: number;
  readonly maxAttempts: number;
  readonly fence: number;
  /** The scheduled time that the run stands for. */
  readonly scheduledFor: Date | null;
  readonly traceParent: string | null;
  /** Since when the attempt could have begun. */
  readonly dueAt: Date;
}

/** What the metrics need of an ended run. */
export interface EndedRun {
  readonly status: RunStatus;
  /** Seconds from the start of the first attempt to the end; null when the run never started. */
  readonly seconds: number | null;
}
