import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database, isDatabaseUnavailable } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { AttemptEnd } from '../model/attempt-end.js';
import type { ClaimedRun, NewRun } from '../model/run.js';
import { LocalWorker } from '../queue/local-worker.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { ExchangeRepository } from './exchange.repository.js';
import { byTenant } from './exchange.js';
import type {
  AcceptedRun,
  Deferral,
  QueueAfter,
  RefusedRun,
  TenantExchange,
  TenantExchanged,
  WrittenAttempt,
  WrittenEnd,
} from './exchange.js';

/** How many requests one statement takes at most. */
const MAX_REQUESTS = 100;

/** What one caller brings. */
interface Request {
  readonly tenantId: TenantId;
  readonly end?: AttemptEnd;
  readonly deferral?: Deferral;
  readonly arrival?: NewRun;
  /** Slots of this worker for runs of the tenant. */
  readonly slots: number;
}

/** What one caller gets. */
export interface PumpResult extends QueueAfter {
  /** Null when the end was not written, because the claim was no longer the current one. */
  readonly written: WrittenAttempt | null;
  readonly isDeferred: boolean;
  /** Null when the run was left out. */
  readonly arrived: AcceptedRun | RefusedRun | null;
  /** Runs that begin in the slots, at most as many. */
  readonly claimed: readonly ClaimedRun[];
}

/** What became of the end of an attempt, and of the slot in which it was. */
export type FinishedAttempt = Pick<PumpResult, 'written' | 'claimed' | 'isWaiting'>;

