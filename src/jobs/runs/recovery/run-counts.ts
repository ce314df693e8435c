import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { DeferralRepository } from '../deferral/deferral.repository.js';
import { WaitingCountRepository } from '../enqueue/waiting-count.repository.js';

/** The counts of runs that statements keep: of those that wait for their first attempt, and of deferred attempts. */
@Injectable()
export class RunCounts {
  constructor(
    private readonly database: Database,
    private readonly waiting: WaitingCountRepository,
    private readonly deferrals: DeferralRepository,
  ) {}

  /** Sets the counts to what the tables hold. */
  async correct(): Promise<void> {
    await this.database.transaction((tx) => this.waiting.correct(tx));
    await this.database.transaction((tx) => this.deferrals.correct(tx));
  }
}
