import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { PeriodicService } from '../../../platform/lifecycle/index.js';
import { RunEnds } from '../finish/run-ends.js';
import { ThrottledRunRepository } from '../slots/throttled-run.repository.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { WaitingCountRepository } from '../enqueue/waiting-count.repository.js';

const SWEEP_MS = 4000;
/** How long a due run may wait before its wake-up is considered lost and is sent again. */
const OVERDUE_MS = 3000;
const OVERDUE_BATCH = 1000;
/** Every ten minutes. The counts go wrong only while a release that does not maintain them runs beside this one. */
const SWEEPS_PER_RECOUNT = 150;

/** Repairs what a crash left unfinished: runs of dead workers, and runs whose wake-up was lost. */
@Injectable()
export class RunSweeper extends PeriodicService {
  private sweeps = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly throttled: ThrottledRunRepository,
    private readonly dispatcher: RunDispatcher,
    private readonly ends: RunEnds,
    private readonly waiting: WaitingCountRepository,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'run sweeper', SWEEP_MS);
  }

  async runOnce(): Promise<void> {
    await this.ends.recoverFromDeadWorkers();
    if (await this.wakeWaiting()) await this.wakeWaiting();
    if (this.sweeps % SWEEPS_PER_RECOUNT === 0)
      await this.database.transaction((tx) => this.waiting.correct(tx));
    this.sweeps += 1;
  }

  /** Returns whether it throttled runs. Their slot may have been freed meanwhile by a run that found none waiting. */
  private async wakeWaiting(): Promise<boolean> {
    const cap = this.config.jobs.maxOrgConcurrentRuns;
    const swept = await this.throttled.sweep(this.database.autoCommit, OVERDUE_MS, cap, OVERDUE_BATCH);
    await this.dispatcher.wakeUpAll(swept.filter((run) => run.finding === 'overdue'));
    await this.dispatcher.wakeUpThrottled(swept.filter((run) => run.finding === 'unthrottled'));
    return swept.some((run) => run.finding === 'throttled');
  }
}
