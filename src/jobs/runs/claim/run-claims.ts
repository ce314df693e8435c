import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database, GroupedStatement } from '../../../platform/database/index.js';
import type { ClaimedRun } from '../model/run.js';
import { RunClaimRepository } from './run-claim.repository.js';
import type { Claim } from './run-claim.repository.js';
import type { FreedSlot } from '../model/waiting-run.js';
import { FreedSlots } from '../slots/freed-slots.js';
import { WorkerHeartbeat } from '../slots/worker-heartbeat.js';

/** Throttled runs may turn out to have no capacity after all, and each that does leaves the capacity to the next. */
const CLAIM_TRIES = 5;

/** Takes runs for this worker, within the capacity of their tenant and their job, and passes on capacity it has no use for. */
@Injectable()
export class RunClaims {
  private readonly claiming: GroupedStatement<string, Claim | null>;
  private readonly throttling: GroupedStatement<string, Claim | null>;
  private readonly claimingThrottled: GroupedStatement<FreedSlot, Claim | null>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: Database,
    private readonly claims: RunClaimRepository,
    private readonly slots: FreedSlots,
    heartbeat: WorkerHeartbeat,
  ) {
    const { workerId } = heartbeat;
    const { maxOrgConcurrentRuns: cap } = config.jobs;
    this.claiming = new GroupedStatement((runIds) =>
      claims.claim(database.autoCommit, runIds, workerId, cap),
    );
    // Without any capacity nothing is claimed, and all is throttled.
    this.throttling = new GroupedStatement((runIds) =>
      claims.claim(database.autoCommit, runIds, workerId, 0),
    );
    this.claimingThrottled = new GroupedStatement((left) =>
      claims.claimThrottled(database.autoCommit, left, workerId, cap),
    );
  }

  /** Claims the run; null when it is not to be had: claimed elsewhere, ended, not due, or without capacity. */
  async claim(runId: string): Promise<ClaimedRun | null> {
    const claim = await this.claiming.run(runId);
    if (claim === null || claim.run !== null) return claim?.run ?? null;
    // It was called into capacity of the tenant that its job does not let it use.
    if (claim.tenantHadFreeSlot) await this.slots.passOn(claim);
    return null;
  }

  /** Claims a throttled run for the capacity that another has left; null when none is to be had here. */
  async claimThrottled(slot: FreedSlot): Promise<ClaimedRun | null> {
    for (let tries = 1; tries <= CLAIM_TRIES; tries += 1) {
      const claim = await this.claimingThrottled.run(slot);
      if (claim === null) break;
      if (claim.run !== null) return claim.run;
    }
    // Others took what was seen to wait; whether more does, only a new look can tell.
    await this.slots.passOn(slot);
    return null;
  }

  /** The tenant of a run, for wake-ups that do not tell it; null when the run is gone. */
  async tenantOf(runId: string): Promise<string | null> {
    return await this.claims.tenantOf(this.database.reader, runId);
  }

  /**
   * Throttles the run although its tenant may have capacity: not on this worker.
   * @returns the capacity that it waits for; null when it does not wait any more
   */
  async throttle(runId: string): Promise<FreedSlot | null> {
    return await this.throttling.run(runId);
  }

  /** Leaves the capacity to whichever worker the queue gives the next run. */
  async passOn(slot: FreedSlot): Promise<void> {
    await this.slots.passOn(slot);
  }
}
