import { Injectable } from '@nestjs/common';
import { firstRow } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';

/** How long an `Idempotency-Key` is remembered. */
export const REMEMBERED_HOURS = 24;

export interface IdempotentRequest {
  readonly jobId: string;
  readonly key: string;
  readonly requestHash: Buffer;
  readonly runId: string;
}

@Injectable()
export class IdempotencyKeyRepository {
  /**
   * Claims the key for a new run. Of concurrent requests with the same key, the first one wins and the others wait
   * here for it.
   *
   * @returns null when this request claimed the key, otherwise the run and the request that hold it
   */
  async claim(
    tx: Tx,
    tenantId: TenantId,
    request: IdempotentRequest,
  ): Promise<{ runId: string; requestHash: Buffer } | null> {
    const mine = await firstRow(
      tx,
      `INSERT INTO run_requests AS known (tenant_id, job_id, key, request_hash, run_id)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant_id, job_id, key) DO UPDATE SET
         request_hash = EXCLUDED.request_hash, run_id = EXCLUDED.run_id, created_at = now()
       WHERE known.created_at < now() - make_interval(hours => ${REMEMBERED_HOURS})
       RETURNING run_id`,
      [tenantId, request.jobId, request.key, request.requestHash, request.runId],
    );
    if (mine !== null) return null;
    return await firstRow(
      tx,
      `SELECT run_id AS "runId", request_hash AS "requestHash" FROM run_requests
       WHERE tenant_id = $1 AND job_id = $2 AND key = $3`,
      [tenantId, request.jobId, request.key],
    );
  }
}
