import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { byTenant } from '../exchange/exchange.js';
import type { WrittenAttempt } from '../exchange/exchange.js';
import { ExchangeRepository } from '../exchange/exchange.repository.js';
import { repeatWrite } from '../exchange/repeated-write.js';
import { RunPump } from '../exchange/run-pump.js';
import type { FinishedAttempt } from '../exchange/run-pump.js';
import type { AttemptEnd, RunEnd } from '../model/attempt-end.js';
import type { RunAtFence } from '../model/run.js';
import { isFinal, MAX_LOSSES } from '../model/run-status.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { ActiveRunRepository, LATE_BATCH } from './active-run.repository.js';
import type { ActiveRun, LostRun } from './active-run.repository.js';
import { RunMetrics } from './run-metrics.js';

/** Of runs that have not started in time, in one sweep. Those of one tenant may expire as fast as they are ended. */
const LATE_BATCHES = 5;

/**
 * Every end of an attempt and of a run, whatever ends it, but for cancellations: the handler's response, the worker's
 * shutdown, the loss of the worker, or a start that comes too late. Ends are counted, and runs that are retried get their
 * wake-up.
 */
@Injectable()
export class RunEnds {
  private readonly logger = new Logger(RunEnds.name);

  constructor(
    private readonly database: Database,
    private readonly active: ActiveRunRepository,
    private readonly exchanges: ExchangeRepository,
    private readonly pump: RunPump,
    private readonly dispatcher: RunDispatcher,
    private readonly metrics: RunMetrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Writes the end of an attempt, and tries again while the database is unavailable. If another worker takes the claim
   * meanwhile, this writes nothing. If only the reply to an earlier try was lost, this finds the end that it wrote.
   *
   * @param slots how many runs of the tenant to claim with it
   */
  async finishAttempt(end: AttemptEnd, slots: number): Promise<FinishedAttempt> {
    return await repeatWrite(this.config.timing.runs.retryMs, async (mayBeWritten) => {
      const { written, claimed, isWaiting, hasRoom } = await this.pump.end(end, slots);
      if (hasRoom && claimed.length < slots) await this.dispatcher.wakeUp(end.tenantId);
      return { written: written ?? (mayBeWritten ? await this.findWritten(end) : null), claimed, isWaiting };
    });
  }

  private async findWritten(end: AttemptEnd): Promise<WrittenAttempt | null> {
    const written = await this.active.findWritten(this.database.reader, end);
    return written === null ? null : { ...written, delayMs: end.delayMs };
  }

  /** Counts the end of the run, or wakes a worker for the retry. The run is no longer tracked: it may be claimed at once. */
  async followUp(written: WrittenAttempt): Promise<void> {
    this.metrics.ended(written);
    if (isFinal(written.status)) return;
    if (written.delayMs === 0) await this.dispatcher.wakeUp(written.tenantId);
    else await this.dispatcher.wakeUpLater(written);
  }

  /** Ends the runs that have not started in time, a bounded number of them. */
  async endLateRuns(): Promise<void> {
    for (let batch = 0; batch < LATE_BATCHES; batch += 1) {
      const late = await this.active.late(this.database.reader);
      if (late.length === 0) return;
      const ended = await this.exchanges.exchange(
        this.database.autoCommit,
        null,
        [...byTenant(late.map(lateEnd))].map(([tenantId, ends]) => ({ tenantId, ends })),
      );
      for (const tenant of ended.values()) {
        for (const run of tenant.ends) this.metrics.ended(run);
        if (tenant.hasRoom) await this.dispatcher.wakeUp(tenant.tenantId);
      }
      if (late.length < LATE_BATCH) return;
    }
  }

  /** Takes the runs of workers whose heartbeat has stopped. */
  async recoverFromDeadWorkers(): Promise<void> {
    const { deadAfterMs } = this.config.timing.workers;
    await this.recover(await this.active.ofDeadWorkers(this.database.reader, deadAfterMs));
  }

  /**
   * Takes runs from a living worker that holds them according to the database but no longer tracks them: the reply to
   * a claim was lost with a connection, or an end could not be written.
   */
  async recoverUntracked(workerId: string, runs: readonly RunAtFence[]): Promise<void> {
    await this.recover(await this.active.ofWorker(this.database.reader, workerId, runs));
  }

  private async recover(lost: readonly LostRun[]): Promise<void> {
    const results = await Promise.all(lost.map(async (run) => await this.pump.end(lossOf(run), 0)));
    for (const { written, hasRoom } of results) {
      if (written === null) continue;
      this.logger.warn(`${written.id} was lost with its worker and is now ${written.status}`);
      await this.followUp(written);
      if (hasRoom) await this.dispatcher.wakeUp(written.tenantId);
    }
  }
}

function lateEnd({ id, tenantId }: ActiveRun): RunEnd {
  return {
    runId: id,
    tenantId,
    event: 'not started in time',
    errorCode: 'expired',
    errorMessage: 'the run did not start within the start_within_ms of its job',
  };
}

function lossOf({ id, tenantId, fence, losses, workerId }: LostRun): AttemptEnd {
  const isLast = losses + 1 >= MAX_LOSSES;
  return {
    runId: id,
    tenantId,
    fence,
    event: isLast ? 'worker lost for the fifth time' : 'worker lost',
    outcome: 'lost',
    countsAsFailure: false,
    statusCode: null,
    errorCode: isLast ? 'worker_lost' : null,
    errorMessage: isLast
      ? `the worker was lost ${MAX_LOSSES} times while it executed the run`
      : 'the worker was lost',
    result: null,
    delayMs: 0,
    lostBy: workerId,
  };
}
