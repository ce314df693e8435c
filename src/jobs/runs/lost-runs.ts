import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { RunDispatcher } from './run-dispatcher.js';
import { RunEndRepository } from './run-end.repository.js';
import type { LostRun } from './run-end.repository.js';
import { RunMetrics } from './run-metrics.js';
import { RunRooms } from './run-rooms.js';
import { MAX_LOSSES } from './run-state.js';
import type { RunAtFence } from './waiting-run.js';
import { DEAD_AFTER_MS } from './worker-heartbeat.js';

/** Brings runs back that their worker lost: with its life, with its memory of them, or with a connection. */
@Injectable()
export class LostRuns {
  private readonly logger = new Logger(LostRuns.name);

  constructor(
    private readonly database: Database,
    private readonly ends: RunEndRepository,
    private readonly dispatcher: RunDispatcher,
    private readonly rooms: RunRooms,
    private readonly metrics: RunMetrics,
  ) {}

  async ofDeadWorkers(): Promise<void> {
    await this.bringBack(
      await this.ends.releaseDeadWorkers(this.database.oneStatement, DEAD_AFTER_MS, MAX_LOSSES),
    );
  }

  /**
   * Takes runs from a living worker that works on them by the database, but not by its own memory: a claim
   * whose answer was lost with a connection, or an end that could not be written.
   */
  async forgotten(runs: readonly RunAtFence[]): Promise<void> {
    await this.bringBack(await this.ends.releaseForgotten(this.database.oneStatement, runs, MAX_LOSSES));
  }

  private async bringBack(lost: readonly LostRun[]): Promise<void> {
    for (const run of lost) {
      this.logger.warn(`${run.id} was lost by its worker and is now ${run.status}`);
      this.metrics.ended(run);
    }
    await this.dispatcher.hintAll(lost.filter((run) => run.status === 'retrying'));
    const rooms = new Map(lost.map((run) => [JSON.stringify([run.tenantId, run.jobId]), run]));
    for (const room of rooms.values()) await this.rooms.handOver(room);
  }
}
