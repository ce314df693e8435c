import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../../platform/database/index.js';
import type { Quota } from '../../../limits/index.js';
import type { ClaimedRun, NewRun, Run } from '../model/run.js';
import { FIRST_STATUS } from '../model/run-status.js';
import { ACCEPT_AND_CLAIM_RUNS, ACCEPT_RUNS, INSERT_RUNS } from './accept-statements.js';
import { BEGIN_RUN } from './begin-run.js';
import type { WakeableRun } from '../model/waiting-run.js';

/** A run that was accepted, as it was then. */
export interface AcceptedRun extends Run, WakeableRun {
  readonly reached: null;
  /** True when so many runs of the tenant are ahead that this one gets its wake-up only after they have gone. */
  readonly throttled: boolean;
}

/** A run to be enqueued, and whether this process has reserved a slot for it. */
export interface ArrivingRun {
  readonly run: NewRun;
  readonly hasSlot: boolean;
}

/** The result for one run. `started` is null unless the run was claimed for the reserved slot. */
export interface Arrival {
  readonly accepted: AcceptedRun;
  readonly started: ClaimedRun | null;
  /**
   * Whether the run was throttled although the tenant had a free slot: others were woken for it, but they may have ended
   * since the statement's snapshot.
   */
  readonly mayBeFree: boolean;
}

/** A run that was refused because the tenant has reached a quota of waiting runs or bytes. */
export interface RefusedRun {
  readonly id: string;
  readonly reached: Quota;
}

type PlacedRun = (AcceptedRun | RefusedRun) & { readonly placedId: string };

type ArrivedRow = PlacedRun &
  Pick<ClaimedRun, 'handler' | 'timeoutMs' | 'retryBackoff' | 'traceParent'> & {
    readonly isStarted: boolean;
    readonly mayBeFree: boolean;
  };

/** The result for a set of runs. A run whose job does not accept it is in neither list. */
export interface EnqueueResult {
  readonly accepted: AcceptedRun[];
  readonly refused: RefusedRun[];
}

