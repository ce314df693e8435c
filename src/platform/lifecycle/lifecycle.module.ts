import { Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Clock } from './clock.js';
import { DutyRoster } from './duty-roster.js';
import { Readiness } from './readiness.js';

@Global()
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [Clock, Readiness, DutyRoster],
  exports: [Clock, Readiness, DutyRoster],
})
export class LifecycleModule {}
