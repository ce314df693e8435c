import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import type { TenantId } from '../../../http/index.js';
import { QueueConnection } from '../../../platform/queue/index.js';
import { LocalWorker } from './local-worker.js';
import type { WorkerInProcess } from './local-worker.js';

/** The Bull queue of wake-ups. It carries only ids; the runs are in the database. */
export const RUN_QUEUE = 'runs';

/** "Runs of this tenant wait." A wake-up may be lost, doubled or late without harm. */
export interface TenantWakeUp {
  readonly tenantId: TenantId;
  /** How often workers passed it on because the tenant held its share of their slots. */
  readonly passes: number;
}

/** A worker, as the queue and the rest of its process know it. */
export interface WakeUpTaker extends WorkerInProcess {
  /** Resolves once the worker can take another wake-up. */
  ready(): Promise<void>;
  take(wakeUp: TenantWakeUp): void;
}

/** The receiving end of the queue: tenants with runs that wait, in the order of their wake-ups. */
@Injectable()
export class RunWakeUps {
  private readonly logger = new Logger(RunWakeUps.name);
  private isStopped = false;

  constructor(
    @InjectQueue(RUN_QUEUE) private readonly queue: Queue<TenantWakeUp>,
    private readonly connection: QueueConnection,
    private readonly local: LocalWorker,
  ) {}

  /**
   * Passes wake-ups to the worker one after the other, and lets this process begin runs in its free slots.
   *
   * Bull ignores a wake-up while it has one with the same id, which is that of the tenant. So the worker gets a wake-up only
   * after Bull has removed it: whatever was committed before a wake-up was ignored is older than the claim.
   */
  startTaking(worker: WakeUpTaker): void {
    this.local.worker = worker;
    this.queue.on('error', (error) => {
      this.logger.debug(error.message);
    });
    this.queue.on('completed', ({ data }: Job<TenantWakeUp>) => {
      worker.take(data);
    });
    // Resolves when the queue closes, and rejects only together with the queue.
    this.queue
      .process(() => worker.ready())
      .catch((error: unknown) => {
        if (!this.isStopped) this.logger.error(error, 'the queue stopped handing out wake-ups');
      });
  }

  /** Stops taking wake-ups on this instance. Those already taken are processed to their end. */
  async stopTaking(): Promise<void> {
    this.isStopped = true;
    this.local.worker = null;
    if (this.connection.isConnected) {
      await this.queue.pause(true, true);
      return;
    }
    // Without Redis there is nothing to take, and pausing would wait for Redis.
    this.connection.client.once('ready', () => {
      this.queue.pause(true, true).catch((error: unknown) => {
        this.logger.debug(error);
      });
    });
  }
}
