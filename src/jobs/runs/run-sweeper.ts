import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { RepeatedTask } from '../../platform/lifecycle/index.js';
import type { Duty } from '../../platform/lifecycle/index.js';
import { LostRuns } from './lost-runs.js';
import { ParkedRunRepository } from './parked-run.repository.js';
import { RunDispatcher } from './run-dispatcher.js';
import { WaitingCountRepository } from './waiting-count.repository.js';

const SWEEP_MS = 4000;
/** How long a due run may wait before its hint is taken for lost and given again. */
const OVERDUE_MS = 3000;
const OVERDUE_BATCH = 1000;
/** Every ten minutes. Counts go wrong only while a release that does not keep them runs beside this one. */
const SWEEPS_PER_RECOUNT = 150;

/** Mends what died half-way: runs of dead workers, and runs that nobody was told of. */
@Injectable()
export class RunSweeper implements Duty {
  readonly name = 'run sweeper';
  private readonly task: RepeatedTask;
  private sweeps = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly parked: ParkedRunRepository,
    private readonly dispatcher: RunDispatcher,
    private readonly lostRuns: LostRuns,
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
    await this.lostRuns.ofDeadWorkers();
    if (await this.callWaiting()) await this.callWaiting();
    if (this.sweeps % SWEEPS_PER_RECOUNT === 0)
      await this.database.transaction((tx) => this.waiting.correct(tx));
    this.sweeps += 1;
  }

  /** Whether runs were parked, for room that may have been left since it was looked for: by someone who saw none wait. */
  private async callWaiting(): Promise<boolean> {
    const cap = this.config.jobs.maxOrgConcurrentRuns;
    const swept = await this.parked.sweep(this.database.oneStatement, OVERDUE_MS, cap, OVERDUE_BATCH);
    await this.dispatcher.hintAll(swept.filter((run) => run.finding === 'overdue'));
    await this.dispatcher.callParked(swept.filter((run) => run.finding === 'called'));
    return swept.some((run) => run.finding === 'parked');
  }
}
