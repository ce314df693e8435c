import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { makeCounterProvider } from '@willsoto/nestjs-prometheus';
import {
  DataEventRelay,
  DataTriggersModule,
  EventRelay,
  EventTriggersModule,
  JobsModule,
  RunStats,
  TriggerKinds,
} from '../jobs/index.js';
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
import type { DueWork } from './scheduler-tick.js';

/** What the tick checks for, in the order in which it is done. */
const DUE_WORK = 'service:due-work';

@Module({
  imports: [JobsModule, DataTriggersModule, EventTriggersModule],
  controllers: [CalendarController, NextInstantsController],
  providers: [
    makeCounterProvider({
      name: SCHEDULES_POSTPONED,
      help: 'How often the scheduler postponed a schedule for a quota of waiting runs.',
    }),
    {
      provide: DUE_WORK,
      inject: [CronRuns, DataEventRelay, EventRelay, RunStats],
      useFactory: (...work: DueWork[]) => work,
    },
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
    @Inject(DUE_WORK) private readonly work: readonly DueWork[],
  ) {}

  onModuleInit(): void {
    // Every instance that registers jobs validates schedules, whatever its roles.
    this.triggerKinds.register(this.cronTriggers);
    for (const work of this.work) this.tick.lookFor(work);
    if (this.config.roles.has('scheduler')) this.services.register(this.tick);
  }
}
