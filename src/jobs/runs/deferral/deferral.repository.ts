import { Injectable } from '@nestjs/common';
import { firstRow, prepared, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Reader, SelectText, Tx } from '../../../platform/database/index.js';
import type { AttemptName } from '../model/run.js';
import type { RunAtFence } from '../model/waiting-run.js';
import { isRunning } from '../model/status-sql.js';

/** In SQL: until when an attempt of the row of `runs` goes on without a sign of life. */
const EXPIRES_AT = 'clock_timestamp() + make_interval(secs => runs.timeout_ms / 1000.0)';

/**
 * The run stays `running` and keeps its slots of the tenant and the job, but has no worker any more. A row of an earlier
 * claim is left only by a release that does not know this table; it has been counted.
 */
const DEFER = prepared(
  'defer_attempt',
  `
  WITH held AS (
    SELECT id, tenant_id, fence, ${EXPIRES_AT} AS expires_at FROM runs
    WHERE id = $1 AND fence = $2 AND worker_id = $3 AND ${isRunning('status')}
    FOR NO KEY UPDATE
  ), released AS (
    UPDATE runs SET worker_id = NULL FROM held WHERE runs.id = held.id
  ), deferred AS (
    INSERT INTO deferred_attempts AS known (run_id, tenant_id, fence, expires_at)
    SELECT id, tenant_id, fence, expires_at FROM held
    ON CONFLICT (run_id) DO UPDATE SET fence = EXCLUDED.fence, expires_at = EXCLUDED.expires_at
    RETURNING tenant_id, xmax = 0 AS is_new
  ), slot AS (
    UPDATE tenant_concurrency SET deferred = tenant_concurrency.deferred + 1
    FROM deferred WHERE tenant_concurrency.tenant_id = deferred.tenant_id AND is_new
  )
  SELECT id FROM held`,
);

const FIND: SelectText = `SELECT runs.id FROM runs JOIN deferred_attempts ON run_id = runs.id AND deferred_attempts.fence = runs.fence
  WHERE runs.id = $1 AND runs.fence = $2 AND ${isRunning('runs.status')}`;

const OF_ATTEMPT = `runs.id = $1 AND runs.attempt = $2 AND runs.tenant_id = $3 AND ${isRunning('runs.status')}`;

const EXTEND = `
  WITH extended AS (
    UPDATE deferred_attempts SET expires_at = ${EXPIRES_AT}
    FROM runs WHERE run_id = runs.id AND deferred_attempts.fence = runs.fence AND ${OF_ATTEMPT}
    RETURNING deferred_attempts.expires_at
  )
  SELECT runs.timeout_ms AS "timeoutMs", (SELECT expires_at FROM extended) AS "extendedTo"
  FROM runs WHERE ${OF_ATTEMPT}`;

/**
 * An attempt that is not deferred, as a snapshot sees it that is newer than that of an end which EXTEND waited for. Its
 * worker ends the call after the time limit, whatever the handler says meanwhile.
 */
const GOES_ON: SelectText = `SELECT runs.timeout_ms AS "timeoutMs",
    run_attempts.started_at + make_interval(secs => runs.timeout_ms / 1000.0) AS "expiresAt"
  FROM runs JOIN run_attempts ON run_attempts.run_id = runs.id AND run_attempts.number = runs.attempt
  WHERE ${OF_ATTEMPT}`;

/** The rows that are left of attempts which have ended. */
const FORGET = `
  DELETE FROM deferred_attempts WHERE NOT EXISTS (
    SELECT FROM runs WHERE runs.id = run_id AND runs.fence = deferred_attempts.fence AND ${isRunning('runs.status')}
  ) RETURNING run_id`;

const RECOUNT = `
  UPDATE tenant_concurrency SET deferred = present.count
  FROM (
    SELECT tenant_id, (SELECT count(*)::int FROM deferred_attempts WHERE deferred_attempts.tenant_id = slot.tenant_id) AS count
    FROM tenant_concurrency slot
    WHERE deferred <> 0 OR tenant_id IN (SELECT tenant_id FROM deferred_attempts)
    ORDER BY tenant_id FOR UPDATE SKIP LOCKED
  ) present
  WHERE tenant_concurrency.tenant_id = present.tenant_id AND tenant_concurrency.deferred <> present.count
  RETURNING 1`;

/** How long an attempt goes on. */
export interface AttemptLife {
  readonly timeoutMs: number;
  readonly expiresAt: Date;
}

/** Attempts that go on after their call: their handlers report the end. */
@Injectable()
export class DeferralRepository {
  /** Takes a run from its worker, with its attempt. Returns false when the worker no longer had it. */
  async defer(handle: AutoCommit, { id, fence }: RunAtFence, workerId: string): Promise<boolean> {
    return (await firstRow(handle, DEFER, [id, fence, workerId])) !== null;
  }

  /** Whether the attempt of this claim is deferred, after the reply to `defer` was lost. */
  async isDeferred(reader: Reader, { id, fence }: RunAtFence): Promise<boolean> {
    return (await firstRow(reader, FIND, [id, fence])) !== null;
  }

  /**
   * Lets an attempt go on for its time limit from now. One that is not deferred yet has it from its deferral on; until then, the call has its own.
   * @returns null when the attempt has ended
   */
  async extend(handle: AutoCommit, { runId, attempt, tenantId }: AttemptName): Promise<AttemptLife | null> {
    const parameters = [runId, attempt, tenantId];
    const found = await firstRow<{ timeoutMs: number; extendedTo: Date | null }>(handle, EXTEND, parameters);
    if (found === null) return null;
    const { timeoutMs, extendedTo } = found;
    if (extendedTo !== null) return { timeoutMs, expiresAt: extendedTo };
    return await firstRow<AttemptLife>(handle, GOES_ON, parameters);
  }

  /** Repairs what a release leaves that ends attempts and does not know that they may be deferred. */
  async correct(tx: Tx): Promise<void> {
    // Deferrals and ends would change the counts meanwhile.
    await rows(tx, 'LOCK TABLE deferred_attempts IN SHARE ROW EXCLUSIVE MODE');
    await rows(tx, FORGET);
    await rows(tx, RECOUNT);
  }
}
