import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../config/index.js';
import type { Config } from '../../config/index.js';
import { PeriodicService } from '../../lifecycle/index.js';
import { isDatabaseUnavailable } from '../database-errors.js';
import { primaryServer } from './primary-server.js';
import type { PrimaryServer } from './primary-server.js';

/** Notices that another server accepts writes now, also where a connection to the former one just does not answer. */
@Injectable()
export class PrimaryWatch extends PeriodicService {
  private readonly primary: PrimaryServer;

  constructor(registry: SchedulerRegistry, @Inject(CONFIG) { database, timing }: Config) {
    super(registry, 'primary watch', timing.database.primaryCheckMs);
    if (database.url === null) throw new Error('database.url was not resolved before startup');
    this.primary = primaryServer(database.url);
  }

  /** Whether there is anything to watch. */
  get isNeeded(): boolean {
    return this.primary.hasSeveralServers;
  }

  async runOnce(): Promise<void> {
    try {
      await this.primary.find();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }
}
