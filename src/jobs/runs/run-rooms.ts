import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database, GroupedStatement } from '../../platform/database/index.js';
import { ParkedRunRepository } from './parked-run.repository.js';
import { RunDispatcher } from './run-dispatcher.js';
import type { LeftRoom } from './run-end.repository.js';

/** Gives the room that runs left to those that wait for it. */
@Injectable()
export class RunRooms {
  private readonly calling: GroupedStatement<LeftRoom, undefined>;

  constructor(
    @Inject(CONFIG) config: Config,
    database: Database,
    parked: ParkedRunRepository,
    dispatcher: RunDispatcher,
  ) {
    this.calling = new GroupedStatement(async (rooms) => {
      const called = await parked.call(database.oneStatement, rooms, config.jobs.maxOrgConcurrentRuns);
      await dispatcher.callParked(called);
      return rooms.map(() => undefined);
    });
  }

  async handOver(room: LeftRoom): Promise<void> {
    await this.calling.run(room);
  }
}