interface Waiting {
  readonly request: Request;
  /** Whether it takes a statement of its own, since one that it shared has failed. */
  readonly isAlone: boolean;
  readonly resolve: (result: PumpResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The way of the runs of this process into the database: what is accepted, begins and ends. A single request is served
 * at once. Those that come while a statement is under way share the next one, and those of a tenant wait for the one that has
 * this tenant: two would wait for each other in the database, each with a connection.
 */
@Injectable()
export class RunPump {
  private waiting: Waiting[] = [];
  /** The tenants of statements that are under way. */
  private readonly busy = new Set<TenantId>();
  private underWay = 0;
  private timer: NodeJS.Timeout | null = null;
  private isScheduled = false;
  private readonly blockedListeners: ((tenantId: TenantId) => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly exchanges: ExchangeRepository,
    private readonly local: LocalWorker,
    private readonly dispatcher: RunDispatcher,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Calls the listener for each tenant of which an exchange has blocked runs that are not just to wait. */
  onBlocked(listener: (tenantId: TenantId) => void): void {
    this.blockedListeners.push(listener);
  }

  /** Ends an attempt, and claims as many further runs of its tenant as there are slots. */
  async end(end: AttemptEnd, slots: number): Promise<PumpResult> {
    return await this.run({ tenantId: end.tenantId, end, slots });
  }

  /** Takes an attempt from its worker, and claims as many further runs of its tenant as there are slots. */
  async defer(tenantId: TenantId, deferral: Deferral, slots: number): Promise<PumpResult> {
    return await this.run({ tenantId, deferral, slots });
  }

  /** Claims runs of the tenant. */
  async claimRuns(tenantId: TenantId, slots: number): Promise<PumpResult> {
    return await this.run({ tenantId, slots });
  }

  /** Accepts a run, and claims as many runs of its tenant as there are slots, which may be this one or others. */
  async accept(run: NewRun, slots: number): Promise<PumpResult> {
    const workerId = this.local.worker?.workerId;
    if (slots === 1 && workerId !== undefined && run.delayMs === 0 && this.isIdle) {
      const begun = await this.underWayWith([run.tenantId], () =>
        this.exchanges.begin(this.database.autoCommit, run, workerId),
      ).finally(() => {
        this.sendWaiting();
      });
      if (begun !== null)
        return { ...NOTHING, arrived: begun.accepted, claimed: [begun.claimed], isWaiting: false };
    }
    return await this.run({ tenantId: run.tenantId, arrival: run, slots });
  }

  private get isIdle(): boolean {
    return this.underWay === 0 && this.waiting.length === 0;
  }

  private async run(request: Request): Promise<PumpResult> {
    return await new Promise((resolve, reject) => {
      this.waiting.push({ request, isAlone: false, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.underWay > 0) {
      this.timer ??= setTimeout(() => {
        this.sendWaiting();
      }, this.config.timing.runs.groupWaitMs);
    } else if (!this.isScheduled) {
      this.isScheduled = true;
      setImmediate(() => {
        this.isScheduled = false;
        this.sendWaiting();
      });
    }
  }

  /**
   * Sends what waits, but for what belongs to tenants that are under way, and a second end of the same attempt: its caller
   * must learn that the first one was written.
   */
  private sendWaiting(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const shared: Waiting[] = [];
    const alone: Waiting[] = [];
    const left: Waiting[] = [];
    const taken = new Set(this.busy);
    const ending = new Set<string>();
    for (const one of this.waiting) {
      const { tenantId, end } = one.request;
      const isSecond = end !== undefined && ending.has(end.runId);
      if (end !== undefined) ending.add(end.runId);
      if (isSecond || taken.has(tenantId) || shared.length === MAX_REQUESTS) left.push(one);
      else if (one.isAlone) {
        alone.push(one);
        taken.add(tenantId);
      } else shared.push(one);
    }
    this.waiting = left;
    for (const one of alone) void this.send([one]);
    if (shared.length > 0) void this.send(shared);
  }

  private async send(group: readonly Waiting[]): Promise<void> {
    const requests = group.map(({ request }) => request);
    try {
      const results = await this.exchange(requests);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] ?? NOTHING);
    } catch (error) {
      // One request's error must not fail the others. If the database is unavailable, all of them fail.
      if (group.length === 1 || isDatabaseUnavailable(error)) for (const { reject } of group) reject(error);
      else this.waiting.unshift(...group.map((one) => ({ ...one, isAlone: true })));
    }
    this.sendWaiting();
  }

  private async exchange(requests: readonly Request[]): Promise<PumpResult[]> {
    const tenants = byTenant(requests);
    // The worker may have begun to shut down since it offered the slots.
    const workerId = this.local.worker?.workerId ?? null;
    const exchanged = await this.underWayWith([...tenants.keys()], () =>
      this.exchanges.exchange(
        this.database.autoCommit,
        workerId,
        [...tenants].map(([tenantId, own]) => together(tenantId, own, workerId !== null)),
        // Alone, a tenant waits for as long as it takes: with others, it would keep them waiting.
        { lockLimitMs: tenants.size > 1 ? this.config.timing.runs.lockLimitMs : 0 },
      ),
    );
    const results = new Map<TenantId, ResultsOfTenant>();
    for (const [tenantId, tenant] of exchanged) {
      results.set(tenantId, new ResultsOfTenant(tenant));
      if (tenant.hasBlocked) for (const listener of this.blockedListeners) listener(tenantId);
      if (tenant.placeInMs !== null) this.wakeUpIn(tenantId, tenant.placeInMs);
    }
    return requests.map((request) => results.get(request.tenantId)?.of(request) ?? NOTHING);
  }

  /** Does not keep the caller waiting. If the wake-up is lost, the sweeper sends it again. */
  private wakeUpIn(tenantId: TenantId, delayMs: number): void {
    void this.dispatcher.wakeUpLater({ tenantId, dueAt: new Date(Date.now() + delayMs), delayMs });
  }

  private async underWayWith<Result>(
    tenants: readonly TenantId[],
    statement: () => Promise<Result>,
  ): Promise<Result> {
    this.underWay += 1;
    for (const tenantId of tenants) this.busy.add(tenantId);
    try {
      return await statement();
    } finally {
      this.underWay -= 1;
      for (const tenantId of tenants) this.busy.delete(tenantId);
    }
  }
}

const NOTHING: PumpResult = {
  written: null,
  isDeferred: false,
  arrived: null,
  claimed: [],
  isWaiting: false,
  hasRoom: false,
};

function together(tenantId: TenantId, requests: readonly Request[], hasWorker: boolean): TenantExchange {
  return {
    tenantId,
    defers: requests.flatMap(({ deferral }) => deferral ?? []),
    ends: requests.flatMap(({ end }) => end ?? []),
    arrivals: requests.flatMap(({ arrival }) => arrival ?? []),
    slots: hasWorker ? requests.reduce((sum, { slots }) => sum + slots, 0) : 0,
  };
}

/** Gives each caller its part of what happened to the runs of a tenant. */
class ResultsOfTenant {
  private readonly ends: ReadonlyMap<string, WrittenEnd>;
  private readonly arrived: ReadonlyMap<string, AcceptedRun | RefusedRun>;
  private readonly claimed: ClaimedRun[];

  constructor(private readonly tenant: TenantExchanged) {
    this.ends = new Map(tenant.ends.map((end) => [`${end.id}.${end.fence}`, end]));
    this.arrived = new Map<string, AcceptedRun | RefusedRun>([
      ...tenant.accepted.map((run) => [run.arrivedAs, run] as const),
      ...tenant.refused.map((run) => [run.id, run] as const),
    ]);
    this.claimed = [...tenant.claimed];
  }

  of({ end, deferral, arrival, slots }: Request): PumpResult {
    const { isWaiting, hasRoom, deferred } = this.tenant;
    return {
      written: end === undefined ? null : this.writtenBy(end),
      isDeferred: deferral !== undefined && deferred.has(deferral.id),
      arrived: arrival === undefined ? null : (this.arrived.get(arrival.id) ?? null),
      claimed: this.claimed.splice(0, slots),
      isWaiting,
      hasRoom,
    };
  }

  private writtenBy({ runId, fence, delayMs }: AttemptEnd): WrittenAttempt | null {
    const written = this.ends.get(`${runId}.${fence}`);
    return written === undefined ? null : { ...written, delayMs };
  }
}
