import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { newId } from '../../../platform/crypto/index.js';
import { Database, firstRow, rows } from '../../../platform/database/index.js';
import { RepeatedTask } from '../../../platform/lifecycle/index.js';
import { isRunning } from '../model/status-sql.js';
import type { ClaimedRun, RunAtFence } from '../model/run.js';
import { tenantSlots } from './worker-slots.js';

/**
 * Receives the runs that the database assigned to this worker when it was queried at `askedAt` (`performance.now()`).
 */
type OnBeat = (assigned: readonly RunAtFence[], askedAt: number) => Promise<void>;

/** A worker's heartbeat, in a narrow table of its own. */
@Injectable()
export class WorkerHeartbeat {
  readonly workerId = newId();
  /** How many runs this worker executes at a time. */
  readonly slots: number;
  /** How many of these slots one tenant may hold. As many of its runs may be claimed ahead. */
  readonly tenantSlots: number;
  /** How long the worker waits for what. */
  readonly timing: Config['timing']['workers'];
  private readonly task: RepeatedTask;
  private onBeat: OnBeat = () => Promise.resolve();

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: Database,
    registry: SchedulerRegistry,
  ) {
    this.timing = config.timing.workers;
    this.slots = config.jobs.workerCount;
    this.tenantSlots = tenantSlots(this.slots, config.jobs.maxOrgWorkerShare);
    this.task = new RepeatedTask(registry, 'worker heartbeat', this.timing.heartbeatMs, () => this.beat());
  }

  async start(onBeat: OnBeat): Promise<void> {
    this.onBeat = onBeat;
    await this.beat();
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
    await rows(this.database.autoCommit, 'DELETE FROM workers WHERE id = $1', [this.workerId]);
  }

  /** The number of workers in the whole deployment with a recent heartbeat. */
  async countAlive(): Promise<number> {
    const counted = await firstRow<{ alive: number }>(
      this.database.reader,
      `SELECT count(*)::int AS alive FROM workers WHERE heartbeat_at > now() - make_interval(secs => $1::float8 / 1000)`,
      [this.timing.deadAfterMs],
    );
    return counted?.alive ?? 0;
  }

  /** How many runs each worker of the deployment executes, by the worker's id. */
  async countRunning(): Promise<ReadonlyMap<string, number>> {
    const counted = await rows<{ workerId: string; running: number }>(
      this.database.reader,
      `SELECT worker_id AS "workerId", count(*)::int AS running FROM runs_active WHERE ${isRunning('status')} AND worker_id IS NOT NULL
       GROUP BY worker_id`,
    );
    return new Map(counted.map(({ workerId, running }) => [workerId, running]));
  }

  /** Finds a run that this worker has claimed with this fence. Returns null when it no longer has it. */
  async findClaimed({ id, fence }: RunAtFence): Promise<ClaimedRun | null> {
    return await firstRow<ClaimedRun>(
      this.database.reader,
      `SELECT id, tenant_id AS "tenantId", job_id AS "jobId", handler, timeout_ms AS "timeoutMs",
              retry_backoff AS "retryBackoff", acts_as_caller AS "actsAsCaller", permissions, trigger,
              payload::text AS payload, attempt, failures, max_attempts AS "maxAttempts", fence, scheduled_for AS "scheduledFor", trace_parent AS "traceParent",
              due_at AS "dueAt"
       FROM runs_active WHERE id = $1 AND fence = $2 AND worker_id = $3`,
      [id, fence, this.workerId],
    );
  }

  private async beat(): Promise<void> {
    const askedAt = performance.now();
    const assigned = await rows<RunAtFence>(
      this.database.autoCommit,
      `WITH beat AS (
         INSERT INTO workers (id, tenant_slots) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET heartbeat_at = clock_timestamp()
       )
       SELECT id, fence FROM runs_active WHERE ${isRunning('status')} AND worker_id = $1`,
      [this.workerId, this.tenantSlots],
    );
    await this.onBeat(assigned, askedAt);
  }
}
