import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { VERSION } from '../../http/index.js';
import { WorkerHeartbeat } from '../../jobs/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';
import { InstanceRepository } from './instance.repository.js';

/** Shows that this process is alive, whatever its roles. */
@Injectable()
export class InstanceHeartbeat extends PeriodicService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly instances: InstanceRepository,
    private readonly worker: WorkerHeartbeat,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'instance heartbeat', config.timing.health.heartbeatMs);
  }

  async runOnce(): Promise<void> {
    const roles = [...this.config.roles].sort();
    await this.instances.beat(
      this.database.autoCommit,
      {
        id: this.worker.workerId,
        roles,
        version: VERSION,
      },
      this.config.timing.health.forgetMs,
    );
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.instances.delete(this.database.autoCommit, this.worker.workerId);
  }
}
