import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database, GroupedStatement } from '../../../platform/database/index.js';
import type { ClaimedRun } from '../model/run.js';
import { RunClaimRepository } from './run-claim.repository.js';
import type { Claim } from './run-claim.repository.js';
import type { FreedSlot, RunAtFence } from '../model/waiting-run.js';
import { FreedSlots } from '../slots/freed-slots.js';
import { WorkerHeartbeat } from '../slots/worker-heartbeat.js';

/**
 * Claims runs for this worker within the concurrency slots of tenants and jobs, and passes on slots that it cannot
 * use.
 */
@Injectable()
export class RunClaims {
  private readonly claiming: GroupedStatement<string, Claim | null>;
  private readonly workerId: string;
  private readonly throttling: GroupedStatement<string, Claim | null>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: Database,
    private readonly claims: RunClaimRepository,
    private readonly slots: FreedSlots,
    heartbeat: WorkerHeartbeat,
  ) {
    const { workerId } = heartbeat;
    this.workerId = workerId;
    const { maxOrgConcurrentRuns: cap } = config.jobs;
    this.claiming = new GroupedStatement((runIds) =>
      claims.claim(database.autoCommit, runIds, workerId, cap),
    );
    // With a limit of zero the statement claims nothing and throttles every run.
    this.throttling = new GroupedStatement((runIds) =>
      claims.claim(database.autoCommit, runIds, workerId, 0),
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

  /** Finds a run that this worker has claimed with this fence. Returns null when it no longer has it. */
  async findClaimed(run: RunAtFence): Promise<ClaimedRun | null> {
    return await this.claims.findClaimed(this.database.reader, run, this.workerId);
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
