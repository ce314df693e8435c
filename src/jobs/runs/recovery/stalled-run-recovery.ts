import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { RunEndRepository } from '../finish/run-end.repository.js';
import type { StalledRun } from '../finish/run-end.repository.js';
import { RunMetrics } from '../finish/run-metrics.js';
import { FreedSlots } from '../slots/freed-slots.js';
import { MAX_LOSSES } from '../model/run-status.js';
import type { RunAtFence } from '../model/waiting-run.js';
import { DEAD_AFTER_MS } from '../slots/worker-heartbeat.js';

/** Recovers runs whose worker died, stopped tracking them, or lost its connection. */
@Injectable()
export class StalledRunRecovery {
  private readonly logger = new Logger(StalledRunRecovery.name);

  constructor(
    private readonly database: Database,
    private readonly ends: RunEndRepository,
    private readonly dispatcher: RunDispatcher,
    private readonly slots: FreedSlots,
    private readonly metrics: RunMetrics,
  ) {}

  async recoverFromDeadWorkers(): Promise<void> {
    await this.recover(
      await this.ends.releaseDeadWorkers(this.database.autoCommit, DEAD_AFTER_MS, MAX_LOSSES),
    );
  }

  /**
   * Takes runs from a living worker that holds them according to the database but no longer tracks them: the reply to
   * a claim was lost with a connection, or an end could not be written.
   */
  async recoverUntracked(runs: readonly RunAtFence[]): Promise<void> {
    await this.recover(await this.ends.releaseUntracked(this.database.autoCommit, runs, MAX_LOSSES));
  }

  private async recover(lost: readonly StalledRun[]): Promise<void> {
    for (const run of lost) {
      this.logger.warn(`${run.id} was lost with its worker and is now ${run.status}`);
      this.metrics.ended(run);
    }
    await this.dispatcher.wakeUpAll(lost.filter((run) => run.status === 'retrying'));
    const slots = new Map(lost.map((run) => [JSON.stringify([run.tenantId, run.jobId]), run]));
    for (const slot of slots.values()) await this.slots.passOn(slot);
  }
}
