import { Injectable } from '@nestjs/common';
import { actorOf, AuditTrail } from '../../../audit/index.js';
import { CacheInvalidation } from '../../../events/index.js';
import { afterCommit, Database } from '../../../platform/database/index.js';
import { ServiceError } from '../../../platform/http/index.js';
import type { Caller, Origin, TenantId } from '../../../platform/http/index.js';
import { RunEndRepository } from './run-end.repository.js';
import { RunMetrics } from './run-metrics.js';
import { FreedSlots } from '../slots/freed-slots.js';

/** Cancels runs on request. */
@Injectable()
export class RunCancellation {
  constructor(
    private readonly database: Database,
    private readonly ends: RunEndRepository,
    private readonly changes: CacheInvalidation,
    private readonly slots: FreedSlots,
    private readonly metrics: RunMetrics,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Cancels a run that is waiting or running. The worker that calls its handler closes the call within a second, and
   * a later response changes nothing.
   * @throws run_not_found; run_finished when it has already ended
   */
  async cancel(tenantId: TenantId, runId: string, caller: Caller, origin: Origin): Promise<void> {
    await this.database.serialTransaction(tenantId, actorOf(caller), async (tx) => {
      const cancellation = await this.ends.cancel(tx, tenantId, runId);
      if (cancellation === null) throw new ServiceError('run_not_found');
      if (cancellation.from === null) throw new ServiceError('run_finished');
      const wasRunning = cancellation.from === 'running';
      await this.audit.append(tx, {
        actor: actorOf(caller),
        action: 'run.cancelled',
        target: { type: 'run', id: runId },
        orgId: tenantId,
        userId: null,
        origin,
        details: { job_id: cancellation.jobId, from: cancellation.from },
      });
      if (wasRunning) await this.changes.announce(tx, { kind: 'run_taken', id: runId });
      afterCommit(tx, async () => {
        this.metrics.ended(cancellation);
        if (wasRunning) await this.slots.passOn(cancellation);
      });
    });
  }
}
