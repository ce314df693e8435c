import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { Quota } from '../../../limits/index.js';
import type { AttemptEnd, RunEnd } from '../model/attempt-end.js';
import type { ClaimedRun, NewRun, Run } from '../model/run.js';
import { FIRST_STATUS, isFinal, statusAfter } from '../model/run-status.js';
import type { RunStatus } from '../model/run-status.js';
import { byTenant } from './exchange.js';
import type { AcceptedRun, Deferral, TenantExchange, TenantExchanged } from './exchange.js';
import { BEGIN_RUN, EXCHANGE } from './exchange-statement.js';

type Row = Omit<ClaimedRun, 'payload'> &
  Pick<Run, 'startBefore' | 'createdAt' | 'startedAt' | 'priority' | 'retryOf'> & {
    readonly kind: 'deferred' | 'ended' | 'refused' | 'accepted' | 'claimed' | 'tenant';
    readonly payload: string | null;
    readonly status: RunStatus;
    readonly seconds: number | null;
    readonly reached: Quota;
    readonly isWaiting: boolean;
    readonly hasRoom: boolean;
    readonly hasBlocked: boolean;
    readonly givenId?: string | null;
    readonly waitMs?: number | null;
  };

export interface LockOptions {
  /** How long to wait at most for the lock of a tenant; 0, the default, for as long as it takes. */
  readonly lockLimitMs?: number;
  /**
   * Whether to wait for those who are deleting the job of a run; otherwise, the default, the run is left out. Only for a
   * transaction that has not locked a tenant.
   */
  readonly waitsForJobs?: boolean;
}

/** A run that was accepted and begins at once. */
export interface BegunRun {
  readonly accepted: AcceptedRun;
  readonly claimed: ClaimedRun;
}

/** The only place that changes runs, but for the deletion of old ones: they are accepted, begin and end here. */
@Injectable()
export class ExchangeRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Carries out the exchanges, under the locks of all their tenants. Each tenant is given once. Leaves out runs that their
   * job does not accept.
   *
   * @param workerId the worker whose slots are offered; null if none are
   */
  async exchange(
    handle: AutoCommit | Tx,
    workerId: string | null,
    tenants: readonly TenantExchange[],
    { lockLimitMs = 0, waitsForJobs = false }: LockOptions = {},
  ): Promise<Map<TenantId, TenantExchanged>> {
    const found = await rows<Row>(handle, EXCHANGE, [
      workerId,
      this.config.jobs.maxOrgConcurrentRuns,
      // 0 is no limit.
      this.config.limits.waitingRuns || null,
      this.config.limits.waitingPayloadBytes || null,
      this.config.timing.workers.deadAfterMs,
      lockLimitMs,
      waitsForJobs,
      JSON.stringify(givenExchange(tenants)),
    ]);
    return exchanged(found);
  }

  /** Accepts and claims a run. Returns null, and accepts nothing, when it cannot begin at once. */
  async begin(handle: AutoCommit, run: NewRun, workerId: string): Promise<BegunRun | null> {
    const row = await firstRow<Row>(handle, BEGIN_RUN, [
      run.id,
      run.tenantId,
      run.jobId,
      JSON.stringify(run.trigger),
      run.payload,
      Buffer.byteLength(run.payload),
      run.priority,
      run.scheduledFor,
      run.retryOf,
      run.traceParent,
      this.config.jobs.maxOrgConcurrentRuns,
      workerId,
    ]);
    return row === null ? null : { accepted: acceptedRun(row), claimed: { ...row, payload: run.payload } };
  }

  /**
   * To be called when a limit of these jobs is higher, so that their blocked runs may have places now, or when they are gone. Locks
   * the queue.
   */
  async unblock(tx: Tx, tenantId: TenantId, jobIds: readonly string[]): Promise<void> {
    await rows(tx, 'SELECT unblock_runs($1, $2)', [tenantId, jobIds]);
  }

  /** Locks the queue of a tenant until the transaction ends: none of its runs begins, ends or is accepted meanwhile. */
  async lock(tx: Tx, tenantId: string): Promise<void> {
    await rows(tx, 'SELECT FROM tenant_queues WHERE tenant_id = $1 FOR NO KEY UPDATE', [tenantId]);
  }
}

