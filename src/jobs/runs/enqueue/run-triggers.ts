import { Inject, Injectable } from '@nestjs/common';
import { sha256 } from '../../../platform/crypto/index.js';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { FieldProblems, ServiceError } from '../../../http/index.js';
import type { Caller, Tenant, TenantId } from '../../../http/index.js';
import { limitReached } from '../../../limits/index.js';
import type { NewRun, Run } from '../model/run.js';
import { newRunId } from '../model/run-id.js';
import { runOwner } from '../model/run-reach.js';
import { RunRepository } from '../model/run.repository.js';
import { storedKey } from '../search/run-filters.js';
import type { IdempotentRequest } from './idempotency-key.repository.js';
import { idempotencyMismatch, IdempotentRequests } from './idempotent-requests.js';
import { manualTriggerOf } from './manual-trigger.js';
import { ledBy, ParentRuns } from './parent-runs.js';
import { RunEnqueuer } from './run-enqueuer.js';

/** One trigger of a job on demand. */
export interface ManualTrigger {
  /** JSON text. */
  readonly payload: string;
  /** Null for that of the job. */
  readonly priority: number | null;
  readonly delayMs: number;
  /** The instant to wait for, instead of `delayMs`; an instant that has passed means now. */
  readonly runAt: Date | null;
  readonly idempotencyKey: string | null;
  readonly traceParent: string | null;
}

/** A trigger, and the run that it gives unless an earlier one has its key. */
interface RequestedRun {
  readonly run: NewRun;
  /** Null without an `Idempotency-Key`. */
  readonly idempotent: IdempotentRequest | null;
}

/** A request with an idempotency key, and its index in the batch. */
interface IndexedRequest extends IdempotentRequest {
  readonly index: number;
}

