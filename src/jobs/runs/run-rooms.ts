import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { ParkedRunRepository } from './parked-run.repository.js';
import { RunDispatcher } from './run-dispatcher.js';
import type { LeftRoom } from './run-end.repository.js';

/** Gives the room that a run left to those that wait for it. */
@Injectable()
export class RunRooms {
  private readonly cap: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: Database,
    private readonly parked: ParkedRunRepository,
    private readonly dispatcher: RunDispatcher,
  ) {
    this.cap = config.jobs.maxOrgConcurrentRuns;
  }

  async handOver(room: LeftRoom): Promise<void> {
    await this.dispatcher.callParked(await this.parked.call(this.database.oneStatement, room, this.cap));
  }
}
