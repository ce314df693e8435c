import { Injectable } from '@nestjs/common';
import { afterCommit, Database } from '../../../platform/database/index.js';
import { Tracing } from '../../../platform/tracing/index.js';
import type { TenantId } from '../../../http/index.js';
import type { WrittenAttempt } from '../exchange/exchange.js';
import { ExchangeRepository } from '../exchange/exchange.repository.js';
import { RunPump } from '../exchange/run-pump.js';
import type { AttemptEnd } from '../model/attempt-end.js';
import type { AttemptName } from '../model/run.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { ActiveRunRepository } from './active-run.repository.js';
import type { AttemptState, EndingRun } from './active-run.repository.js';
import { failureOf } from './attempt-end.js';
import { traceAttempt } from './attempt-trace.js';
import { RunEnds } from './run-ends.js';

/** Attempts that one transaction ends at most because nothing was heard of them. */
const EXPIRED_BATCH = 100;

/** Ends attempts as their handlers report, and those of which nothing was heard for their time limit. */
@Injectable()
export class ReportedEnds {
  constructor(
    private readonly database: Database,
    private readonly active: ActiveRunRepository,
    private readonly exchanges: ExchangeRepository,
    private readonly pump: RunPump,
    private readonly ends: RunEnds,
    private readonly dispatcher: RunDispatcher,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Ends the attempt, if it goes on, whether or not its worker knows already that it is deferred.
   *
   * @param endOf makes the end
   * @returns how the attempt had ended before, if it had; null when the tenant has no such run
   */
  async end(
    name: AttemptName,
    endOf: (run: EndingRun) => AttemptEnd,
  ): Promise<AttemptState | 'ended' | null> {
    const run = await this.active.ending(this.database.reader, name);
    if (run === null) return await this.stateOf(name);
    const end = endOf(run);
    const { written, hasRoom } = await this.pump.end(end, 0);
    if (written === null) return await this.stateOf(name);
    await this.followUp(run, end, written);
    if (hasRoom) await this.dispatcher.wakeUp(run.tenantId);
    return 'ended';
  }

  /** How an attempt ended; null when the tenant has no such run. */
  async stateOf(name: AttemptName): Promise<AttemptState | null> {
    return await this.active.stateOf(this.database.reader, name);
  }

  /** Ends the deferred attempts without a sign of life within their time limit, as timeouts. */
  async timeOutExpired(): Promise<void> {
    for (const tenantId of await this.active.tenantsWithExpired(this.database.reader))
      while ((await this.timeOutSome(tenantId)) === EXPIRED_BATCH);
  }

  /** Returns how many it ended. A transaction, since a sign of life may come until the tenant is locked. */
  private async timeOutSome(tenantId: TenantId): Promise<number> {
    return await this.database.transaction(async (tx) => {
      await this.exchanges.lock(tx, tenantId);
      const expired = await this.active.expired(tx, tenantId, EXPIRED_BATCH);
      if (expired.length === 0) return 0;
      const ends = new Map(expired.map((run) => [run.id, { run, end: timeoutOf(run) }]));
      const exchange = { tenantId, ends: [...ends.values()].map(({ end }) => end) };
      const tenant = (await this.exchanges.exchange(tx, null, [exchange])).get(tenantId);
      afterCommit(tx, async () => {
        for (const written of tenant?.ends ?? []) {
          const ended = ends.get(written.id);
          if (ended !== undefined)
            await this.followUp(ended.run, ended.end, { ...written, delayMs: ended.end.delayMs });
        }
        if (tenant?.hasRoom === true) await this.dispatcher.wakeUp(tenantId);
      });
      return expired.length;
    });
  }

  private async followUp(run: EndingRun, end: AttemptEnd, written: WrittenAttempt): Promise<void> {
    if (this.tracing.isOn) traceAttempt(this.tracing, run, run.startedAt.getTime(), end, true);
    await this.ends.followUp(written);
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