/** The only place that creates runs, as `queued`. */
@Injectable()
export class EnqueueRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Adds runs, each with what it needs from its job, in the given order and as far as the tenants' quotas allow. Runs
   * that their job does not accept are left out. The statement locks each job, so that no job is deleted between the
   * check and the insert; a deletion that waits for the lock then sees the run and cancels it.
   *
   * Runs that are accepted concurrently elsewhere are not counted yet, so a quota may be exceeded by that many.
   */
  async insert(handle: AutoCommit | Tx, runs: readonly NewRun[]): Promise<EnqueueResult> {
    const placed = await rows<PlacedRun>(handle, INSERT_RUNS, this.parameters(runs));
    return {
      accepted: placed.flatMap((run) => (run.reached === null ? [run] : [])),
      refused: placed.flatMap((run) =>
        run.reached === null ? [] : [{ id: run.placedId, reached: run.reached }],
      ),
    };
  }

  /**
   * Like `insert`, but does not wait for a job that is being deleted: runs of such a job are left out too. Claims the
   * runs with a reserved slot, as far as they may begin at once. Fails with a lock timeout if another statement holds the
   * slot count of a tenant for too long.
   *
   * @param workerId the worker of this process, or null
   * @param cap how many runs of a tenant may run at the same time
   * @returns for each run, the result; null when it was left out
   */
  async accept(
    handle: AutoCommit,
    arriving: readonly ArrivingRun[],
    workerId: string | null,
    cap: number,
  ): Promise<(Arrival | RefusedRun | null)[]> {
    const [first] = arriving;
    if (arriving.length === 1 && first?.hasSlot === true && workerId !== null) {
      const begun = await this.begin(handle, first.run, workerId, cap);
      if (begun !== null) return [begun];
    }
    // The worker may have begun to shut down since it reserved the slots.
    const reserved =
      workerId === null ? [] : arriving.filter(({ hasSlot }) => hasSlot).map(({ run }) => run.id);
    const { runs, workers } = this.config.timing;
    const parameters = [
      ...this.parameters(arriving.map(({ run }) => run)),
      cap,
      runs.lockLimitMs,
      workers.deadAfterMs,
    ];
    const placed =
      reserved.length === 0
        ? await rows<ArrivedRow>(handle, ACCEPT_RUNS, parameters)
        : await rows<ArrivedRow>(handle, ACCEPT_AND_CLAIM_RUNS, [...parameters, reserved, workerId]);
    const byId = new Map(placed.map((row) => [row.placedId, row]));
    return arriving.map(({ run }) => {
      const row = byId.get(run.id);
      if (row === undefined) return null;
      return row.reached === null ? arrivalOf(row, run) : { id: row.placedId, reached: row.reached };
    });
  }

  /** Accepts and claims a run. Returns null, and accepts nothing, when it cannot begin at once. */
  private async begin(
    handle: AutoCommit,
    run: NewRun,
    workerId: string,
    cap: number,
  ): Promise<Arrival | null> {
    const { waitingRuns, waitingPayloadBytes } = this.config.limits;
    const row = await firstRow<ArrivedRow & AcceptedRun>(handle, BEGIN_RUN, [
      run.id,
      run.tenantId,
      run.jobId,
      JSON.stringify(run.trigger),
      run.payload,
      run.scheduledFor,
      run.retryOf,
      run.traceParent,
      Buffer.byteLength(run.payload),
      cap,
      waitingRuns,
      waitingPayloadBytes,
      workerId,
      run.priority,
      this.config.timing.runs.lockLimitMs,
    ]);
    return row === null ? null : arrivalOf(row, run);
  }

  private parameters(runs: readonly NewRun[]): unknown[] {
    const { waitingRuns, waitingPayloadBytes } = this.config.limits;
    const sums = runningSums(runs);
    return [
      runs.map((run) => run.id),
      runs.map((run) => run.tenantId),
      runs.map((run) => run.jobId),
      runs.map((run) => JSON.stringify(run.trigger)),
      runs.map((run) => run.payload),
      runs.map((run) => run.delayMs),
      runs.map((run) => run.scheduledFor),
      runs.map((run) => run.retryOf),
      runs.map((run) => run.traceParent),
      sums.map((sum) => sum.ownBytes),
      sums.map((sum) => sum.runs),
      sums.map((sum) => sum.bytes),
      runs.map((run) => run.runAt),
      runs.map((run) => run.priority),
      waitingRuns,
      waitingPayloadBytes,
    ];
  }
}

/** The answer to the caller shows the run as it was accepted, even if its first attempt begins in the same statement. */
function arrivalOf(row: ArrivedRow & AcceptedRun, run: NewRun): Arrival {
  const { isStarted, mayBeFree, handler, timeoutMs, retryBackoff, traceParent, ...stored } = row;
  if (!isStarted) return { accepted: stored, started: null, mayBeFree };
  const { id, tenantId, jobId, maxAttempts, fence, attempt } = stored;
  const { trigger, payload, scheduledFor } = run;
  const claim = {
    id,
    tenantId: run.tenantId,
    jobId,
    trigger,
    payload,
    attempt,
    failures: 0,
    maxAttempts,
    fence,
  };
  return {
    accepted: {
      ...stored,
      tenantId,
      status: FIRST_STATUS,
      attempt: 0,
      startedAt: null,
      dueAt: stored.createdAt,
    },
    mayBeFree,
    started: {
      ...claim,
      handler,
      timeoutMs,
      retryBackoff,
      scheduledFor,
      traceParent,
      dueAt: stored.createdAt,
    },
  };
}

/**
 * For each run, the number of runs and payload bytes of its tenant up to and including it. Saves SQL window
 * functions.
 */
function runningSums(runs: readonly NewRun[]): { ownBytes: number; runs: number; bytes: number }[] {
  const last = new Map<string, { runs: number; bytes: number }>();
  return runs.map(({ tenantId, payload }) => {
    const before = last.get(tenantId) ?? { runs: 0, bytes: 0 };
    const ownBytes = Buffer.byteLength(payload);
    const sum = { ownBytes, runs: before.runs + 1, bytes: before.bytes + ownBytes };
    last.set(tenantId, sum);
    return sum;
  });
}
