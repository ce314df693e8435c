import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { makeCounterProvider } from '@willsoto/nestjs-prometheus';
import { DataEventRelay, DataTriggersModule, JobsModule, TriggerKinds } from '../jobs/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import { CalendarController } from './calendar/calendar.controller.js';
import { CronRuns } from './cron-runs.js';
import { CronTriggerRepository } from './cron-trigger.repository.js';
import { CronTriggers } from './cron-triggers.js';
import { NextInstantsController } from './next-instants.controller.js';
import { PostponedSchedules, SCHEDULES_POSTPONED } from './postponed-schedules.js';
import { SchedulerTick } from './scheduler-tick.js';

@Module({
  imports: [JobsModule, DataTriggersModule],
  controllers: [CalendarController, NextInstantsController],
  providers: [
    makeCounterProvider({
      name: SCHEDULES_POSTPONED,
      help: 'How often the scheduler postponed a schedule for a quota of waiting runs.',
    }),
    CronRuns,
    CronTriggerRepository,
    CronTriggers,
    PostponedSchedules,
    SchedulerTick,
  ],
  exports: [SchedulerTick],
})
export class SchedulerModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly services: BackgroundServices,
    private readonly tick: SchedulerTick,
    private readonly triggerKinds: TriggerKinds,
    private readonly cronTriggers: CronTriggers,
    private readonly cronRuns: CronRuns,
    private readonly dataEvents: DataEventRelay,
  ) {}

  onModuleInit(): void {
    // Every instance that registers jobs validates schedules, whatever its roles.
    this.triggerKinds.register(this.cronTriggers);
    this.tick.lookFor(this.cronRuns);
    this.tick.lookFor(this.dataEvents);
    if (this.config.roles.has('scheduler')) this.services.register(this.tick);
  }
}
