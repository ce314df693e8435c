import { Injectable, Logger } from '@nestjs/common';
import type { RunRights } from '../../../http/index.js';
import { isDatabaseUnavailable, isTransient } from '../../../platform/database/index.js';
import { Invoker, UNPREPARED } from '../../invoker/index.js';
import type { Answer } from '../../invoker/index.js';
import { AttemptDeferral } from '../deferral/attempt-deferral.js';
import { LogWriter } from '../../logs/index.js';
import type { ClaimedRun } from '../model/run.js';
import { runActorOf } from '../model/run-actor.js';
import type { AttemptEnd } from '../model/attempt-end.js';
import { RunEnds } from '../finish/run-ends.js';
import type { FinishedAttempt } from '../exchange/run-pump.js';
import { failureOf, refusedEndOf, successOf } from '../finish/attempt-end.js';
import { Tracing } from '../../../platform/tracing/index.js';
import { AttemptRights } from './attempt-rights.js';
import { AttemptSpan } from './attempt-span.js';

/** Why an attempt's call is aborted: this worker is shutting down, or the run no longer belongs to it. */
export type AbortReason = 'shutdown' | 'taken';

/** Makes a claim that comes with the end or the deferral of an attempt, for as many slots as there are to fill. */
type Claiming = <Result extends { readonly claimed: readonly ClaimedRun[] }>(
  claim: (slots: number) => Promise<Result>,
) => Promise<Result>;

/** Nothing is written, and nothing claimed. */
const TAKEN: FinishedAttempt = { written: null, claimed: [], isWaiting: true };

/** One attempt of a run, from its claim until its end is written or its handler says that it will report the end. */
@Injectable()
export class RunAttempts {
  private readonly logger = new Logger(RunAttempts.name);

  constructor(
    private readonly invoker: Invoker,
    private readonly rights: AttemptRights,
    private readonly runLog: LogWriter,
    private readonly tracing: Tracing,
    private readonly deferral: AttemptDeferral,
    private readonly ends: RunEnds,
  ) {}

  /**
   * Calls the handler, and writes the outcome or that the handler will report it.
   *
   * @param signal aborted with an `AbortReason`
   * @param claiming claims what follows in the slot
   */
  async execute(run: ClaimedRun, signal: AbortSignal, claiming: Claiming): Promise<FinishedAttempt> {
    const span = this.tracing.isOn ? new AttemptSpan(this.tracing, run) : null;
    const granted = await this.granted(run);
    if ('end' in granted) {
      const finished = await this.finish(run, granted.end, claiming);
      span?.end(granted.end, finished.written !== null);
      return finished;
    }
    const { rights } = granted;
    const answer = await this.invoker.call({ ...run, rights, actor: runActorOf(run.trigger) }, signal);
    if (answer.kind === 'deferred') {
      const { isDeferred, claimed, isWaiting } = await claiming((slots) => this.deferral.defer(run, slots));
      // A handler may be faster than this worker and have reported the end already.
      if (!isDeferred)
        this.logger.debug(`attempt ${run.attempt} of ${run.id} ended before it could be deferred`);
      return { written: null, claimed, isWaiting };
    }
    if (answer.kind === 'completed' && answer.dropped !== null) {
      this.warn(run, `the result was dropped: it ${answer.dropped}`);
      await this.runLog.flushRun(run.id);
    }
    const isTaken = answer.kind === 'aborted' && signal.reason === 'taken';
    const end =
      answer.kind === 'aborted'
        ? interruptedEnd(run, signal.aborted ? 'the worker shut down' : answer.message)
        : endAfter(run, answer);
    const finished = isTaken ? TAKEN : await this.finish(run, end, claiming);
    span?.end(end, finished.written !== null);
    if (finished.written === null)
      this.logger.warn(`attempt ${run.attempt} of ${run.id} lost its claim; its outcome is discarded`);
    return finished;
  }

  /** What the handler may do, or how the attempt ends without it. */
  private async granted(run: ClaimedRun): Promise<{ rights: RunRights } | { end: AttemptEnd }> {
    try {
      const granted = await this.rights.of(run);
      return 'refusal' in granted ? { end: refusedEndOf(run, granted.refusal) } : granted;
    } catch (error) {
      if (!isTransient(error)) throw error;
      return { end: interruptedEnd(run, UNPREPARED) };
    }
  }

  /** Writes to the run's own log, where its owner looks. */
  private warn({ id, attempt }: ClaimedRun, message: string): void {
    this.runLog.write({ runId: id, attempt, level: 'warn', message, at: Date.now() });
  }

  private async finish(run: ClaimedRun, end: AttemptEnd, claiming: Claiming): Promise<FinishedAttempt> {
    const write = async (given: AttemptEnd): Promise<FinishedAttempt> =>
      await claiming((slots) => this.ends.finishAttempt(given, slots));
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

function interruptedEnd(run: ClaimedRun, errorMessage: string): AttemptEnd {
  return {
    runId: run.id,
    tenantId: run.tenantId,
    fence: run.fence,
    event: 'attempt interrupted',
    outcome: 'interrupted',
    countsAsFailure: false,
    statusCode: null,
    errorCode: null,
    errorMessage,
    result: null,
    delayMs: 0,
  };
}

function endAfter(run: ClaimedRun, answer: Extract<Answer, { kind: 'completed' | 'failed' }>): AttemptEnd {
  return answer.kind === 'completed'
    ? successOf(run, answer.result, answer.statusCode)
    : failureOf(run, answer);
}
