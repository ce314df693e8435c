import { Injectable } from '@nestjs/common';
import { afterCommit, Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import type { AttemptName } from '../model/run.js';
import { Tracing } from '../../../platform/tracing/index.js';
import { FreedSlots } from '../slots/freed-slots.js';
import { failureOf } from './attempt-end.js';
import { traceAttempt } from './attempt-trace.js';
import type { AttemptEnd } from './finish-statement.js';
import { ReportedEndRepository } from './reported-end.repository.js';
import type { AttemptState, EndingRun } from './reported-end.repository.js';
import { RunEnds } from './run-ends.js';

/** Attempts that one transaction ends at most because nothing was heard of them. */
const EXPIRED_BATCH = 100;

interface ReportedEnd {
  readonly run: EndingRun;
  readonly end: AttemptEnd;
}

/** Ends attempts as their handlers report, and those of which nothing was heard for their time limit. */
@Injectable()
export class ReportedEnds {
  constructor(
    private readonly database: Database,
    private readonly repository: ReportedEndRepository,
    private readonly ends: RunEnds,
    private readonly slots: FreedSlots,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Ends the attempt in one transaction, if it goes on, whether or not its worker knows already that it is deferred.
   *
   * @param endOf makes the end
   * @returns how the attempt had ended before, if it had; null when the tenant has no such run
   */
  async end(
    name: AttemptName,
    endOf: (run: EndingRun) => AttemptEnd,
  ): Promise<AttemptState | 'ended' | null> {
    return await this.database.transaction(async (tx) => {
      const run = await this.repository.lock(tx, name);
      if (run === null) return await this.repository.stateOf(tx, name);
      await this.write(tx, [{ run, end: endOf(run) }]);
      return 'ended';
    });
  }

  /** How an attempt ended; null when the tenant has no such run. */
  async stateOf(name: AttemptName): Promise<AttemptState | null> {
    return await this.repository.stateOf(this.database.reader, name);
  }

  /** Ends the deferred attempts without a sign of life within their time limit, as timeouts. */
  async timeOutExpired(): Promise<void> {
    let ended = EXPIRED_BATCH;
    while (ended === EXPIRED_BATCH)
      ended = await this.database.transaction(async (tx) => {
        const expired = await this.repository.lockExpired(tx, EXPIRED_BATCH);
        if (expired.length > 0)
          await this.write(
            tx,
            expired.map((run) => ({ run, end: timeoutOf(run) })),
          );
        return expired.length;
      });
  }

  private async write(tx: Tx, given: readonly ReportedEnd[]): Promise<void> {
    const written = await this.repository.end(
      tx,
      given.map(({ end }) => end),
    );
    const byRun = new Map(given.map((each) => [each.run.id, each]));
    afterCommit(tx, async () => {
      for (const end of written) {
        const reported = byRun.get(end.id);
        if (this.tracing.isOn && reported !== undefined)
          traceAttempt(this.tracing, reported.run, reported.run.startedAt.getTime(), reported.end, true);
        await this.ends.followUp({ ...end, delayMs: reported?.end.delayMs ?? 0, next: null });
        if (end.mayPassOn) await this.slots.passOn(end);
      }
    });
  }
}

function timeoutOf(run: EndingRun): AttemptEnd {
  return failureOf(run, {
    code: 'timeout',
    message: `no sign of life within ${run.timeoutMs} ms`,
    retryable: true,
    retryAfterMs: null,
    statusCode: null,
  });
}
