import { Injectable, Logger } from '@nestjs/common';
import { isDatabaseUnavailable, Database, firstRow } from '../../../platform/database/index.js';
import { retryDelayMs } from '../model/retry-backoff.js';
import { Invoker, storableText } from '../../invoker/index.js';
import type { Answer } from '../../invoker/index.js';
import { LogWriter } from '../../logs/index.js';
import type { ClaimedRun } from '../model/run.js';
import type { AttemptEnd } from '../finish/finish-statement.js';
import type { FinishedAttempt } from '../finish/run-ends.js';
import { eventOfFailure } from '../model/run-status.js';
import type { RunCaller } from '../../../http/index.js';
import { isRunning } from '../model/status-sql.js';

const MAX_ERROR_LENGTH = 2000;

/** Why an attempt's call is aborted: this worker is shutting down, or the run no longer belongs to it. */
export type AbortReason = 'shutdown' | 'taken';

/** Writes the end of an attempt (`RunEnds.finishAttempt`). Returns null when the claim was no longer the current one. */
type WriteEnd = (end: AttemptEnd) => Promise<FinishedAttempt | null>;

/** One attempt of a run, from its claim until its end is written. */
@Injectable()
export class RunAttempts {
  private readonly logger = new Logger(RunAttempts.name);

  constructor(
    private readonly invoker: Invoker,
    private readonly runLog: LogWriter,
  ) {}

  /**
   * Calls the handler and writes the outcome.
   *
   * @param signal aborted with an `AbortReason`
   * @returns null when the run was taken from this worker, which discards the outcome
   */
  async execute(run: ClaimedRun, signal: AbortSignal, write: WriteEnd): Promise<FinishedAttempt | null> {
    const answer = await this.invoker.call(run, signal);
    if (answer.kind === 'completed' && answer.dropped !== null) {
      this.warn(run, `the result was dropped: it ${answer.dropped}`);
      await this.runLog.flushRun(run.id);
    }
    const isTaken = answer.kind === 'aborted' && signal.reason === 'taken';
    const end = answer.kind === 'aborted' ? interruptedEnd(run) : endAfter(run, answer);
    const finished = isTaken ? null : await this.finish(run, end, write);
    if (finished === null)
      this.logger.warn(`attempt ${run.attempt} of ${run.id} lost its claim; its outcome is discarded`);
    return finished;
  }

  /** Writes to the run's own log, where its owner looks. */
  private warn({ id, attempt }: ClaimedRun, message: string): void {
    this.runLog.write({ runId: id, attempt, level: 'warn', message, at: Date.now() });
  }

  private async finish(run: ClaimedRun, end: AttemptEnd, write: WriteEnd): Promise<FinishedAttempt | null> {
    try {
      return await write(end);
    } catch (error) {
      if (isDatabaseUnavailable(error) || end.result === null) throw error;
      // PostgreSQL accepts less JSON than we do, for example less nesting. The handler has done its work all the same.
      this.logger.warn(error, `the result of ${run.id} cannot be stored and was dropped`);
      this.warn(run, 'the result was dropped: PostgreSQL cannot store it');
      return await write({ ...end, result: null });
    }
  }
}

function interruptedEnd(run: ClaimedRun): AttemptEnd {
  return {
    runId: run.id,
    tenantId: run.tenantId,
    fence: run.fence,
    event: 'worker shut down',
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
  const base = { runId: run.id, tenantId: run.tenantId, fence: run.fence, statusCode: answer.statusCode };
  if (answer.kind === 'completed') {
    const success = { event: 'succeeded', outcome: 'completed', countsAsFailure: false } as const;
    return { ...base, ...success, errorCode: null, errorMessage: null, result: answer.result, delayMs: 0 };
  }
  const event = eventOfFailure(answer.retryable, run.failures, run.maxAttempts);
  const retryNumber = run.failures + 1;
  return {
    ...base,
    event,
    outcome: answer.code === 'timeout' ? 'timeout' : 'failed',
    countsAsFailure: true,
    errorCode: answer.code,
    errorMessage: storableText(answer.message.slice(0, MAX_ERROR_LENGTH)),
    result: null,
    delayMs:
      event === 'failed with retries left'
        ? retryDelayMs(run.retryBackoff, retryNumber, answer.retryAfterMs, Math.random())
        : 0,
  };
}

/** Checks whether the token of an attempt is still valid: it expires when the attempt ends, however it ends. */
@Injectable()
export class RunTokens {
  constructor(private readonly database: Database) {}

  /** Queries the database each time, by the run's primary key: a cache would learn of the end too late. */
  async isAlive({ runId, attempt, tenantId }: RunCaller): Promise<boolean> {
    const running = await firstRow(
      this.database.reader,
      `SELECT id FROM runs WHERE id = $1 AND ${isRunning('status')} AND attempt = $2 AND tenant_id = $3`,
      [runId, attempt, tenantId],
    );
    return running !== null;
  }
}
