import { Injectable } from '@nestjs/common';

/** Whether this instance wants traffic: not before it has started, and no more once it drains. */
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
