import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { BackgroundServices } from '../../platform/lifecycle/index.js';
import { JobsModule } from '../jobs.module.js';
import { TriggerKinds } from '../triggers/index.js';
import { DataEventRelay } from './data-event-relay.js';
import { DataEventRepository } from './data-event.repository.js';
import { DataTriggerRepair } from './data-trigger-repair.js';
import { DataTriggerRepository } from './data-trigger.repository.js';
import { DataTriggers } from './data-triggers.js';
import { DatabaseTriggers } from './database-triggers.js';

@Module({
  imports: [JobsModule],
  providers: [
    DataEventRelay,
    DataEventRepository,
    DataTriggerRepair,
    DataTriggerRepository,
    DataTriggers,
    DatabaseTriggers,
  ],
  exports: [DataEventRelay],
})
export class DataTriggersModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly services: BackgroundServices,
    private readonly triggerKinds: TriggerKinds,
    private readonly dataTriggers: DataTriggers,
    private readonly repair: DataTriggerRepair,
  ) {}

  onModuleInit(): void {
    // Every instance that registers jobs validates tables, whatever its roles.
    this.triggerKinds.register(this.dataTriggers);
    if (this.config.roles.has('scheduler')) this.services.register(this.repair);
  }
}
