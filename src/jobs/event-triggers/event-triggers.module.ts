import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { JobsModule } from '../jobs.module.js';
import { TriggerKinds } from '../triggers/index.js';
import { EventRelay } from './event-relay.js';
import { EventTriggerRepository } from './event-trigger.repository.js';
import { EventTriggers } from './event-triggers.js';
import { TenantEventRepository } from './tenant-event.repository.js';

@Module({
  imports: [JobsModule],
  providers: [EventRelay, EventTriggerRepository, EventTriggers, TenantEventRepository],
  exports: [EventRelay],
})
export class EventTriggersModule implements OnModuleInit {
  constructor(
    private readonly triggerKinds: TriggerKinds,
    private readonly eventTriggers: EventTriggers,
  ) {}

  onModuleInit(): void {
    // Every instance that registers jobs validates triggers, whatever its roles.
    this.triggerKinds.register(this.eventTriggers);
  }
}
