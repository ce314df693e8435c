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
/** Half a minute in all. */
const WRITE_TRIES = 60;
const WRITE_RETRY_MS = 500;

/** Why an attempt's call is broken off: this worker shuts down, or the run is no longer its own. */
export type BreakOff = 'shutdown' | 'taken';

/** An attempt whose end is written. By now the run may be claimed again, here too. */
export interface EndedAttempt {
  /** Tells whoever waits for it. */
  readonly tell: () => Promise<void>;
  /** Capacity that others may be waiting for; null when there is none. */
  readonly slot: FreedSlot | null;
}

/** One attempt of a run, from the claim to its written end. */
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
    this.finish = new GroupedStatement((given) => ends.finishUnheld(database.autoCommit, given));
  }

  /** Calls the handler and writes what came of it. @param signal aborted with a `BreakOff` */
  async carryOut(run: ClaimedRun, signal: AbortSignal): Promise<EndedAttempt> {
    const answer = await this.invoker.call(run, signal);
    if (answer.kind === 'completed' && answer.dropped !== null) {
      this.warn(run, `the result is dropped: it ${answer.dropped}`);
      await this.runLog.flushRun(run.id);
    }
    if (answer.kind === 'aborted' && signal.reason === 'taken') return this.takenAway(run);
    const end = answer.kind === 'aborted' ? handedBack(run) : concluded(run, answer);
    const written = await this.write(run, end);
    if (written === null) return this.takenAway(run);
    return { tell: () => this.tell(written, end.delayMs), slot: written.mayPassOn ? written : null };
  }

  private takenAway(run: ClaimedRun): EndedAttempt {
    this.logger.warn(`attempt ${run.attempt} of ${run.id} was taken away; what comes of it is dropped`);
    return { tell: () => Promise.resolve(), slot: null };
  }

  /** In the log of the run, where its owner looks. */
  private warn({ id, attempt }: ClaimedRun, message: string): void {
    this.runLog.write({ runId: id, attempt, level: 'warn', message, at: Date.now() });
  }

  private async tell(written: WrittenEnd, delayMs: number): Promise<void> {
    this.metrics.ended(written);
    if (written.status === 'retrying') await this.dispatcher.wakeUp(written, delayMs);
  }

  /**
   * Writes the end, and tries again while the database is away: the handler has done its work, and doing it
   * twice is worse than waiting. Should the claim be taken away meanwhile, this writes nothing. But what was lost
   * may have been the answer alone: then the end stands, and there is nobody else to tell of it.
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
          // PostgreSQL's JSON is narrower than ours, in depth for one; the handler's work is done all the same.
          this.logger.warn(error, `the result of ${run.id} cannot be stored and is dropped`);
          this.warn(run, 'the result is dropped: PostgreSQL cannot store it');
          end = { ...end, result: null };
        } else throw error;
      }
    }
  }
}

/** What handlers and their loaders say may hold NUL, which no text in PostgreSQL can. */
function storableText(message: string): string {
  return message.replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH).toWellFormed();
}

function handedBack(run: ClaimedRun): AttemptEnd {
  return {
    runId: run.id,
    fence: run.fence,
    status: 'retrying',
    outcome: 'interrupted',
    countsAsFailure: false,
    statusCode: null,
    errorCode: null,
    errorMessage: 'its worker shut down',
    result: null,
    delayMs: 0,
  };
}

function concluded(run: ClaimedRun, answer: Exclude<Answer, { kind: 'aborted' }>): AttemptEnd {
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
