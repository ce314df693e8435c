import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database, deleteExpired } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { BackgroundServices, PeriodicService } from '../../platform/lifecycle/index.js';
import { RunCancellation } from '../runs/finish/run-cancellation.js';
import { RunRepeats } from '../runs/enqueue/run-repeats.js';
import { isFinal } from '../runs/model/run-status.js';
import type { ItemOutcome, LockedOperation } from './operation.js';
import { OPERATION_BATCH, OperationRepository } from './operation.repository.js';

/** Passes after which the worker checks without a notification, which may have been lost, perhaps with its worker. */
const PASSES_PER_CHECK = 30;
/** Runs that one transaction retries. Their payloads are in memory meanwhile. */
const RETRY_BATCH = 50;
/** Runs that one transaction cancels. Meanwhile no other run of the tenant begins or ends. */
const CANCEL_BATCH = 50;
/** One pass in an hour deletes old operations. */
const PASSES_PER_DELETION = 3600;

/**
 * Carries out operations on runs. Each step is a transaction that locks one operation, deals with some of its runs and
 * writes their outcomes. So all instances together deal with each run once: if a worker dies, its transaction has no
 * effect, and the next step starts from the same runs.
 */
@Injectable()
export class OperationWorker extends PeriodicService implements OnModuleInit {
  private readonly logger = new Logger(OperationWorker.name);
  private passes = 0;
  /** Whether an operation may be unfinished: one was announced, or the last pass left one. */
  private mayBeUnfinished = true;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly operations: OperationRepository,
    private readonly cancellation: RunCancellation,
    private readonly repeats: RunRepeats,
    private readonly backgroundServices: BackgroundServices,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'operations on runs', config.timing.operations.intervalMs);
  }

  onModuleInit(): void {
    if (!this.config.roles.has('worker')) return;
    this.backgroundServices.register(this);
    this.operations.onInsert(() => {
      this.mayBeUnfinished = true;
    });
  }

  async runOnce(): Promise<void> {
    if (this.mayBeUnfinished || this.passes % PASSES_PER_CHECK === 0) await this.processOperations();
    if (this.passes % PASSES_PER_DELETION === 0) {
      const expired = {
        table: 'run_operations',
        key: 'id',
        when: 'completed_at < now() - make_interval(days => $2)',
        parameter: this.config.jobs.retentionDays,
      };
      await this.deleteInBatches(() => deleteExpired(this.database.autoCommit, expired, OPERATION_BATCH), {
        batchSize: OPERATION_BATCH,
      });
    }
    this.passes += 1;
  }

  private async processOperations(): Promise<void> {
    // Before the check, because an operation may begin meanwhile.
    this.mayBeUnfinished = false;
    while (!this.isStopping && (await this.step()));
    // One that waits for its quota, or that another instance processes.
    if (await this.operations.anyUnfinished(this.database.reader)) this.mayBeUnfinished = true;
  }

  /** Returns whether there was an operation to process. */
  private async step(): Promise<boolean> {
    let locked: LockedOperation | null = null;
    try {
      return await this.database.transaction(async (tx) => {
        locked = await this.operations.lockDue(tx);
        if (locked === null) return false;
        const outcomes =
          locked.action === 'retry' ? await this.retry(tx, locked) : await this.cancel(tx, locked);
        await this.operations.recordOutcomes(
          tx,
          locked.id,
          outcomes,
          outcomes.length === 0 ? this.config.timing.operations.quotaPauseMs : 0,
        );
        return true;
      });
    } catch (error) {
      const failed = locked as LockedOperation | null;
      if (failed === null) throw error;
      this.logger.warn(error, `a step of the operation ${failed.id} failed and will be retried`);
      await this.operations.postpone(
        this.database.autoCommit,
        failed.id,
        this.config.timing.operations.errorPauseMs,
      );
      return true;
    }
  }

  /** Runs that a quota refuses stay pending. */
  private async retry(tx: Tx, { id, tenantId, isExpired, ...by }: LockedOperation): Promise<ItemOutcome[]> {
    const runIds = await this.operations.pending(tx, id, RETRY_BATCH);
    const repeated = await this.repeats.repeatAll(tx, tenantId, runIds, by);
    return repeated.filter(({ outcome }) => outcome !== 'limit_reached' || isExpired);
  }

  private async cancel(tx: Tx, { id, tenantId }: LockedOperation): Promise<ItemOutcome[]> {
    const runIds = await this.operations.pending(tx, id, CANCEL_BATCH);
    const before = await this.cancellation.cancelWithin(tx, tenantId, runIds);
    return runIds.map((runId) => {
      const status = before.get(runId)?.status;
      if (status === undefined) return { runId, outcome: 'run_not_found' };
      return { runId, outcome: isFinal(status) ? 'run_finished' : 'done' };
    });
  }
}
