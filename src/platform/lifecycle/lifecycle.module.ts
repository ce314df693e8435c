import { Injectable, Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Clock } from './clock.js';
import { BackgroundServices } from './background-services.js';

/** Whether this instance accepts traffic: from the end of its startup until it drains. */
@Injectable()
export class Readiness {
  private state: 'starting' | 'ready' | 'draining' = 'starting';

  get isReady(): boolean {
    return this.state === 'ready';
  }

  get isDraining(): boolean {
    return this.state === 'draining';
  }

  markReady(): void {
    this.state = 'ready';
  }

  markDraining(): void {
    this.state = 'draining';
  }
}

@Global()
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [Clock, Readiness, BackgroundServices],
  exports: [Clock, Readiness, BackgroundServices],
})
export class LifecycleModule {}
