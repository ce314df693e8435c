import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { afterCommit, Database, GroupedStatement, isLockTimeout } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { preciseNow, Tracing } from '../../../platform/tracing/index.js';
import { recordTrigger } from './trigger-span.js';
import { limitReached } from '../../../limits/index.js';
import type { NewRun, Run } from '../model/run.js';
import { EnqueueRepository } from './enqueue.repository.js';
import type { AcceptedRun, Arrival, ArrivingRun, EnqueueResult, RefusedRun } from './enqueue.repository.js';
import { LocalWorker } from '../queue/local-worker.js';
import { FreedSlots } from '../slots/freed-slots.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';

/** Longer payloads get a statement of their own, since a shared one takes up to a hundred of them. Characters. */
const MAX_SHARED_PAYLOAD = 32_768;

/** Accepts every run, whatever triggered it. */
@Injectable()
export class RunEnqueuer {
  private readonly accepting: GroupedStatement<ArrivingRun, Arrival | RefusedRun | null>;

  constructor(
    private readonly database: Database,
    private readonly acceptance: EnqueueRepository,
    private readonly dispatcher: RunDispatcher,
    private readonly local: LocalWorker,
    private readonly slots: FreedSlots,
    @Inject(CONFIG) private readonly config: Config,
    private readonly tracing: Tracing,
  ) {
    this.accepting = new GroupedStatement((arriving) =>
      acceptance.accept(database.autoCommit, arriving, local.workerId, config.jobs.maxOrgConcurrentRuns),
    );
  }

  /**
   * Accepts runs. When `tx` commits, they are guaranteed to end, and the workers get their wake-ups. Runs whose job
   * no longer exists are left out, and so are runs of a paused job unless they were triggered manually.
   *
   * @returns the runs that their tenant's quota refused; no later run of the same tenant in the list was accepted
   */
  async acceptAll(tx: Tx, runs: readonly NewRun[]): Promise<readonly RefusedRun[]> {
    return (await this.acceptEach(tx, runs)).refused;
  }

  /**
   * Like `acceptAll`, for a single run. Returns null when the run is left out.
   * @throws limit_reached
   */
  async accept(tx: Tx, run: NewRun): Promise<Run | null> {
    const { accepted, refused } = await this.acceptEach(tx, [run]);
    if (refused[0] !== undefined) throw limitReached(this.config.limits, refused[0].reached);
    return accepted[0] ?? null;
  }

  /** Like `acceptAll`, and returns the accepted runs too. A run in neither list is left out. */
  async acceptEach(tx: Tx, runs: readonly NewRun[]): Promise<EnqueueResult> {
    if (runs.length === 0) return { accepted: [], refused: [] };
    const startedAt = preciseNow();
    const acceptance = await this.acceptance.insert(tx, runs);
    const { accepted } = acceptance;
    const requested = new Map(runs.map((run) => [run.id, run]));
    const unthrottled = accepted.filter((run) => !run.throttled);
    afterCommit(tx, async () => {
      if (this.tracing.isOn) this.recordTriggers(accepted, requested, startedAt);
      await this.dispatcher.wakeUpAll(unthrottled, (run) => delayOf(run, requested.get(run.id)));
    });
    return acceptance;
  }

  /** Runs that a request set going are in its trace. */
  private recordTriggers(
    accepted: readonly AcceptedRun[],
    requested: ReadonlyMap<string, NewRun>,
    startedAt: number,
  ): void {
    for (const { id } of accepted) {
      const run = requested.get(id);
      if (run?.traceParent === null) recordTrigger(this.tracing, run, startedAt);
    }
  }

  /**
   * Accepts a run in a transaction of its own: once this returns, it is committed. Returns null when its job no
   * longer exists.
   * @throws limit_reached
   */
  async acceptAlone(run: NewRun): Promise<Run | null> {
    const shared = run.payload.length > MAX_SHARED_PAYLOAD ? null : await this.acceptShared(run);
    const accepted = shared ?? (await this.insertAlone(run));
    if (accepted !== null && accepted.reached !== null)
      throw limitReached(this.config.limits, accepted.reached);
    return accepted;
  }

  /** Lets the run begin here at once if a slot is free; otherwise workers get its wake-up. */
  private async acceptShared(run: NewRun): Promise<AcceptedRun | RefusedRun | null> {
    const slot = run.delayMs === 0 ? this.local.reserve(run) : null;
    let arrival: Arrival | RefusedRun | null = null;
    try {
      arrival = await this.accepting.run({ run, hasSlot: slot !== null });
    } catch (error) {
      // Without the lock, the run is accepted all the same; it waits for a wake-up.
      if (!isLockTimeout(error)) throw error;
    } finally {
      const started = arrival !== null && 'started' in arrival ? arrival.started : null;
      if (started === null) slot?.release();
      else slot?.start(started);
    }
    if (arrival === null || !('started' in arrival)) return arrival;
    const { accepted, started, mayBeFree } = arrival;
    if (started === null && !accepted.throttled)
      await this.dispatcher.wakeUp(accepted, delayOf(accepted, run));
    if (mayBeFree) await this.slots.passOn(run);
    return accepted;
  }

  /**
   * Inserts by itself what other callers should not wait for: a large payload, or a run of a job that is gone or
   * being deleted.
   */
  private async insertAlone(run: NewRun): Promise<AcceptedRun | RefusedRun | null> {
    const { accepted, refused } = await this.acceptance.insert(this.database.autoCommit, [run]);
    if (accepted[0]?.throttled === false)
      await this.dispatcher.wakeUp(accepted[0], delayOf(accepted[0], run));
    return accepted[0] ?? refused[0] ?? null;
  }
}

/**
 * Milliseconds until the wake-up of an accepted run. Those until an instant are counted by the database's clock, which
 * decides whether the run is due, and end after the fraction of a millisecond that a Date has not.
 */
function delayOf({ createdAt, dueAt }: AcceptedRun, requested: NewRun | undefined): number {
  if (requested === undefined) return 0;
  if (requested.runAt === null || dueAt === null) return requested.delayMs;
  return Math.max(dueAt.getTime() - createdAt.getTime() + 1, 0);
}
