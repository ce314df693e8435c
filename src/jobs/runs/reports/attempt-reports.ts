import { Injectable } from '@nestjs/common';
import { RunTokenIssuer } from '../../../identity/index.js';
import { Database } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import { cutLine, MAX_RESULT_BYTES } from '../../invoker/index.js';
import { LogWriter } from '../../logs/index.js';
import { AttemptRights } from '../attempt/attempt-rights.js';
import { DeferralRepository } from '../deferral/deferral.repository.js';
import type { AttemptLife } from '../deferral/deferral.repository.js';
import { failureOf, refusedEndOf, successOf } from '../finish/attempt-end.js';
import type { AttemptState } from '../finish/active-run.repository.js';
import { refusalOf } from '../finish/attempt-refusal.js';
import { ReportedEnds } from '../finish/reported-ends.js';
import type { AttemptName } from '../model/run.js';
import { runActorOf } from '../model/run-actor.js';
import type { AttemptOutcome } from '../model/run-status.js';
import type { ReportedLine } from './reported-lines.js';

/** How an attempt failed, as its handler says. */
export interface ReportedFailure {
  readonly message: string;
  readonly isFatal: boolean;
  readonly retryAfterMs: number | null;
}

/** What handlers report about their attempts, by the token of the attempt. */
@Injectable()
export class AttemptReports {
  constructor(
    private readonly database: Database,
    private readonly ends: ReportedEnds,
    private readonly deferrals: DeferralRepository,
    private readonly runLog: LogWriter,
    private readonly tokens: RunTokenIssuer,
    private readonly rights: AttemptRights,
  ) {}

  /**
   * Ends the attempt as completed. Says nothing if it has completed before: the answer to an earlier report may be lost.
   * @param result JSON text, or null
   * @throws validation_failed, run_not_found, attempt_ended, run_cancelled
   */
  async complete(attempt: AttemptName, result: string | null): Promise<void> {
    if (result !== null && Buffer.byteLength(result) > MAX_RESULT_BYTES)
      throw new ServiceError('validation_failed', {
        details: [{ path: 'result', message: `must be at most ${MAX_RESULT_BYTES} bytes of JSON` }],
      });
    requireEnded(await this.ends.end(attempt, (run) => successOf(run, result, null)), 'completed');
  }

  /**
   * Ends the attempt as failed. Says nothing if it has failed before.
   * @throws run_not_found, attempt_ended, run_cancelled
   */
  async fail(attempt: AttemptName, { message, isFatal, retryAfterMs }: ReportedFailure): Promise<void> {
    const failure = {
      code: isFatal ? 'handler_fatal' : 'handler_error',
      message,
      retryable: !isFatal,
      retryAfterMs,
      statusCode: null,
    } as const;
    requireEnded(await this.ends.end(attempt, (run) => failureOf(run, failure)), 'failed');
  }

  /**
   * A sign of life: the attempt goes on for its time limit from now.
   * If its run acts as its caller, that is asked again, and an attempt whose caller is not allowed any more ends.
   * @returns a new token for other requests
   * @throws run_not_found, attempt_ended, run_cancelled
   */
  async heartbeat(attempt: AttemptName): Promise<{ expiresAt: Date; token: string }> {
    const life = await this.extend(attempt);
    const granted = await this.rights.of({ ...life, tenantId: attempt.tenantId });
    if ('refusal' in granted) {
      await this.ends.end(attempt, (run) => refusedEndOf(run, granted.refusal));
      throw refusalOf(await this.ends.stateOf(attempt));
    }
    const subject = { ...attempt, ...granted.rights, actor: runActorOf(life.trigger) };
    return { expiresAt: life.expiresAt, token: await this.tokens.issue(subject, life.timeoutMs) };
  }

  /**
   * Keeps lines in the run's log. This is a sign of life, too.
   * @throws run_not_found, attempt_ended, run_cancelled
   */
  async log(attempt: AttemptName, lines: readonly ReportedLine[]): Promise<void> {
    await this.extend(attempt);
    const { runId, attempt: number } = attempt;
    const at = Date.now();
    await this.runLog.store(
      lines.map(({ level, message }) => ({ runId, attempt: number, level, message: cutLine(message), at })),
    );
  }

  private async extend(attempt: AttemptName): Promise<AttemptLife> {
    const life = await this.deferrals.extend(this.database.autoCommit, attempt);
    if (life === null) throw refusalOf(await this.ends.stateOf(attempt));
    return life;
  }
}

/** @param accepted the outcome that an earlier report of the same kind has */
function requireEnded(state: AttemptState | 'ended' | null, accepted: AttemptOutcome): void {
  if (state !== 'ended' && state?.outcome !== accepted) throw refusalOf(state);
}
