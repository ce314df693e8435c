import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { DutyRoster } from '../platform/lifecycle/index.js';
import { SchedulerTick } from './scheduler-tick.js';

@Module({ providers: [SchedulerTick], exports: [SchedulerTick] })
export class SchedulerModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly roster: DutyRoster,
    private readonly tick: SchedulerTick,
  ) {}

  onModuleInit(): void {
    if (this.config.roles.has('scheduler')) this.roster.enrol(this.tick);
  }
}
