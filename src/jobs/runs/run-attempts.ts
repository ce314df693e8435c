import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { setTimeout as wait } from 'node:timers/promises';
import { Database, isDatabaseUnavailable } from '../../platform/database/index.js';
import { retryDelayMs } from '../definitions/index.js';
import { Invoker } from '../invoker/index.js';
import type { Answer } from '../invoker/index.js';
import type { ClaimedRun } from './run.js';
import { RunClaimRepository } from './run-claim.repository.js';
import type { AttemptEnd, WrittenEnd } from './run-claim.repository.js';
import { RunDispatcher } from './run-dispatcher.js';
import { RunMetrics } from './run-metrics.js';
import { statusAfter } from './run-state.js';

const MAX_ERROR_LENGTH = 2000;
/** Half a minute in all. */
const WRITE_TRIES = 60;
const WRITE_RETRY_MS = 500;

/** Tells whoever waits for it that an attempt has ended. */
export type AfterAttempt = () => Promise<void>;

const NOTHING_MORE: AfterAttempt = () => Promise.resolve();

/** One attempt of a run, from the claim to its written end. */
@Injectable()
export class RunAttempts {
  private readonly logger = new Logger(RunAttempts.name);
  private readonly cap: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: Database,
    private readonly claims: RunClaimRepository,
    private readonly invoker: Invoker,
    private readonly dispatcher: RunDispatcher,
    private readonly metrics: RunMetrics,
  ) {
    this.cap = config.jobs.maxOrgConcurrentRuns;
  }

  /**
   * Claims the run and calls its handler. Does nothing when the run is not to be had: claimed elsewhere,
   * ended, not due, or without room.
   *
   * @param interrupted aborted when this worker shuts down; the attempt is then handed back uncounted
   * @returns what remains when the end is written: to tell of it. By then the run may be claimed again, here too.
   */
  async attempt(runId: string, workerId: string, interrupted: AbortSignal): Promise<AfterAttempt> {
    // A hint that comes while we shut down is someone else's.
    if (interrupted.aborted) return NOTHING_MORE;
    const run = await this.claims.claim(this.database.oneStatement, runId, workerId, this.cap);
    if (run === null) return NOTHING_MORE;
    const answer = await this.invoker.call(run, interrupted);
    if (answer.kind === 'completed' && answer.dropped !== null)
      this.logger.warn(`the result of ${runId} is dropped: it ${answer.dropped}`);
    const end = answer.kind === 'aborted' ? handedBack(run) : concluded(run, answer);
    const written = await this.write(end);
    return () => this.tell(run, end, written);
  }

  private async tell(run: ClaimedRun, end: AttemptEnd, written: WrittenEnd | null): Promise<void> {
    if (written === null) {
      this.logger.warn(
        `attempt ${run.attempt} of ${run.id} ended after it was taken away; its answer is dropped`,
      );
      return;
    }
    this.metrics.ended(written);
    if (written.status === 'retrying') await this.dispatcher.hint(run, end.delayMs);
    if (written.mayHandOver) await this.handOver(written.tenantId);
  }

  /**
   * Writes the end, and tries again while the database is away: the handler has done its work, and doing it
   * twice is worse than waiting. Should the claim be taken away meanwhile, this writes nothing.
   */
  private async write(attemptEnd: AttemptEnd): Promise<WrittenEnd | null> {
    let end = attemptEnd;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.claims.finish(this.database.oneStatement, end, this.cap);
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          if (tries >= WRITE_TRIES) throw error;
          await wait(WRITE_RETRY_MS);
        } else if (end.result !== null) {
          // PostgreSQL's JSON is narrower than ours, in depth for one; the handler's work is done all the same.
          this.logger.warn(error, `the result of ${end.runId} cannot be stored and is dropped`);
          end = { ...end, result: null };
        } else throw error;
      }
    }
  }

  /** Gives the room that an ended run leaves to those of its tenant that wait for it. */
  private async handOver(tenantId: string): Promise<void> {
    await this.dispatcher.callParked(
      await this.claims.takeParked(this.database.oneStatement, tenantId, this.cap),
    );
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
