import { Injectable } from '@nestjs/common';
import { actorOf, AuditTrail } from '../../../audit/index.js';
import { sha256 } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { Caller, Origin, Tenant, TenantId } from '../../../http/index.js';
import { requestScope } from '../../../platform/logging/index.js';
import type { NewRun, Run, RunDetails, RunTrigger } from '../model/run.js';
import { newRepeat } from '../enqueue/run-repeats.js';
import { RunEnqueuer } from '../enqueue/run-enqueuer.js';
import { RunRepository } from '../model/run.repository.js';
import { storedKey } from '../search/run-filters.js';
import { IdempotencyKeyRepository } from '../enqueue/idempotency-key.repository.js';
import { isFinal } from '../model/run-status.js';
import { newRunId } from '../model/run-id.js';

export interface ManualTrigger {
  readonly jobId: string;
  /** JSON text. */
  readonly payload: string;
  readonly delayMs: number;
  readonly idempotencyKey: string | null;
}

/** Triggers, repeats and shows the runs of a tenant. */
@Injectable()
export class Runs {
  constructor(
    private readonly database: Database,
    private readonly runs: RunRepository,
    private readonly requests: IdempotencyKeyRepository,
    private readonly enqueuer: RunEnqueuer,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Accepts a run: once this returns, the run is committed and is guaranteed to end.
   * @throws job_not_found, idempotency_mismatch, permission_denied, limit_reached
   */
  async trigger(tenant: Tenant, trigger: ManualTrigger, caller: Caller): Promise<Run> {
    const { id: tenantId } = tenant;
    const ownerId = runOwner(tenant, caller);
    const run: NewRun = {
      id: newRunId(),
      tenantId,
      jobId: trigger.jobId,
      payload: trigger.payload,
      trigger: manualTriggerOf(caller),
      delayMs: trigger.delayMs,
      scheduledFor: null,
      retryOf: null,
      traceParent: requestScope.getStore()?.traceParent ?? null,
    };
    if (ownerId === null && trigger.idempotencyKey === null)
      return requireAccepted(await this.enqueuer.acceptAlone(run));
    return await this.database.transaction(async (tx) => {
      if (ownerId !== null) await this.requireOpen(tx, tenantId, trigger.jobId);
      const earlier = await this.earlierRun(tx, tenantId, run.id, trigger, ownerId);
      return earlier ?? requireAccepted(await this.enqueuer.accept(tx, run));
    });
  }

  /**
   * Accepts a new run with the payload and the trigger of an ended one. Everything else comes from the job as it is
   * now, whether or not it is paused.
   *
   * @throws run_not_found, run_unfinished, job_deleted, limit_reached
   */
  async retry(tenantId: TenantId, runId: string, caller: Caller, origin: Origin): Promise<Run> {
    return await this.database.serialTransaction(tenantId, actorOf(caller), async (tx) => {
      const ended = await this.runs.findRepeatable(tx, tenantId, runId);
      if (ended === null) throw new ServiceError('run_not_found');
      if (!isFinal(ended.status)) throw new ServiceError('run_unfinished');
      const traceParent = requestScope.getStore()?.traceParent ?? null;
      const run = await this.enqueuer.accept(tx, newRepeat(tenantId, runId, ended, traceParent));
      if (run === null) throw new ServiceError('job_deleted');
      await this.audit.append(tx, {
        actor: actorOf(caller),
        action: 'run.retried',
        target: { type: 'run', id: runId },
        orgId: tenantId,
        userId: null,
        origin,
        details: { retry: run.id },
      });
      return run;
    });
  }

  /** @throws run_not_found */
  async find(tenantId: TenantId, id: string, ownerId: string | null = null): Promise<RunDetails> {
    const run = await this.runs.findById(this.database.reader, tenantId, id, ownerId);
    if (run === null) throw new ServiceError('run_not_found');
    return run;
  }

  private async earlierRun(
    tx: Tx,
    tenantId: TenantId,
    runId: string,
    trigger: ManualTrigger,
    ownerId: string | null,
  ): Promise<Run | null> {
    const { jobId, idempotencyKey } = trigger;
    if (idempotencyKey === null) return null;
    const key = storedKey(idempotencyKey, ownerId);
    const requestHash = sha256(JSON.stringify([trigger.payload, trigger.delayMs]));
    const earlier = await this.requests.claim(tx, tenantId, { jobId, key, requestHash, runId });
    if (earlier === null) return null;
    if (!earlier.requestHash.equals(requestHash)) throw new ServiceError('idempotency_mismatch');
    return await this.runs.findById(tx, tenantId, earlier.runId, ownerId);
  }

  /** Refuses an unknown job in the same way as one that is not open, so that users cannot probe for jobs. */
  private async requireOpen(tx: Tx, tenantId: TenantId, jobId: string): Promise<void> {
    if (await this.runs.isOpenJob(tx, tenantId, jobId)) return;
    throw new ServiceError('permission_denied', {
      hint: 'Users may trigger only jobs that declare "invocable_by": "authenticated".',
    });
  }
}

/** @throws job_not_found */
function requireAccepted(run: Run | null): Run {
  if (run === null) throw new ServiceError('job_not_found');
  return run;
}

function manualTriggerOf(caller: Caller): RunTrigger {
  if (caller.type === 'user') return { type: 'manual', user_id: caller.userId };
  return caller.type === 'run'
    ? { type: 'manual', run_id: caller.runId }
    : { type: 'manual', key_id: caller.keyId };
}

/**
 * Returns whose runs a caller may see and create: null for all runs of the tenant, otherwise the user.
 * @throws permission_denied for a caller who may reach only their own runs but is not a user
 */
export function runOwner({ reach }: Tenant, caller: Caller): string | null {
  if (reach === 'all') return null;
  if (caller.type === 'user') return caller.userId;
  throw new ServiceError('permission_denied');
}

/** @throws permission_denied for callers who may reach only their own runs */
export function requireFullReach({ reach }: Tenant): void {
  if (reach !== 'all') throw new ServiceError('permission_denied');
}
