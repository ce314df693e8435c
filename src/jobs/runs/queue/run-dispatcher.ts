import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { JobOptions, Queue } from 'bull';
import { QueueConnection } from '../../../platform/queue/index.js';
import { LocalWorker } from './local-worker.js';
import { RUN_QUEUE } from './run-wake-ups.js';
import type { ReceivedWakeUp, RunWakeUp } from './run-wake-ups.js';
import type { WakeableRun, RunAtFence } from '../model/waiting-run.js';

/** Bull's clock may be slightly ahead of the database's, and a wake-up that arrives before its run is due is lost. */
const CLOCK_MARGIN_MS = 15;

/**
 * Sends the workers a wake-up for a run that is due or will be. If it is lost, with Redis or with this process, the
 * sweeper sends it again. Therefore this waits for Redis no longer than a second and never throws. While Redis is
 * unavailable, it wakes the worker of this process.
 */
@Injectable()
export class RunDispatcher {
  private readonly logger = new Logger(RunDispatcher.name);

  constructor(
    @InjectQueue(RUN_QUEUE) private readonly queue: Queue<RunWakeUp>,
    private readonly connection: QueueConnection,
    private readonly local: LocalWorker,
  ) {}

  async wakeUp(run: WakeableRun, delayMs = 0): Promise<void> {
    await this.wakeUpAll([run], () => delayMs);
  }

  /** @param delayOf how many milliseconds a run waits first; none if not given */
  async wakeUpAll<Run extends WakeableRun>(
    runs: readonly Run[],
    delayOf: (run: Run) => number = () => 0,
  ): Promise<void> {
    await this.add(
      runs.map((run) => {
        const delayMs = delayOf(run);
        const delay = delayMs > 0 ? { delay: delayMs + CLOCK_MARGIN_MS } : {};
        return { data: dataOf(run), opts: { ...byFairShare(run), jobId: wakeUpId(run), ...delay } };
      }),
    );
  }

  /**
   * Wakes runs that were throttled. Bull may still be processing the wake-up that found them without a free slot, and
   * would ignore a second one with the same id; so these have no fixed id.
   */
  async wakeUpThrottled(runs: readonly WakeableRun[]): Promise<void> {
    await this.add(runs.map((run) => ({ data: dataOf(run), opts: byFairShare(run) })));
  }

  /** Puts wake-ups that a worker has taken back into the queue, at their former position, for any worker. */
  async passOn(wakeUps: readonly ReceivedWakeUp[], delayMs: number): Promise<void> {
    const delay = delayMs > 0 ? { delay: delayMs } : {};
    await this.add(
      wakeUps.map(({ runId, tenantId, passes, fairShareOrder }) => ({
        data: { runId, tenantId, passes: passes + 1 },
        opts: { ...byFairShare({ fairShareOrder }), ...delay },
      })),
    );
  }

  private async add(jobs: { data: RunWakeUp; opts: JobOptions }[]): Promise<void> {
    if (jobs.length === 0) return;
    if (!this.connection.isConnected) {
      const due = jobs.filter(({ opts }) => opts.delay === undefined);
      this.local.wake(due.map(({ data: { runId: id, tenantId } }) => ({ id, tenantId })));
      return;
    }
    const [only] = jobs;
    const added =
      only !== undefined && jobs.length === 1
        ? this.queue.add(only.data, only.opts)
        : this.queue.addBulk(jobs);
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
}

/**
 * One id per attempt: while its wake-up is in the queue, a second one has no effect, and a wake-up left over from an
 * earlier attempt cannot suppress this one.
 */
function wakeUpId({ id, fence }: RunAtFence): string {
  return `${id}.${fence}`;
}

function dataOf({ id, tenantId }: WakeableRun): RunWakeUp {
  return { runId: id, tenantId };
}

/**
 * Bull takes the smallest number first, but treats 0 as no priority and would put it before the runs of all other
 * tenants.
 */
function byFairShare({ fairShareOrder }: Pick<WakeableRun, 'fairShareOrder'>): JobOptions {
  return { priority: Math.max(Math.round(fairShareOrder), 1) };
}
