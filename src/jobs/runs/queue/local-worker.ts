import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../http/index.js';
import type { ClaimedRun } from '../model/run.js';

/** What a worker offers to the rest of its process. */
export interface WorkerInProcess {
  readonly workerId: string;
  /**
   * Takes a slot for a run of the tenant, if one is free, and attempts there what `claim` claims.
   * @param claim is called at once, with the number of slots: one or none
   */
  begin<Result extends { readonly claimed: readonly ClaimedRun[] }>(
    tenantId: TenantId,
    claim: (slots: number) => Promise<Result>,
  ): Promise<Result>;
  /** Claims waiting runs of these tenants, as soon as slots are free for them. */
  wake(tenantIds: readonly TenantId[]): void;
}

/**
 * The worker of this process, if it has one. A run that is accepted here and finds a free slot begins at once, without
 * a way through Redis; and while Redis is unavailable, wake-ups reach at least this worker.
 */
@Injectable()
export class LocalWorker {
  /** Null where there is none, and when it shuts down. */
  worker: WorkerInProcess | null = null;
}
