import { Injectable } from '@nestjs/common';
import { actorOf, AuditTrail } from '../../../audit/index.js';
import { sha256 } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Caller, Origin, TenantId } from '../../../http/index.js';
import type { Run } from '../model/run.js';
import { RunRepository } from '../model/run.repository.js';
import type { RepeatableRun } from '../model/run.repository.js';
import { newRunId } from '../model/run-id.js';
import { isFinal } from '../model/run-status.js';
import { storedKey } from '../search/run-filters.js';
import { IdempotentRequests } from './idempotent-requests.js';
import { callingActor, manualTriggerOf } from './manual-trigger.js';
import { ParentRuns } from './parent-runs.js';
import { RunEnqueuer } from './run-enqueuer.js';
import { newRepeat } from './run-repeats.js';

/** Who wants a run repeated, and how. */
export interface RetryRequest {
  readonly caller: Caller;
  readonly origin: Origin;
  readonly traceParent: string | null;
  /** JSON text; null for that of the ended run. */
  readonly payload: string | null;
  readonly idempotencyKey: string | null;
}

/** Repeats runs that have ended. */
@Injectable()
export class RunRetries {
  constructor(
    private readonly database: Database,
    private readonly runs: RunRepository,
    private readonly idempotent: IdempotentRequests,
    private readonly enqueuer: RunEnqueuer,
    private readonly parents: ParentRuns,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Accepts a new run with the trigger of an ended one, and with its payload or another. Everything else comes from the
   * job as it is now, whether or not it is paused. A request that is repeated with its key gets the run of the first.
   *
   * @throws run_not_found, run_unfinished, job_deleted, idempotency_mismatch, limit_reached, validation_failed
   */
  async retry(
    tenantId: TenantId,
    runId: string,
    { caller, origin, traceParent, payload, idempotencyKey }: RetryRequest,
  ): Promise<Run> {
    return await this.database.serialTransaction(tenantId, actorOf(caller), async (tx) => {
      const ended = await this.runs.findRepeatable(tx, tenantId, runId);
      if (ended === null) throw new ServiceError('run_not_found');
      if (!isFinal(ended.status)) throw new ServiceError('run_unfinished');
      const id = newRunId();
      if (idempotencyKey !== null) {
        const requestHash = sha256(JSON.stringify(['retry', runId, payload]));
        const request = { key: storedKey(idempotencyKey, null), requestHash, runId: id };
        const scope = { tenantId, jobId: ended.jobId, ownerId: null };
        const earlier = (await this.idempotent.earlierRuns(tx, scope, [request])).get(id);
        if (earlier !== undefined) return earlier;
      }
      // After the key, which may be that of another transaction that waits for this lock.
      const isOfRun = caller.type === 'run';
      const eventOrigin = isOfRun ? await this.parents.require(tx, caller) : null;
      const repeated = payload === null ? ended : withPayload(ended, payload, caller);
      const by = { actor: callingActor(caller), origin: eventOrigin, traceParent };
      const repeat = newRepeat(tenantId, { id, retryOf: runId }, repeated, by);
      const run = await this.enqueuer.accept(tx, repeat, isOfRun);
      if (run === null) throw new ServiceError('job_deleted');
      await this.audit.append(tx, {
        actor: actorOf(caller),
        action: 'run.retried',
        target: { type: 'run', id: runId },
        tenantId,
        userId: null,
        origin,
        // Nothing else says that the payload is not that of the hook or schedule which the trigger names.
        details: { retry: run.id, ...(payload === null ? {} : { payload: 'replaced' }) },
      });
      return run;
    });
  }
}

/**
 * A run on demand with another payload is that of the caller: whoever triggered the ended one need not see it, and its
 * handler gets an object, as always when a job is triggered on demand.
 * @throws validation_failed
 */
function withPayload(ended: RepeatableRun, payload: string, caller: Caller): RepeatableRun {
  if (ended.trigger.type !== 'manual') return { ...ended, payload };
  if (!payload.trimStart().startsWith('{'))
    throw new ServiceError('validation_failed', {
      details: [{ path: 'payload', message: 'must be a JSON object, as this run was triggered on demand' }],
    });
  const { origin } = ended.trigger;
  const trigger = manualTriggerOf(caller);
  return { ...ended, payload, trigger: origin === undefined ? trigger : { ...trigger, origin } };
}
