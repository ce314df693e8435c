import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';
import { ExpiredRowRepository } from './expired-row.repository.js';

/** Rows that one statement removes: few enough that it holds their locks for milliseconds. */
const BATCH = 1000;
/** Of one table in one round. The rest waits for the next round, on this or another instance. */
const BATCHES = { batchSize: BATCH, maxBatches: 200 };

/** Deletes expired rows, on any number of worker instances at the same time. */
@Injectable()
export class ExpiredRowCleanup extends PeriodicService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly remains: ExpiredRowRepository,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'identity pruning', config.timing.identity.pruneMs);
  }

  async runOnce(): Promise<void> {
    const { remains } = this;
    const { refreshTtlSecs, mailHistoryDays } = this.config.identity;
    const handle = this.database.autoCommit;
    await this.deleteInBatches(() => remains.deleteRefreshTokens(handle, refreshTtlSecs, BATCH), BATCHES);
    // After the tokens, for it is they that keep a session.
    await this.deleteInBatches(() => remains.deleteSessions(handle, refreshTtlSecs, BATCH), BATCHES);
    await this.deleteInBatches(() => remains.deleteOneTimeTokens(handle, BATCH), BATCHES);
    await this.deleteInBatches(() => remains.deleteChallenges(handle, BATCH), BATCHES);
    await this.deleteInBatches(() => remains.deleteSignInCodes(handle, BATCH), BATCHES);
    await this.deleteInBatches(() => remains.deletePasskeyChallenges(handle, BATCH), BATCHES);
    await this.deleteInBatches(() => remains.deleteUsedPasskeyTokens(handle, BATCH), BATCHES);
    await this.deleteInBatches(() => remains.deleteAddressChanges(handle, BATCH), BATCHES);
    await this.deleteInBatches(() => remains.deleteMailHistory(handle, mailHistoryDays, BATCH), BATCHES);
    const { mailIntervalSecs } = this.config.limits;
    await this.deleteInBatches(() => remains.deleteMailCooldowns(handle, mailIntervalSecs, BATCH), BATCHES);
    await this.deleteInBatches(() => remains.deleteMailCounts(handle, BATCH), BATCHES);
  }
}
