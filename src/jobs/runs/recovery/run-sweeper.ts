import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { PeriodicService } from '../../../platform/lifecycle/index.js';
import { ThrottledRunRepository } from '../slots/throttled-run.repository.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { RunCounts } from './run-counts.js';
import { StalledAttempts } from './stalled-attempts.js';

const OVERDUE_BATCH = 1000;
/** Every ten minutes. The counts go wrong only while a release that does not maintain them runs beside this one. */
const SWEEPS_PER_RECOUNT = 150;

/**
 * Repairs what a crash left unfinished: attempts that stalled, and runs whose wake-up was lost. Ends runs that have not
 * started in time.
 */
@Injectable()
export class RunSweeper extends PeriodicService {
  private sweeps = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly throttled: ThrottledRunRepository,
    private readonly dispatcher: RunDispatcher,
    private readonly stalled: StalledAttempts,
    private readonly counts: RunCounts,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'run sweeper', config.timing.runs.sweepMs);
  }

  async runOnce(): Promise<void> {
    const isRecount = this.sweeps % SWEEPS_PER_RECOUNT === 0;
    this.sweeps += 1;
    // What fails in one step, such as on the runs of one tenant, does not keep the others from happening.
    const failures: unknown[] = [];
    const attempt = async <Result>(step: () => Promise<Result>): Promise<Result | null> => {
      try {
        return await step();
      } catch (error) {
        failures.push(error);
        return null;
      }
    };
    await attempt(() => this.stalled.recover());
    const woken = await attempt(() => this.wakeWaiting());
    if (woken?.hasThrottled === true) await attempt(() => this.wakeWaiting());
    if (woken?.hasExpired === true) await attempt(() => this.stalled.timeOut());
    await attempt(() => this.stalled.endLate());
    if (isRecount) await attempt(() => this.counts.correct());
    if (failures.length > 1) throw new AggregateError(failures, `${failures.length} steps of a sweep failed`);
    if (failures.length === 1) throw failures[0];
  }

  /**
   * @returns whether it throttled runs, whose slot may have been freed meanwhile by a run that found none waiting; and
   *   whether it found deferred attempts without a sign of life
   */
  private async wakeWaiting(): Promise<{ hasThrottled: boolean; hasExpired: boolean }> {
    const cap = this.config.jobs.maxOrgConcurrentRuns;
    const { overdueMs } = this.config.timing.runs;
    const swept = await this.throttled.sweep(this.database.autoCommit, overdueMs, cap, OVERDUE_BATCH);
    await this.dispatcher.wakeUpAll(swept.filter((run) => run.finding === 'overdue'));
    await this.dispatcher.wakeUpThrottled(swept.filter((run) => run.finding === 'unthrottled'));
    return {
      hasThrottled: swept.some((run) => run.finding === 'throttled'),
      hasExpired: swept.some((run) => run.finding === 'expired'),
    };
  }
}
