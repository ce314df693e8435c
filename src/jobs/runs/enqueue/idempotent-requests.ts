import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { TenantId } from '../../../http/index.js';
import type { Run } from '../model/run.js';
import { RunRepository } from '../model/run.repository.js';
import { IdempotencyKeyRepository } from './idempotency-key.repository.js';
import type { IdempotentRequest } from './idempotency-key.repository.js';

/** Whose keys they are: each job has its own. */
export interface KeyScope {
  readonly tenantId: TenantId;
  readonly jobId: string;
  /** The only user whose runs may be returned; null for all runs of the tenant. */
  readonly ownerId: string | null;
}

/** Requests with an `Idempotency-Key`, and the runs that they get. */
@Injectable()
export class IdempotentRequests {
  constructor(
    private readonly keys: IdempotencyKeyRepository,
    private readonly runs: RunRepository,
  ) {}

  /**
   * Claims the keys of the requests. Returns, by the id of the run that a request would give, the run of an earlier
   * request with its key.
   * @param pathOf the path of the key of a request, for its errors; undefined for the one that is in a header
   * @throws idempotency_mismatch
   */
  async earlierRuns<Request extends IdempotentRequest>(
    tx: Tx,
    { tenantId, jobId, ownerId }: KeyScope,
    requests: readonly Request[],
    pathOf: (request: Request) => string | undefined = () => undefined,
  ): Promise<Map<string, Run>> {
    const holders = await this.keys.claimKeys(tx, tenantId, jobId, requests);
    if (holders.size === 0) return new Map();
    const runIds = [...holders.values()].map(({ runId }) => runId);
    const runs = await this.runs.findAll(tx, tenantId, runIds, ownerId);
    const earlier = new Map<string, Run>();
    for (const request of requests) {
      const holder = holders.get(request.key);
      if (holder === undefined) continue;
      if (!holder.requestHash.equals(request.requestHash)) throw idempotencyMismatch(pathOf(request));
      const run = runs.get(holder.runId);
      if (run !== undefined) earlier.set(request.runId, run);
    }
    return earlier;
  }

  /**
   * Points the keys of requests whose trigger joined a waiting run to this run.
   * @param accepted by the id with which they arrived
   */
  async pointToJoined(
    tx: Tx,
    { tenantId, jobId }: KeyScope,
    requests: readonly IdempotentRequest[],
    accepted: ReadonlyMap<string, Run>,
  ): Promise<void> {
    const joined = requests.flatMap(({ key, runId }) => {
      const run = accepted.get(runId);
      return run === undefined || run.id === runId ? [] : { key, runId: run.id };
    });
    await this.keys.pointTo(tx, tenantId, jobId, joined);
  }
}

/** @param path of the key; undefined for the one that is in a header */
export function idempotencyMismatch(path?: string): ServiceError {
  return new ServiceError(
    'idempotency_mismatch',
    path === undefined ? {} : { details: [{ path, message: 'is the key of another body' }] },
  );
}
