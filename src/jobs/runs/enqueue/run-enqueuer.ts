import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { afterCommit, Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { preciseNow, Tracing } from '../../../platform/tracing/index.js';
import type { TenantId } from '../../../http/index.js';
import { limitReached } from '../../../limits/index.js';
import { byTenant } from '../exchange/exchange.js';
import type { AcceptedRun, RefusedRun, TenantExchanged } from '../exchange/exchange.js';
import { ExchangeRepository } from '../exchange/exchange.repository.js';
import { RunPump } from '../exchange/run-pump.js';
import type { NewRun, Run } from '../model/run.js';
import { LocalWorker } from '../queue/local-worker.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import type { LaterRun } from '../queue/run-dispatcher.js';
import { recordTrigger } from './trigger-span.js';

/** Longer payloads get a statement of their own, since a shared one takes up to a hundred of them. Characters. */
const MAX_SHARED_PAYLOAD = 32_768;
/** Of a wait that is longer, a second does not matter. */
const LONG_WAIT_MS = 10_000;

/** The result for a set of runs. A run whose job does not accept it is in neither list. */
export interface EnqueueResult {
  readonly accepted: readonly AcceptedRun[];
  readonly refused: readonly RefusedRun[];
}

/** Accepts every run, whatever triggered it. */
@Injectable()
export class RunEnqueuer {
  constructor(
    private readonly database: Database,
    private readonly exchanges: ExchangeRepository,
    private readonly pump: RunPump,
    private readonly dispatcher: RunDispatcher,
    private readonly local: LocalWorker,
    @Inject(CONFIG) private readonly config: Config,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Accepts runs. When `tx` commits, they are guaranteed to end, and the workers get their wake-ups. Runs whose job
   * no longer exists are left out, and so are runs of a paused job unless they were triggered manually.
   *
   * The tenants stay locked until the transaction ends, so this comes as late in it as possible.
   *
   * @returns the runs that their tenant's quota refused; no later run of the same tenant in the list was accepted
   */
  async acceptAll(tx: Tx, runs: readonly NewRun[]): Promise<readonly RefusedRun[]> {
    return (await this.acceptEach(tx, runs)).refused;
  }

  /**
   * Like `acceptEach`, for a single run. Returns null when the run is left out.
   * @throws limit_reached
   */
  async accept(tx: Tx, run: NewRun, isLocked = false): Promise<Run | null> {
    const { accepted, refused } = await this.acceptEach(tx, [run], isLocked);
    if (refused[0] !== undefined) throw limitReached(this.config.limits, refused[0].quota);
    return accepted[0] ?? null;
  }

  /**
   * Like `acceptAll`, and returns the accepted runs too. A run in neither list is left out.
   * @param isLocked whether the transaction has locked the tenant; then a run whose job is being deleted is left out, too
   */
  async acceptEach(tx: Tx, runs: readonly NewRun[], isLocked = false): Promise<EnqueueResult> {
    if (runs.length === 0) return { accepted: [], refused: [] };
    const startedAt = preciseNow();
    const arriving = [...byTenant(runs)].map(([tenantId, arrivals]) => ({ tenantId, arrivals }));
    const exchanged = await this.exchanges.exchange(tx, null, arriving, { waitsForJobs: !isLocked });
    const tenants = [...exchanged.values()];
    const accepted = tenants.flatMap((tenant) => tenant.accepted);
    afterCommit(tx, async () => {
      if (this.tracing.isOn) this.recordTriggers(accepted, runs, startedAt);
      await this.wakeUp(tenants);
    });
    return { accepted, refused: tenants.flatMap(({ refused }) => refused) };
  }

  /** Runs that a request set going are in its trace. */
  private recordTriggers(accepted: readonly AcceptedRun[], runs: readonly NewRun[], startedAt: number): void {
    const acceptedIds = new Set(accepted.map(({ arrivedAs }) => arrivedAs));
    for (const run of runs)
      if (run.traceParent === null && acceptedIds.has(run.id)) recordTrigger(this.tracing, run, startedAt);
  }

  private async wakeUp(tenants: readonly TenantExchanged[]): Promise<void> {
    const withDue = tenants.filter(({ accepted, hasRoom }) => hasRoom && accepted.some(isDue));
    const later = tenants.flatMap(({ tenantId, accepted }) =>
      accepted.filter((run) => !isDue(run)).map((run) => laterRun(tenantId, run)),
    );
    await this.dispatcher.wakeUp(...withDue.map(({ tenantId }) => tenantId));
    await this.dispatcher.wakeUpLater(...later);
  }

  /**
   * Accepts a run in a transaction of its own: once this returns, it is committed. Returns null when its job no
   * longer exists.
   * @throws limit_reached
   */
  async acceptAlone(run: NewRun): Promise<Run | null> {
    const shared = run.payload.length > MAX_SHARED_PAYLOAD ? null : await this.acceptShared(run);
    const arrived = shared ?? (await this.acceptApart(run));
    if (arrived !== null && 'quota' in arrived) throw limitReached(this.config.limits, arrived.quota);
    return arrived;
  }

  /** Lets the run begin here at once if a slot is free; otherwise workers get a wake-up if they may have one. */
  private async acceptShared(run: NewRun): Promise<AcceptedRun | RefusedRun | null> {
    const accept = async (slots: number): ReturnType<RunPump['accept']> => await this.pump.accept(run, slots);
    const worker = run.delayMs > 0 ? null : this.local.worker;
    const { arrived, hasRoom } = await (worker?.begin(run.tenantId, accept) ?? accept(0));
    if (arrived === null || 'quota' in arrived) return arrived;
    if (!isDue(arrived)) await this.dispatcher.wakeUpLater(laterRun(run.tenantId, arrived));
    else if (hasRoom) await this.dispatcher.wakeUp(run.tenantId);
    return arrived;
  }

  /**
   * Accepts by itself what other callers should not wait for: a large payload, or a run of a job that is gone or being
   * deleted.
   */
  private async acceptApart(run: NewRun): Promise<AcceptedRun | RefusedRun | null> {
    const { accepted, refused } = await this.database.transaction((tx) => this.acceptEach(tx, [run]));
    return accepted[0] ?? refused[0] ?? null;
  }
}

function isDue({ dueInMs }: AcceptedRun): boolean {
  return dueInMs <= 0;
}

/**
 * Its delay is counted by the database's clock, which decides whether the run is due. Each trigger that joins a waiting run makes it due
 * later: those of a second share a wake-up, unless the run would notice.
 */
function laterRun(tenantId: TenantId, { id, arrivedAs, dueAt, dueInMs, createdAt }: AcceptedRun): LaterRun {
  const at = dueAt ?? createdAt;
  if (id === arrivedAs || dueInMs < LONG_WAIT_MS) return { tenantId, dueAt: at, delayMs: dueInMs };
  const shared = new Date(Math.ceil(at.getTime() / 1000) * 1000);
  return { tenantId, dueAt: shared, delayMs: dueInMs + shared.getTime() - at.getTime() };
}