/** The last parameter of `exchange_runs_1`. */
function givenExchange(tenants: readonly TenantExchange[]): object {
  const given = {
    defers: tenants.flatMap(({ tenantId, defers = [] }) => ofTenant(tenantId, defers.map(givenDeferral))),
    retries: tenants.flatMap(({ tenantId, ends = [] }) =>
      ofTenant(tenantId, ends.filter((end) => !isFinalEnd(end)).map(givenEnd)),
    ),
    ends: tenants.flatMap(({ tenantId, ends = [] }) =>
      ofTenant(tenantId, ends.filter(isFinalEnd).map(givenEnd)),
    ),
    arrivals: tenants.flatMap(({ tenantId, arrivals = [] }) => ofTenant(tenantId, givenArrivals(arrivals))),
  };
  return {
    tenants: tenants.map(({ tenantId, slots = 0 }) => ({ tenant_id: tenantId, slots })),
    ...Object.fromEntries(Object.entries(given).filter(([, items]) => items.length > 0)),
  };
}

function ofTenant(tenantId: TenantId, items: readonly object[]): object[] {
  return items.map((item) => ({ tenant_id: tenantId, ...item }));
}

function isFinalEnd({ event }: AttemptEnd | RunEnd): boolean {
  return isFinal(statusAfter(event));
}

function givenDeferral({ id, fence, workerId }: Deferral): object {
  return { id, fence, worker_id: workerId };
}

function givenEnd(end: AttemptEnd | RunEnd): object {
  const ofAttempt = 'fence' in end ? end : null;
  return {
    id: end.runId,
    fence: ofAttempt?.fence ?? null,
    worker_id: ofAttempt?.lostBy ?? null,
    status: statusAfter(end.event),
    outcome: ofAttempt?.outcome ?? 'cancelled',
    status_code: ofAttempt?.statusCode ?? null,
    error_code: end.errorCode,
    error_message: end.errorMessage,
    // As a text, which PostgreSQL keeps as it is; without halves of surrogate pairs, which it refuses.
    result: ofAttempt?.result == null ? null : Buffer.from(ofAttempt.result).toString(),
    failures: ofAttempt?.countsAsFailure === true ? 1 : 0,
    losses: ofAttempt?.outcome === 'lost' ? 1 : 0,
    delay_ms: ofAttempt?.delayMs ?? 0,
    if_late: end.event === 'not started in time',
  };
}

function givenArrivals(runs: readonly NewRun[]): object[] {
  let bytesWithIt = 0;
  return runs.map((run, index) => {
    const bytes = Buffer.byteLength(run.payload);
    bytesWithIt += bytes;
    return {
      id: run.id,
      job_id: run.jobId,
      trigger: run.trigger,
      payload: run.payload,
      payload_bytes: bytes,
      priority: run.priority,
      delay_ms: run.delayMs,
      run_at: run.runAt,
      scheduled_for: run.scheduledFor,
      retry_of: run.retryOf,
      trace_parent: run.traceParent,
      nth: index + 1,
      bytes_with_it: bytesWithIt,
    };
  });
}

function exchanged(found: readonly Row[]): Map<TenantId, TenantExchanged> {
  const tenants = new Map<TenantId, TenantExchanged>();
  for (const [tenantId, own] of byTenant(found)) {
    const of = (wanted: Row['kind']): Row[] => own.filter(({ kind }) => kind === wanted);
    const [queue] = of('tenant');
    if (queue === undefined) continue;
    tenants.set(tenantId, {
      tenantId,
      isWaiting: queue.isWaiting,
      hasRoom: queue.hasRoom,
      hasBlocked: queue.hasBlocked,
      placeInMs: queue.waitMs ?? null,
      deferred: new Set(of('deferred').map(({ id }) => id)),
      ends: of('ended'),
      accepted: of('accepted').map(acceptedRun),
      refused: of('refused').map(({ id, reached }) => ({ id, quota: reached })),
      claimed: of('claimed').map((row) => ({ ...row, payload: row.payload ?? '' })),
    });
  }
  return tenants;
}

/** A run as it was accepted, even if its first attempt has begun since. */
function acceptedRun(row: Row): AcceptedRun {
  const { id, jobId, trigger, priority, maxAttempts, scheduledFor, dueAt, startBefore, createdAt, retryOf } =
    row;
  return {
    ...{ id, jobId, trigger, priority, maxAttempts, scheduledFor, dueAt, startBefore, createdAt, retryOf },
    status: FIRST_STATUS,
    attempt: 0,
    startedAt: null,
    completedAt: null,
    parentRunId: 'run_id' in trigger ? trigger.run_id : null,
    errorCode: null,
    errorMessage: null,
    arrivedAs: row.givenId ?? id,
    dueInMs: row.waitMs ?? 0,
  };
}
