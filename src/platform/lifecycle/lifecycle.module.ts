import { Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Clock } from './clock.js';
import { BackgroundServices } from './background-services.js';
import { Readiness } from './readiness.js';

@Global()
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [Clock, Readiness, BackgroundServices],
  exports: [Clock, Readiness, BackgroundServices],
})
export class LifecycleModule {}
