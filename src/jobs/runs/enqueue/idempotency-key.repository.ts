import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { rows } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';

/** A request to trigger a job with an `Idempotency-Key`. */
export interface IdempotentRequest {
  readonly key: string;
  readonly requestHash: Buffer;
  readonly runId: string;
}

/** The request that has a key. */
export type EarlierRequest = Omit<IdempotentRequest, 'key'>;

@Injectable()
export class IdempotencyKeyRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Claims keys for new runs of a job. Of concurrent requests with the same key, the first one wins and the others wait
   * here for it. Each key is given once; keys are claimed in a fixed order, so that two batches cannot deadlock.
   *
   * @returns by key, the runs and the requests that hold the keys which this request could not claim
   */
  async claimKeys(
    tx: Tx,
    tenantId: TenantId,
    jobId: string,
    requests: readonly IdempotentRequest[],
  ): Promise<Map<string, EarlierRequest>> {
    if (requests.length === 0) return new Map();
    const claimed = await rows<{ key: string }>(
      tx,
      `INSERT INTO run_requests AS known (tenant_id, job_id, key, request_hash, run_id)
       SELECT $1, $2, key, request_hash, run_id
       FROM unnest($3::text[], $4::bytea[], $5::text[]) AS new (key, request_hash, run_id) ORDER BY key
       ON CONFLICT (tenant_id, job_id, key) DO UPDATE SET
         request_hash = EXCLUDED.request_hash, run_id = EXCLUDED.run_id, created_at = now()
       WHERE known.created_at < now() - make_interval(hours => $6)
       RETURNING key`,
      [
        tenantId,
        jobId,
        requests.map(({ key }) => key),
        requests.map(({ requestHash }) => requestHash),
        requests.map(({ runId }) => runId),
        this.config.timing.lives.idempotencyKeyHours,
      ],
    );
    const mine = new Set(claimed.map(({ key }) => key));
    const others = requests.map(({ key }) => key).filter((key) => !mine.has(key));
    if (others.length === 0) return new Map();
    const earlier = await rows<IdempotentRequest>(
      tx,
      `SELECT key, run_id AS "runId", request_hash AS "requestHash" FROM run_requests
       WHERE tenant_id = $1 AND job_id = $2 AND key = ANY ($3)`,
      [tenantId, jobId, others],
    );
    return new Map(earlier.map((request) => [request.key, request]));
  }

  /** Points keys that the transaction has claimed to other runs, which the triggers have joined. */
  async pointTo(
    tx: Tx,
    tenantId: TenantId,
    jobId: string,
    requests: readonly Pick<IdempotentRequest, 'key' | 'runId'>[],
  ): Promise<void> {
    if (requests.length === 0) return;
    await rows(
      tx,
      `UPDATE run_requests known SET run_id = joined.run_id
       FROM unnest($3::text[], $4::text[]) AS joined (key, run_id)
       WHERE known.tenant_id = $1 AND known.job_id = $2 AND known.key = joined.key`,
      [tenantId, jobId, requests.map(({ key }) => key), requests.map(({ runId }) => runId)],
    );
  }
}
