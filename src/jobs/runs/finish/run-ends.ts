import { Inject, Injectable, Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database, isDatabaseUnavailable } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { TenantExchange, WrittenEnd } from '../exchange/exchange.js';
import { ExchangeRepository } from '../exchange/exchange.repository.js';
import { RunPump } from '../exchange/run-pump.js';
import type { AttemptEnd, RunEnd } from '../model/attempt-end.js';
import type { ClaimedRun, RunAtFence } from '../model/run.js';
import { isFinal, MAX_LOSSES } from '../model/run-status.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { ActiveRunRepository, LATE_BATCH } from './active-run.repository.js';
import type { ActiveRun, LostRun } from './active-run.repository.js';
import { RunMetrics } from './run-metrics.js';

/** Half a minute in total. */
const WRITE_TRIES = 60;
/** Of runs that have not started in time, in one sweep. Those of one tenant may expire as fast as they are ended. */
const LATE_BATCHES = 5;

/** What became of the end of an attempt, and of the slot in which it was. */
export interface FinishedAttempt {
  /**
   * Null when the claim was no longer the current one. Otherwise the run has ended, or may already be claimed again, even by
   * the same worker.
   */
  readonly written: (WrittenEnd & Pick<AttemptEnd, 'delayMs'>) | null;
  /** The runs that were claimed for the slot in the same statement. */
  readonly claimed: readonly ClaimedRun[];
  /** Whether further runs of the tenant wait. */
  readonly isWaiting: boolean;
}

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
   * Writes the end of an attempt and retries while the database is unavailable: the handler has done its work, and
   * doing it twice is worse than waiting. If another worker takes the claim meanwhile, this writes nothing. If only
   * the reply to an earlier try was lost, the end is already written; this then finds it, because nobody else reports
   * it.
   *
   * @param slots how many runs of the tenant to claim with it
   */
  async finishAttempt(end: AttemptEnd, slots: number): Promise<FinishedAttempt> {
    let mayBeWritten = false;
    for (let tries = 1; ; tries += 1) {
      try {
        const { written: found, claimed, isWaiting } = await this.pump.end(end, slots);
        const written =
          found ?? (mayBeWritten ? await this.active.findWritten(this.database.reader, end) : null);
        return { written: written && { ...written, delayMs: end.delayMs }, claimed, isWaiting };
      } catch (error) {
        if (!isDatabaseUnavailable(error) || tries >= WRITE_TRIES) throw error;
        mayBeWritten = true;
        await wait(this.config.timing.runs.retryMs);
      }
    }
  }

  /** Counts the end of the run, or wakes a worker for the retry. The run is no longer tracked: it may be claimed at once. */
  async followUp(written: WrittenEnd & Pick<AttemptEnd, 'delayMs'>): Promise<void> {
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
        byTenant(late.map(lateEnd)),
      );
      for (const tenant of ended.values()) for (const run of tenant.ends) this.metrics.ended(run);
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
      await this.followUp({ ...written, delayMs: 0 });
      if (hasRoom) await this.dispatcher.wakeUp(written.tenantId);
    }
  }
}

/** Ends, for one exchange of each tenant. */
export function byTenant(ends: readonly (AttemptEnd | RunEnd)[]): TenantExchange[] {
  const tenants = new Map<TenantId, (AttemptEnd | RunEnd)[]>();
  for (const end of ends) {
    const own = tenants.get(end.tenantId);
    if (own === undefined) tenants.set(end.tenantId, [end]);
    else own.push(end);
  }
  return [...tenants].map(([tenantId, own]) => ({ tenantId, ends: own }));
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
