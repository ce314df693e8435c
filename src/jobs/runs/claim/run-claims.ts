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

/** A throttled run may find no free slot after all. Each one that does leaves the slot to the next. */
const CLAIM_TRIES = 5;

/**
 * Claims runs for this worker within the concurrency slots of tenants and jobs, and passes on slots that it cannot
 * use.
 */
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
    // With a limit of zero the statement claims nothing and throttles every run.
    this.throttling = new GroupedStatement((runIds) =>
      claims.claim(database.autoCommit, runIds, workerId, 0),
    );
    this.claimingThrottled = new GroupedStatement((left) =>
      claims.claimThrottled(database.autoCommit, left, workerId, cap),
    );
  }

  /** Claims the run. Returns null when it was claimed elsewhere, has ended, is not due, or finds no free slot. */
  async claim(runId: string): Promise<ClaimedRun | null> {
    const claim = await this.claiming.run(runId);
    if (claim === null || claim.run !== null) return claim?.run ?? null;
    // The run was woken for a slot of its tenant, but its job has none free.
    if (claim.tenantHadFreeSlot) await this.slots.passOn(claim);
    return null;
  }

  /** Claims a throttled run for a freed slot. Returns null when this worker finds none. */
  async claimThrottled(slot: FreedSlot): Promise<ClaimedRun | null> {
    for (let tries = 1; tries <= CLAIM_TRIES; tries += 1) {
      const claim = await this.claimingThrottled.run(slot);
      if (claim === null) break;
      if (claim.run !== null) return claim.run;
    }
    // Other workers took the runs that this claim saw. Only a new search shows whether more wait.
    await this.slots.passOn(slot);
    return null;
  }

  /** The tenant of a run, for wake-ups without a tenant; null when the run no longer exists. */
  async tenantOf(runId: string): Promise<string | null> {
    return await this.claims.tenantOf(this.database.reader, runId);
  }

  /**
   * Throttles the run although its tenant may have a free slot, because this worker has none for the tenant.
   * @returns the slot that the run waits for; null when it no longer waits
   */
  async throttle(runId: string): Promise<FreedSlot | null> {
    return await this.throttling.run(runId);
  }

  /** Passes the slot on to whichever worker receives the next run from the queue. */
  async passOn(slot: FreedSlot): Promise<void> {
    await this.slots.passOn(slot);
  }
}
