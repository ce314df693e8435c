import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Database, GroupedStatement, isDatabaseUnavailable } from '../../../platform/database/index.js';
import { retryDelayMs } from '../model/retry-backoff.js';
import { Invoker } from '../../invoker/index.js';
import type { Answer } from '../../invoker/index.js';
import { LogWriter } from '../../logs/index.js';
import type { ClaimedRun } from '../model/run.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { RunEndRepository } from '../finish/run-end.repository.js';
import type { AttemptEnd, WrittenEnd } from '../finish/run-end.repository.js';
import type { FreedSlot } from '../model/waiting-run.js';
import { RunMetrics } from '../finish/run-metrics.js';
import { statusAfter } from '../model/run-status.js';

const MAX_ERROR_LENGTH = 2000;
/** Half a minute in total. */
const WRITE_TRIES = 60;
const WRITE_RETRY_MS = 500;

/** Why an attempt's call is aborted: this worker is shutting down, or the run no longer belongs to it. */
export type AbortReason = 'shutdown' | 'taken';

/** An attempt whose end has been written. The run may already be claimed again, even by this worker. */
export interface EndedAttempt {
  /** Counts the end in the metrics and wakes a worker for the retry, if there is one. */
  readonly followUp: () => Promise<void>;
  /** The slot that the run freed, if other runs may be waiting for it; otherwise null. */
  readonly slot: FreedSlot | null;
}

/** One attempt of a run, from its claim until its end is written. */
@Injectable()
export class RunAttempts {
  private readonly logger = new Logger(RunAttempts.name);
  private readonly finish: GroupedStatement<AttemptEnd, WrittenEnd | null>;

  constructor(
    private readonly database: Database,
    private readonly ends: RunEndRepository,
    private readonly invoker: Invoker,
    private readonly dispatcher: RunDispatcher,
    private readonly metrics: RunMetrics,
    private readonly runLog: LogWriter,
  ) {
    this.finish = new GroupedStatement((given) => ends.finishUnlocked(database.autoCommit, given));
  }

  /** Calls the handler and writes the outcome. @param signal aborted with an `AbortReason` */
  async execute(run: ClaimedRun, signal: AbortSignal): Promise<EndedAttempt> {
    const answer = await this.invoker.call(run, signal);
    if (answer.kind === 'completed' && answer.dropped !== null) {
      this.warn(run, `the result was dropped: it ${answer.dropped}`);
      await this.runLog.flushRun(run.id);
    }
    if (answer.kind === 'aborted' && signal.reason === 'taken') return this.claimLost(run);
    const end = answer.kind === 'aborted' ? interruptedEnd(run) : endAfter(run, answer);
    const written = await this.write(run, end);
    if (written === null) return this.claimLost(run);
    return { followUp: () => this.followUp(written, end.delayMs), slot: written.mayPassOn ? written : null };
  }

  private claimLost(run: ClaimedRun): EndedAttempt {
    this.logger.warn(`attempt ${run.attempt} of ${run.id} lost its claim; its outcome is discarded`);
    return { followUp: () => Promise.resolve(), slot: null };
  }

  /** Writes to the run's own log, where its owner looks. */
  private warn({ id, attempt }: ClaimedRun, message: string): void {
    this.runLog.write({ runId: id, attempt, level: 'warn', message, at: Date.now() });
  }

  private async followUp(written: WrittenEnd, delayMs: number): Promise<void> {
    this.metrics.ended(written);
    if (written.status === 'retrying') await this.dispatcher.wakeUp(written, delayMs);
  }

  /**
   * Writes the end and retries while the database is unavailable: the handler has done its work, and doing it twice
   * is worse than waiting. If another worker takes the claim meanwhile, this writes nothing. If only the reply to an
   * earlier try was lost, the end is already written; this then finds it, because nobody else reports it.
   */
  private async write(run: ClaimedRun, attemptEnd: AttemptEnd): Promise<WrittenEnd | null> {
    let end = attemptEnd;
    let mayBeWritten = false;
    for (let tries = 1; ; tries += 1) {
      try {
        const written =
          (await this.finish.run(end)) ?? (await this.ends.finish(this.database.autoCommit, end));
        if (written !== null || !mayBeWritten) return written;
        return await this.ends.findFinished(this.database.reader, end);
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          if (tries >= WRITE_TRIES) throw error;
          mayBeWritten = true;
          await wait(WRITE_RETRY_MS);
        } else if (end.result !== null) {
          // PostgreSQL accepts less JSON than we do, for example less nesting. The handler has done its work all the
          // same.
          this.logger.warn(error, `the result of ${run.id} cannot be stored and was dropped`);
          this.warn(run, 'the result was dropped: PostgreSQL cannot store it');
          end = { ...end, result: null };
        } else throw error;
      }
    }
  }
}

/** Messages from handlers and their loaders may contain NUL, which PostgreSQL does not store in text. */
function storableText(message: string): string {
  return message.replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH).toWellFormed();
}

function interruptedEnd(run: ClaimedRun): AttemptEnd {
  return {
    runId: run.id,
    fence: run.fence,
    status: 'retrying',
    outcome: 'interrupted',
    countsAsFailure: false,
    statusCode: null,
    errorCode: null,
    errorMessage: 'the worker shut down',
    result: null,
    delayMs: 0,
  };
}

function endAfter(run: ClaimedRun, answer: Exclude<Answer, { kind: 'aborted' }>): AttemptEnd {
  const base = { runId: run.id, fence: run.fence, statusCode: answer.statusCode };
  if (answer.kind === 'completed') {
    const success = { status: 'completed', outcome: 'completed', countsAsFailure: false } as const;
    return { ...base, ...success, errorCode: null, errorMessage: null, result: answer.result, delayMs: 0 };
  }
  const status = statusAfter(answer, run.failures, run.maxAttempts);
  const retryNumber = run.failures + 1;
  return {
    ...base,
    status,
    outcome: answer.code === 'timeout' ? 'timeout' : 'failed',
    countsAsFailure: true,
    errorCode: answer.code,
    errorMessage: storableText(answer.message),
    result: null,
    delayMs:
      status === 'retrying'
        ? retryDelayMs(run.retryBackoff, retryNumber, answer.retryAfterMs, Math.random())
        : 0,
  };
}
