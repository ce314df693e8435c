import { Injectable } from '@nestjs/common';
import { firstRow, prepared, rows } from '../../../platform/database/index.js';
import type { Reader, SelectText, Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { AttemptName, RunTrigger } from '../model/run.js';
import type { RetryPolicy } from '../model/retry-backoff.js';
import type { AttemptOutcome, RunStatus } from '../model/run-status.js';
import { canHappen, isRunning } from '../model/status-sql.js';
import {
  ATTEMPT_ENDS,
  endAttempts,
  endParameters,
  freeSlots,
  undefer,
  writtenColumns,
} from './finish-statement.js';
import type { AttemptEnd, WrittenEnd } from './finish-statement.js';

/** A running run, locked for the end of its attempt. */
export interface EndingRun {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly fence: number;
  readonly attempt: number;
  readonly timeoutMs: number;
  readonly failures: number;
  readonly maxAttempts: number;
  readonly retryBackoff: RetryPolicy;
  readonly trigger: RunTrigger;
  readonly traceParent: string | null;
  /** When the attempt began. */
  readonly startedAt: Date;
}

/** How an attempt ended; its outcome is null while it has not. */
export interface AttemptState {
  readonly status: RunStatus;
  readonly outcome: AttemptOutcome | null;
}

const ENDING_COLUMNS = `
  runs.id, runs.tenant_id AS "tenantId", runs.job_id AS "jobId", runs.fence, runs.attempt, runs.timeout_ms AS "timeoutMs",
  runs.failures, runs.max_attempts AS "maxAttempts", runs.retry_backoff AS "retryBackoff", runs.trigger,
  runs.trace_parent AS "traceParent",
  (SELECT started_at FROM run_attempts WHERE run_id = runs.id AND number = runs.attempt) AS "startedAt"`;

const LOCK = `SELECT ${ENDING_COLUMNS} FROM runs
  WHERE id = $1 AND attempt = $2 AND tenant_id = $3 AND ${canHappen(ATTEMPT_ENDS, 'status')} FOR NO KEY UPDATE`;

/** A sign of life that comes before the lock makes the row one that no longer matches. */
const LOCK_EXPIRED = `SELECT ${ENDING_COLUMNS} FROM deferred_attempts JOIN runs ON runs.id = run_id
  WHERE expires_at < now() AND runs.fence = deferred_attempts.fence AND ${isRunning('runs.status')}
  LIMIT $1 FOR NO KEY UPDATE OF deferred_attempts, runs SKIP LOCKED`;

/** Follows the lock as another statement, since only a later snapshot has a deferral that the lock waited for. */
const END = prepared(
  'end_reported_attempts',
  `
  WITH ${endAttempts('')}, ${undefer('ended')}, ${freeSlots('ended', 'undeferred')}
  SELECT ${writtenColumns('tenant')} FROM ended JOIN tenant USING (tenant_id)`,
);

const STATE: SelectText = `SELECT runs.status, run_attempts.outcome
  FROM runs LEFT JOIN run_attempts ON run_id = runs.id AND number = $2
  WHERE runs.id = $1 AND runs.tenant_id = $3`;

/** Ends attempts that no worker waits for: as their handlers report, or because nothing was heard of them. */
@Injectable()
export class ReportedEndRepository {
  /** Locks the run while the attempt goes on, deferred or still being called. Returns null when it has ended. */
  async lock(tx: Tx, { runId, attempt, tenantId }: AttemptName): Promise<EndingRun | null> {
    return await firstRow<EndingRun>(tx, LOCK, [runId, attempt, tenantId]);
  }

  /** Locks deferred attempts without a sign of life within their time limit, at most `limit`. */
  async lockExpired(tx: Tx, limit: number): Promise<EndingRun[]> {
    return await rows<EndingRun>(tx, LOCK_EXPIRED, [limit]);
  }

  /** Ends attempts of runs that the transaction has locked. */
  async end(tx: Tx, ends: readonly AttemptEnd[]): Promise<WrittenEnd[]> {
    return await rows<WrittenEnd>(tx, END, endParameters(ends));
  }

  /** Returns null when the tenant has no such run. */
  async stateOf(
    handle: Tx | Reader,
    { runId, attempt, tenantId }: AttemptName,
  ): Promise<AttemptState | null> {
    return await firstRow<AttemptState>(handle, STATE, [runId, attempt, tenantId]);
  }
}
