import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { RepeatedTask } from '../../../platform/lifecycle/index.js';
import type { BackgroundService } from '../../../platform/lifecycle/index.js';
import { StalledRunRecovery } from './stalled-run-recovery.js';
import { ThrottledRunRepository } from '../slots/throttled-run.repository.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { WaitingCountRepository } from '../enqueue/waiting-count.repository.js';

const SWEEP_MS = 4000;
/** How long a due run may wait before its wake-up is taken for lost and given again. */
const OVERDUE_MS = 3000;
const OVERDUE_BATCH = 1000;
/** Every ten minutes. Counts go wrong only while a release that does not keep them runs beside this one. */
const SWEEPS_PER_RECOUNT = 150;

/** Mends what died half-way: runs of dead workers, and runs that nobody was told of. */
@Injectable()
export class RunSweeper implements BackgroundService {
  readonly name = 'run sweeper';
  private readonly task: RepeatedTask;
  private sweeps = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly throttled: ThrottledRunRepository,
    private readonly dispatcher: RunDispatcher,
    private readonly stalledRuns: StalledRunRecovery,
    private readonly waiting: WaitingCountRepository,
    registry: SchedulerRegistry,
  ) {
    this.task = new RepeatedTask(registry, 'run sweeper', SWEEP_MS, () => this.sweep());
  }

  async start(): Promise<void> {
    this.task.start();
    await Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  private async sweep(): Promise<void> {
    await this.stalledRuns.ofDeadWorkers();
    if (await this.callWaiting()) await this.callWaiting();
    if (this.sweeps % SWEEPS_PER_RECOUNT === 0)
      await this.database.transaction((tx) => this.waiting.correct(tx));
    this.sweeps += 1;
  }

  /** Whether runs were throttled, for capacity that may have been left since it was looked for: by someone who saw none wait. */
  private async callWaiting(): Promise<boolean> {
    const cap = this.config.jobs.maxOrgConcurrentRuns;
    const swept = await this.throttled.sweep(this.database.autoCommit, OVERDUE_MS, cap, OVERDUE_BATCH);
    await this.dispatcher.wakeUpAll(swept.filter((run) => run.finding === 'overdue'));
    await this.dispatcher.wakeUpThrottled(swept.filter((run) => run.finding === 'called'));
    return swept.some((run) => run.finding === 'throttled');
  }
}
