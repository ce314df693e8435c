import { Injectable } from '@nestjs/common';

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
