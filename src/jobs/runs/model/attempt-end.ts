import type { TenantId } from '../../../http/index.js';
import type { AttemptOutcome, RunErrorCode, RunEvent } from './run-status.js';

/** The end of one attempt, as it is to be written. */
export interface AttemptEnd {
  readonly runId: string;
  readonly tenantId: TenantId;
  /** Of the claim that the attempt began with. The end of any other attempt of the run changes nothing. */
  readonly fence: number;
  readonly event: Exclude<
    RunEvent,
    'claimed' | 'cancelled' | 'job deleted' | 'displaced' | 'not started in time'
  >;
  readonly outcome: AttemptOutcome;
  /** False for an attempt that did not fail because of its handler: the shutdown of its worker, or the database, interrupted it. */
  readonly countsAsFailure: boolean;
  readonly statusCode: number | null;
  readonly errorCode: RunErrorCode | null;
  readonly errorMessage: string | null;
  /** JSON text, or null. */
  readonly result: string | null;
  /** If the run is retried, how long to wait first. */
  readonly delayMs: number;
  /** If given, the worker that lost the attempt: a deferred attempt is no longer its own. */
  readonly lostBy?: string;
}

/** The end of a run that is not that of an attempt: as it is, waiting or running. */
export interface RunEnd {
  readonly runId: string;
  readonly tenantId: TenantId;
  readonly event: Extract<RunEvent, 'cancelled' | 'job deleted' | 'displaced' | 'not started in time'>;
  readonly errorCode: RunErrorCode;
  readonly errorMessage: string;
}
