import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { JobOptions, Queue } from 'bull';
import { QueueConnection, RUN_QUEUE } from '../../../platform/queue/index.js';
import type { RunWakeUp } from '../../../platform/queue/index.js';
import type { ReceivedWakeUp } from './run-wake-ups.js';
import type { WakeableRun, RunAtFence } from '../model/waiting-run.js';

/** How long an add may take before the caller is answered without it. */
const ADD_LIMIT_MS = 1000;
/** Bull's clock may run ahead of the database's by a little; a wake-up that comes too early is a wake-up lost. */
const CLOCK_MARGIN_MS = 15;

/**
 * Tells the workers of a run that is, or will be, due. Only a wake-up: where it is lost, with Redis or with
 * this process, the sweeper gives it again. So it waits for Redis a second at most, and never throws.
 */
@Injectable()
export class RunDispatcher {
  private readonly logger = new Logger(RunDispatcher.name);

  constructor(
    @InjectQueue(RUN_QUEUE) private readonly queue: Queue<RunWakeUp>,
    private readonly connection: QueueConnection,
  ) {}

  async wakeUp(run: WakeableRun, delayMs = 0): Promise<void> {
    const delay = delayMs > 0 ? { delay: delayMs + CLOCK_MARGIN_MS } : {};
    await this.add([{ data: dataOf(run), opts: { ...byFairShare(run), jobId: wakeUpId(run), ...delay } }]);
  }

  async wakeUpAll(runs: readonly WakeableRun[]): Promise<void> {
    await this.add(
      runs.map((run) => ({ data: dataOf(run), opts: { ...byFairShare(run), jobId: wakeUpId(run) } })),
    );
  }

  /**
   * Calls runs that were throttled. The wake-up that found them without capacity may be in Bull's hands for another
   * moment, and would swallow one of the same id.
   */
  async wakeUpThrottled(runs: readonly WakeableRun[]): Promise<void> {
    await this.add(runs.map((run) => ({ data: dataOf(run), opts: byFairShare(run) })));
  }

  /** Puts wake-ups that a worker has taken back into the queue, where they stood, for any worker. */
  async passOn(wakeUps: readonly ReceivedWakeUp[], delayMs: number): Promise<void> {
    const delay = delayMs > 0 ? { delay: delayMs } : {};
    await this.add(
      wakeUps.map(({ runId, tenantId, passes, fairShareOrder }) => ({
        data: { runId, passes: passes + 1, ...(tenantId === undefined ? {} : { tenantId }) },
        opts: { ...byFairShare({ fairShareOrder }), ...delay },
      })),
    );
  }

  private async add(jobs: { data: RunWakeUp; opts: JobOptions }[]): Promise<void> {
    if (jobs.length === 0 || !this.connection.isConnected) return;
    const [only] = jobs;
    const added =
      only !== undefined && jobs.length === 1
        ? this.queue.add(only.data, only.opts)
        : this.queue.addBulk(jobs);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, ADD_LIMIT_MS);
    });
    try {
      await Promise.race([added, late]);
    } catch (error) {
      this.logger.warn(error, 'could not tell the workers of a run; the sweeper will');
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * One id for each attempt: while its wake-up is in the queue a second one changes nothing, and a wake-up left behind
 * by an earlier attempt cannot swallow this one.
 */
function wakeUpId({ id, fence }: RunAtFence): string {
  return `${id}.${fence}`;
}

function dataOf({ id, tenantId }: WakeableRun): RunWakeUp {
  return { runId: id, tenantId };
}

/** Bull takes the smallest first. None at all would come before the run of every tenant that has waited. */
function byFairShare({ fairShareOrder }: Pick<WakeableRun, 'fairShareOrder'>): JobOptions {
  return { priority: Math.max(Math.round(fairShareOrder), 1) };
}
