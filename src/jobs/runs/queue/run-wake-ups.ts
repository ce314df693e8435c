import { setTimeout as sleep } from 'node:timers/promises';
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
  /** Resolves once the worker has a free slot. */
  ready(): Promise<void>;
  /** Waits for a free slot only as long as a wake-up may be kept from other workers. Returns whether there is one. */
  readySoon(): Promise<boolean>;
  /** Gives the tenant the next free slot. Returns false when there was none for as long. */
  take(wakeUp: TenantWakeUp): Promise<boolean>;
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

  /** Passes wake-ups to the worker one after the other, and lets this process begin runs in its free slots. */
  startTaking(worker: WakeUpTaker): void {
    this.local.worker = worker;
    this.queue.on('error', (error) => {
      this.logger.debug(error.message);
    });
    // No processor of Bull's, which would fetch wake-ups whether or not the worker has room. This starts Bull's timers, which put
    // wake-ups into the queue when they are due, and when the worker that fetched them has died.
    this.queue
      .process(0, () => Promise.resolve())
      .then(() => this.takeAll(worker))
      .catch((error: unknown) => {
        if (!this.isStopped) this.logger.error(error, 'the queue stopped handing out wake-ups');
      });
  }

  /**
   * Stops taking wake-ups on this instance, if that was not done before. Those already taken are processed to their end. To
   * be called before the queue closes: of a closed queue Bull says at once that it is empty, again and again.
   */
  async stopTaking(): Promise<void> {
    if (this.isStopped) return;
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

  private async takeAll(worker: WakeUpTaker): Promise<void> {
    while (!this.isStopped)
      try {
        const wakeUp = await this.queue.getNextJob();
        if (wakeUp && !(await this.handOver(wakeUp, worker))) await worker.ready();
      } catch (error) {
        this.logger.debug(error);
        await sleep(this.connection.timing.slotPauseMs, undefined, { ref: false });
      }
  }

  /**
   * Bull ignores further wake-ups of a tenant while it has one with the same id, which is that of the tenant. So the worker
   * gets a wake-up only after Bull has removed it: whatever was committed before a wake-up was ignored is older than the
   * claim. For the same reason, a worker without a free slot does not keep it: it goes back to the head of the queue, for
   * a worker that waits there.
   * @returns false when the worker has no slot for it
   */
  private async handOver(wakeUp: Job<TenantWakeUp>, worker: WakeUpTaker): Promise<boolean> {
    // While Bull has it, what comes for the tenant is ignored and costs nothing more.
    const isReady = await worker.readySoon();
    await wakeUp.moveToCompleted(undefined, true, true);
    if (isReady && (await worker.take(wakeUp.data))) return true;
    await this.queue.add(wakeUp.data, { jobId: wakeUp.data.tenantId, lifo: true });
    return false;
  }
}
