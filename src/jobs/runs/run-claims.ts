import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database, GroupedStatement } from '../../platform/database/index.js';
import type { ClaimedRun } from './run.js';
import { RunClaimRepository } from './run-claim.repository.js';
import type { Claim } from './run-claim.repository.js';
import type { LeftRoom } from './run-end.repository.js';
import { RunRooms } from './run-rooms.js';
import { WorkerHeartbeat } from './worker-heartbeat.js';

/** Parked runs may turn out to have no room after all, and each that does leaves the room to the next. */
const CLAIM_TRIES = 5;

/** Takes runs for this worker, within the room of their tenant and their job, and passes on room it has no use for. */
@Injectable()
export class RunClaims {
  private readonly claiming: GroupedStatement<string, Claim | null>;
  private readonly parking: GroupedStatement<string, Claim | null>;
  private readonly claimingParked: GroupedStatement<LeftRoom, Claim | null>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: Database,
    private readonly claims: RunClaimRepository,
    private readonly rooms: RunRooms,
    heartbeat: WorkerHeartbeat,
  ) {
    const { workerId } = heartbeat;
    const { maxOrgConcurrentRuns: cap } = config.jobs;
    this.claiming = new GroupedStatement((runIds) =>
      claims.claim(database.oneStatement, runIds, workerId, cap),
    );
    // Without any room nothing is claimed, and all is parked.
    this.parking = new GroupedStatement((runIds) => claims.claim(database.oneStatement, runIds, workerId, 0));
    this.claimingParked = new GroupedStatement((left) =>
      claims.claimParked(database.oneStatement, left, workerId, cap),
    );
  }

  /** Claims the run; null when it is not to be had: claimed elsewhere, ended, not due, or without room. */
  async claim(runId: string): Promise<ClaimedRun | null> {
    const claim = await this.claiming.run(runId);
    if (claim === null || claim.run !== null) return claim?.run ?? null;
    // It was called into room of the tenant that its job does not let it use.
    if (claim.tenantHadRoom) await this.rooms.handOver(claim);
    return null;
  }

  /** Claims a parked run for the room that another has left; null when none is to be had here. */
  async claimParked(room: LeftRoom): Promise<ClaimedRun | null> {
    for (let tries = 1; tries <= CLAIM_TRIES; tries += 1) {
      const claim = await this.claimingParked.run(room);
      if (claim === null) break;
      if (claim.run !== null) return claim.run;
    }
    // Others took what was seen to wait; whether more does, only a new look can tell.
    await this.rooms.handOver(room);
    return null;
  }

  /** The tenant of a run, for hints that do not tell it; null when the run is gone. */
  async tenantOf(runId: string): Promise<string | null> {
    return await this.claims.tenantOf(this.database.reader, runId);
  }

  /**
   * Parks the run although its tenant may have room: not on this worker.
   * @returns the room that it waits for; null when it does not wait any more
   */
  async park(runId: string): Promise<LeftRoom | null> {
    return await this.parking.run(runId);
  }

  /** Leaves the room to whichever worker the queue gives the next run. */
  async passOn(room: LeftRoom): Promise<void> {
    await this.rooms.handOver(room);
  }
}
