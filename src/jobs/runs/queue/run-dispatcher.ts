import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import type { TenantId } from '../../../http/index.js';
import { QueueConnection } from '../../../platform/queue/index.js';
import { LocalWorker } from './local-worker.js';
import { RUN_QUEUE } from './run-wake-ups.js';
import type { TenantWakeUp } from './run-wake-ups.js';

/** Bull's clock may be slightly ahead of the database's, and a wake-up that arrives before its run is due is lost. */
const CLOCK_MARGIN_MS = 15;

interface NewWakeUp {
  readonly data: TenantWakeUp;
  readonly opts: { readonly jobId: string; readonly delay?: number };
}

/** One that no worker has passed on yet. */
function firstWakeUp(tenantId: TenantId, opts: NewWakeUp['opts']): NewWakeUp {
  return { data: { tenantId, passes: 0 }, opts };
}

/** A run that is due later. */
export interface LaterRun {
  readonly tenantId: TenantId;
  readonly dueAt: Date;
  readonly delayMs: number;
}

/**
 * Tells the workers of tenants with runs that are due or will be. If a wake-up is lost, with Redis or with this process, the
 * sweeper sends it again. Therefore this waits for Redis no longer than a second and never throws. While Redis is
 * unavailable, it wakes the worker of this process.
 */
@Injectable()
export class RunDispatcher {
  private readonly logger = new Logger(RunDispatcher.name);

  constructor(
    @InjectQueue(RUN_QUEUE) private readonly queue: Queue<TenantWakeUp>,
    private readonly connection: QueueConnection,
    private readonly local: LocalWorker,
  ) {}

  /** A tenant has at most one such wake-up in the queue, so a flood of runs does not fill it. */
  async wakeUp(...tenantIds: readonly TenantId[]): Promise<void> {
    await this.add([...new Set(tenantIds)].map((tenantId) => firstWakeUp(tenantId, { jobId: tenantId })));
  }

  /**
   * Wakes tenants whose runs have waited for long, even if a worker that has died since still holds their wake-ups:
   * until Bull notices, it ignores others with the same id.
   */
  async wakeUpOverdue(tenantIds: readonly TenantId[]): Promise<void> {
    await this.add(tenantIds.map((tenantId) => firstWakeUp(tenantId, { jobId: `${tenantId}.overdue` })));
  }

  /** Wakes each tenant when its run is due. Runs of one tenant that are due at the same instant share a wake-up. */
  async wakeUpLater(...runs: readonly LaterRun[]): Promise<void> {
    const byId = new Map(
      runs.map(({ tenantId, dueAt, delayMs }) => {
        const jobId = `${tenantId}.${dueAt.getTime()}`;
        // The instant may have a fraction of a millisecond, which a Date has not.
        const delay = Math.max(delayMs, 0) + 1 + CLOCK_MARGIN_MS;
        return [jobId, firstWakeUp(tenantId, { jobId, delay })];
      }),
    );
    await this.add([...byId.values()]);
  }

  /** Sends the wake-up of a tenant that holds its share here on to other workers, after a while. */
  async forward({ tenantId, passes }: TenantWakeUp, delayMs: number): Promise<void> {
    const more = passes + 1;
    await this.add([
      { data: { tenantId, passes: more }, opts: { jobId: `${tenantId}.pass.${more}`, delay: delayMs } },
    ]);
  }

  private async add(jobs: NewWakeUp[]): Promise<void> {
    if (jobs.length === 0) return;
    if (!this.connection.isConnected) {
      const due = jobs.filter(({ opts }) => opts.delay === undefined);
      this.local.worker?.wake(due.map(({ data: { tenantId } }) => tenantId));
      return;
    }
    const [only] = jobs;
    const added = only !== undefined && jobs.length === 1 ? this.addOne(only) : this.queue.addBulk(jobs);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.connection.noticeSilence();
        resolve();
      }, this.connection.timing.addLimitMs);
    });
    try {
      await Promise.race([added, late]);
    } catch (error) {
      this.logger.warn(error, 'could not send a wake-up to the workers; the sweeper will');
    } finally {
      clearTimeout(timer);
    }
  }

  /** Bull would ignore it while one with its id is there, at five times the cost. */
  private async addOne({ data, opts }: NewWakeUp): Promise<void> {
    const isThere =
      opts.delay === undefined && (await this.queue.client.exists(this.queue.toKey(opts.jobId))) === 1;
    if (!isThere) await this.queue.add(data, opts);
  }
}
