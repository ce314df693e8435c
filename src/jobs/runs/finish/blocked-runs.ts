import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { BackgroundServices, PeriodicService } from '../../../platform/lifecycle/index.js';
import type { TenantId } from '../../../http/index.js';
import { RunPump } from '../exchange/run-pump.js';
import { ActiveRunRepository } from './active-run.repository.js';
import { RunCancellation } from './run-cancellation.js';

/**
 * Ends runs where `concurrency.when_full` of their job has it, as soon as an exchange finds that there is no place for one. A
 * sweep finds those that a process left behind.
 */
@Injectable()
export class BlockedRuns extends PeriodicService implements OnModuleInit {
  private readonly logger = new Logger(BlockedRuns.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly active: ActiveRunRepository,
    private readonly cancellation: RunCancellation,
    private readonly pump: RunPump,
    private readonly backgroundServices: BackgroundServices,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'runs without a place', config.timing.runs.sweepMs);
  }

  onModuleInit(): void {
    if (this.config.roles.has('scheduler')) this.backgroundServices.register(this);
    this.pump.onBlocked((tenantId) => void this.cancelDisplaced(tenantId));
  }

  async runOnce(): Promise<void> {
    for (const tenantId of await this.active.tenantsWithDisplaced(this.database.reader))
      await this.cancelDisplaced(tenantId);
  }

  private async cancelDisplaced(tenantId: TenantId): Promise<void> {
    try {
      await this.cancellation.cancelDisplaced(tenantId);
    } catch (error) {
      this.logger.warn(error, 'could not end runs for which there is no place; the next sweep will');
    }
  }
}
