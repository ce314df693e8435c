import { Injectable } from '@nestjs/common';
import { rows } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../platform/http/index.js';
import type { EndedRun } from '../model/run.js';
import { addWaiting } from '../enqueue/waiting-count.repository.js';

/** Cancels runs that wait for their first call or for a retry. */
@Injectable()
export class WaitingRunCancellationRepository {
  /**
   * Cancels the waiting runs of the tenant, or of some of its jobs. A run that is being claimed at this moment no
   * longer waits; it ends with its attempt.
   */
  async cancel(
    tx: Tx,
    tenantId: TenantId,
    jobIds: readonly string[] | null,
    reason: string,
  ): Promise<EndedRun[]> {
    return await rows<EndedRun>(
      tx,
      `WITH cancelled AS (
         UPDATE runs SET status = 'cancelled', completed_at = now(), throttled = false,
                error_code = 'cancelled', error_message = $3
         WHERE tenant_id = $1 AND ($2::text[] IS NULL OR job_id = ANY ($2)) AND status IN ('queued', 'retrying')
         RETURNING tenant_id, status, attempt, payload_bytes, completed_at, started_at
       ), counted AS (${addWaiting(
         // A run without an attempt was still queued.
         `SELECT tenant_id, -count(*) AS runs, -sum(payload_bytes) AS payload_bytes
          FROM cancelled WHERE attempt = 0 GROUP BY tenant_id`,
       )})
       SELECT status, extract(epoch FROM completed_at - started_at)::float8 AS seconds FROM cancelled`,
      [tenantId, jobIds, reason],
    );
  }
}
