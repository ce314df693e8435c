import { Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { PeriodicService } from '../../../platform/lifecycle/index.js';
import { ReportedEnds } from '../finish/reported-ends.js';
import { RunEnds } from '../finish/run-ends.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { WaitingTenantRepository } from './waiting-tenant.repository.js';

/** Every ten minutes. The counts go wrong only if something other than the program changes runs. */
const SWEEPS_PER_RECOUNT = 150;

/**
 * Repairs what a crash left unfinished: attempts that stalled, and tenants whose wake-up was lost. Ends runs that have not
 * started in time.
 */
@Injectable()
export class RunSweeper extends PeriodicService {
  private readonly logger = new Logger(RunSweeper.name);
  private sweeps = 0;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: Database,
    private readonly tenants: WaitingTenantRepository,
    private readonly dispatcher: RunDispatcher,
    private readonly ends: RunEnds,
    private readonly reported: ReportedEnds,
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
    await attempt(() => this.ends.recoverFromDeadWorkers());
    const swept = await attempt(() => this.tenants.sweep(this.database.reader));
    await this.dispatcher.wakeUpOverdue(swept?.tenantIds ?? []);
    if (swept?.hasExpired === true) await attempt(() => this.reported.timeOutExpired());
    if (swept?.hasLate === true) await attempt(() => this.ends.endLateRuns());
    if (isRecount) await attempt(() => this.recount());
    if (failures.length > 1) throw new AggregateError(failures, `${failures.length} steps of a sweep failed`);
    if (failures.length === 1) throw failures[0];
  }

  private async recount(): Promise<void> {
    const corrected = await this.tenants.correctCounts(this.database.autoCommit);
    if (corrected.length > 0) this.logger.warn(`corrected the counts of runs of ${corrected.join(', ')}`);
  }
}
