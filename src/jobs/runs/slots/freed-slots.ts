import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database, GroupedStatement } from '../../../platform/database/index.js';
import { ThrottledRunRepository } from './throttled-run.repository.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import type { FreedSlot } from '../model/waiting-run.js';

/** Passes freed concurrency slots on to runs that wait for them. */
@Injectable()
export class FreedSlots {
  private readonly unthrottling: GroupedStatement<FreedSlot, undefined>;

  constructor(
    @Inject(CONFIG) config: Config,
    database: Database,
    throttled: ThrottledRunRepository,
    dispatcher: RunDispatcher,
  ) {
    this.unthrottling = new GroupedStatement(async (slots) => {
      const unthrottled = await throttled.unthrottle(
        database.autoCommit,
        slots,
        config.jobs.maxOrgConcurrentRuns,
      );
      await dispatcher.wakeUpThrottled(unthrottled);
      return slots.map(() => undefined);
    });
  }

  async passOn(slot: FreedSlot): Promise<void> {
    await this.unthrottling.run(slot);
  }
}
