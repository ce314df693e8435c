import { Injectable } from '@nestjs/common';
import { firstRow } from '../../../platform/database/index.js';
import type { AutoCommit, Reader, SelectText } from '../../../platform/database/index.js';
import type { ActingRun, AttemptName, RunAtFence } from '../model/run.js';
import { isRunning, OF_ATTEMPT } from '../model/status-sql.js';

const FIND: SelectText = `SELECT runs.id FROM runs_active runs
    JOIN deferred_attempts ON run_id = runs.id AND deferred_attempts.fence = runs.fence
  WHERE runs.id = $1 AND runs.fence = $2 AND ${isRunning('runs.status')}`;

const LIFE_COLUMNS = `runs.job_id AS "jobId", runs.timeout_ms AS "timeoutMs", runs.trigger - 'headers' AS trigger,
    runs.acts_as_caller AS "actsAsCaller", runs.permissions`;

const EXTEND = `
  WITH extended AS (
    UPDATE deferred_attempts SET expires_at = clock_timestamp() + make_interval(secs => runs.timeout_ms / 1000.0)
    FROM runs_active runs WHERE run_id = runs.id AND deferred_attempts.fence = runs.fence AND ${OF_ATTEMPT}
    RETURNING deferred_attempts.expires_at
  )
  SELECT ${LIFE_COLUMNS}, (SELECT expires_at FROM extended) AS "extendedTo"
  FROM runs_active runs WHERE ${OF_ATTEMPT}`;

/**
 * An attempt that is not deferred, as a snapshot sees it that is newer than that of an end which EXTEND waited for. Its
 * worker ends the call after the time limit, whatever the handler says meanwhile.
 */
const GOES_ON: SelectText = `SELECT ${LIFE_COLUMNS},
    runs.attempt_started_at + make_interval(secs => runs.timeout_ms / 1000.0) AS "expiresAt"
  FROM runs_active runs WHERE ${OF_ATTEMPT}`;

/** How long an attempt goes on, and as whom. Its trigger is without the headers of a webhook. */
export interface AttemptLife extends ActingRun {
  readonly jobId: string;
  readonly timeoutMs: number;
  readonly expiresAt: Date;
}

/** Attempts that go on after their call: their handlers report the end. */
@Injectable()
export class DeferralRepository {
  /** Whether the attempt of this claim is deferred, after the reply to its deferral was lost. */
  async isDeferred(reader: Reader, { id, fence }: RunAtFence): Promise<boolean> {
    return (await firstRow(reader, FIND, [id, fence])) !== null;
  }

  /**
   * Lets an attempt go on for its time limit from now. One that is not deferred yet has it from its deferral on; until then,
   * the call has its own.
   * @returns null when the attempt has ended
   */
  async extend(handle: AutoCommit, { runId, attempt, tenantId }: AttemptName): Promise<AttemptLife | null> {
    const parameters = [runId, attempt, tenantId];
    const found = await firstRow<Omit<AttemptLife, 'expiresAt'> & { readonly extendedTo: Date | null }>(
      handle,
      EXTEND,
      parameters,
    );
    if (found === null) return null;
    const { extendedTo, ...life } = found;
    if (extendedTo !== null) return { ...life, expiresAt: extendedTo };
    return await firstRow<AttemptLife>(handle, GOES_ON, parameters);
  }
}
