import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database, GroupedStatement } from '../../../platform/database/index.js';
import { ThrottledRunRepository } from './throttled-run.repository.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import type { FreedSlot } from '../model/waiting-run.js';

/** Gives the capacity that runs left to those that wait for it. */
@Injectable()
export class FreedSlots {
  private readonly calling: GroupedStatement<FreedSlot, undefined>;

  constructor(
    @Inject(CONFIG) config: Config,
    database: Database,
    throttled: ThrottledRunRepository,
    dispatcher: RunDispatcher,
  ) {
    this.calling = new GroupedStatement(async (slots) => {
      const called = await throttled.call(database.autoCommit, slots, config.jobs.maxOrgConcurrentRuns);
      await dispatcher.wakeUpThrottled(called);
      return slots.map(() => undefined);
    });
  }

  async passOn(slot: FreedSlot): Promise<void> {
    await this.calling.run(slot);
  }
}