/** Triggers jobs on demand: once a method returns, the runs are committed and are guaranteed to end. */
@Injectable()
export class RunTriggers {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly runs: RunRepository,
    private readonly idempotent: IdempotentRequests,
    private readonly enqueuer: RunEnqueuer,
    private readonly parents: ParentRuns,
  ) {}

  /** @throws job_not_found, idempotency_mismatch, permission_denied, limit_reached */
  async trigger(tenant: Tenant, jobId: string, trigger: ManualTrigger, caller: Caller): Promise<Run> {
    const requested = this.requestedRun(tenant, jobId, trigger, caller);
    if (tenant.reach === 'all' && requested.idempotent === null && caller.type !== 'run')
      return requireFound(await this.enqueuer.acceptAlone(requested.run));
    const [run] = await this.triggerTogether(tenant, jobId, [requested], caller, () => undefined);
    return requireFound(run);
  }

  /**
   * All of the triggers or none. Returns a run for each, in the same order: for a key that an earlier trigger had, of
   * this batch or before it, that trigger's run.
   * @throws validation_failed, job_not_found, idempotency_mismatch, permission_denied, limit_reached
   */
  async triggerAll(
    tenant: Tenant,
    jobId: string,
    triggers: readonly ManualTrigger[],
    caller: Caller,
  ): Promise<Run[]> {
    this.requireSmall(triggers);
    const requested = triggers.map((trigger) => this.requestedRun(tenant, jobId, trigger, caller));
    const pathOf = (index: number): string => `items[${index}].idempotency_key`;
    return await this.triggerTogether(tenant, jobId, requested, caller, pathOf);
  }

  private requestedRun(
    tenant: Tenant,
    jobId: string,
    { payload, priority, delayMs, runAt, idempotencyKey, traceParent }: ManualTrigger,
    caller: Caller,
  ): RequestedRun {
    const ownerId = runOwner(tenant, caller);
    if (priority !== null && tenant.reach !== 'all')
      throw new ServiceError('permission_denied', {
        message: 'Users of a project trigger runs with the priority of their job.',
        hint: 'Leave priority out, or trigger with the service key.',
      });
    const untilRunAt = runAt === null ? 0 : Math.max(runAt.getTime() - Date.now(), 0);
    const run = {
      id: newRunId(),
      tenantId: tenant.id,
      jobId,
      payload,
      trigger: manualTriggerOf(caller),
      priority,
      delayMs: runAt === null ? delayMs : untilRunAt,
      runAt: untilRunAt === 0 ? null : runAt,
      scheduledFor: null,
      retryOf: null,
      traceParent,
    };
    if (idempotencyKey === null) return { run, idempotent: null };
    const asked = runAt === null ? [payload, delayMs] : [payload, 'run_at', runAt.toISOString()];
    const requestHash = sha256(JSON.stringify(priority === null ? asked : [...asked, 'priority', priority]));
    return { run, idempotent: { key: storedKey(idempotencyKey, ownerId), requestHash, runId: run.id } };
  }

  /** @throws validation_failed with every payload that is larger than the body of a single trigger may be */
  private requireSmall(triggers: readonly ManualTrigger[]): void {
    const { maxPayloadBytes } = this.config.jobs;
    const problems = new FieldProblems();
    for (const [index, { payload }] of triggers.entries())
      if (Buffer.byteLength(payload) > maxPayloadBytes)
        problems.add(`items[${index}].payload`, `must be at most ${maxPayloadBytes} bytes`);
    problems.requireNone();
  }

  /** @param pathOf the path of the key of a request, for its errors; undefined for the one that is in a header */
  private async triggerTogether(
    tenant: Tenant,
    jobId: string,
    requested: readonly RequestedRun[],
    caller: Caller,
    pathOf: (index: number) => string | undefined,
  ): Promise<Run[]> {
    const scope = { tenantId: tenant.id, jobId, ownerId: runOwner(tenant, caller) };
    const first = requireEqualRequests(requested, pathOf);
    return await this.database.transaction(async (tx) => {
      if (scope.ownerId !== null) await this.requireOpen(tx, tenant.id, jobId);
      const keyed = [...first.values()];
      const earlier = await this.idempotent.earlierRuns(tx, scope, keyed, ({ index }) => pathOf(index));
      // After the keys, which may be those of another transaction that waits for this lock.
      const isOfRun = caller.type === 'run';
      const origin = isOfRun ? await this.parents.require(tx, caller) : null;
      const runIds = requested.map(
        ({ run, idempotent }) => first.get(idempotent?.key ?? '')?.runId ?? run.id,
      );
      const isNew = ({ run }: RequestedRun, index: number): boolean =>
        runIds[index] === run.id && !earlier.has(run.id);
      const accepted = await this.acceptAll(
        tx,
        requested.filter(isNew).map(({ run }) => ({ ...run, trigger: ledBy(origin, run.trigger) })),
        isOfRun,
      );
      await this.idempotent.pointToJoined(tx, scope, keyed, accepted);
      return runIds.map((id) => requireFound(earlier.get(id) ?? accepted.get(id)));
    });
  }

  /** @throws job_not_found, limit_reached */
  private async acceptAll(tx: Tx, runs: readonly NewRun[], isLocked: boolean): Promise<Map<string, Run>> {
    const { accepted, refused } = await this.enqueuer.acceptEach(tx, runs, isLocked);
    if (refused[0] !== undefined) throw limitReached(this.config.limits, refused[0].quota);
    if (accepted.length < runs.length) throw new ServiceError('job_not_found');
    return new Map(accepted.map((run) => [run.arrivedAs, run]));
  }

  /** Refuses an unknown job in the same way as one that is not open, so that users cannot probe for jobs. */
  private async requireOpen(tx: Tx, tenantId: TenantId, jobId: string): Promise<void> {
    if (await this.runs.isOpenJob(tx, tenantId, jobId)) return;
    throw new ServiceError('permission_denied', {
      hint: 'Users may trigger only jobs that declare "invocable_by": "authenticated".',
    });
  }
}

/**
 * The first request with each key, by key.
 * @throws idempotency_mismatch when another request has the same key
 */
function requireEqualRequests(
  requested: readonly RequestedRun[],
  pathOf: (index: number) => string | undefined,
): Map<string, IndexedRequest> {
  const first = new Map<string, IndexedRequest>();
  for (const [index, { idempotent }] of requested.entries()) {
    if (idempotent === null) continue;
    const before = first.get(idempotent.key);
    if (before === undefined) first.set(idempotent.key, { ...idempotent, index });
    else if (!before.requestHash.equals(idempotent.requestHash)) throw idempotencyMismatch(pathOf(index));
  }
  return first;
}

/** @throws job_not_found */
function requireFound(run: Run | null | undefined): Run {
  if (run == null) throw new ServiceError('job_not_found');
  return run;
}
