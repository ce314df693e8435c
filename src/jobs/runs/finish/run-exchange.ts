import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database, GroupedStatement } from '../../../platform/database/index.js';
import type { ClaimedRun } from '../model/run.js';
import type { FreedSlot } from '../model/waiting-run.js';
import { WorkerHeartbeat } from '../slots/worker-heartbeat.js';
import type { AttemptEnd, WrittenEnd } from './finish-statement.js';
import { RunExchangeRepository } from './run-exchange.repository.js';

/** What a caller brings: the end of an attempt, and whether its slot stays with the tenant, or a slot alone. */
type Offer =
  | { readonly end: AttemptEnd; readonly keepsSlot: boolean }
  | { readonly end: null; readonly slot: FreedSlot };

export interface SlotExchange {
  /** Null when the end was not written. */
  readonly written: WrittenEnd | null;
  /** The run that follows in the slot. */
  readonly next: ClaimedRun | null;
  /** Whether a run waited for the slot but found none free. */
  readonly isThrottled: boolean;
}

/** Ends attempts and claims the runs that follow them in their slots. Concurrent calls share a statement. */
@Injectable()
export class RunExchange {
  private readonly exchanging: GroupedStatement<Offer, SlotExchange>;

  constructor(
    @Inject(CONFIG) config: Config,
    database: Database,
    exchanges: RunExchangeRepository,
    heartbeat: WorkerHeartbeat,
  ) {
    this.exchanging = new GroupedStatement(async (offers) => {
      const ends = offers.flatMap((offer) => offer.end ?? []);
      const keepsSlot = offers.flatMap((offer) => (offer.end === null ? [] : offer.keepsSlot));
      const freed = offers.flatMap((offer) => (offer.end === null ? offer.slot : []));
      const exchanged = await exchanges.exchange(
        database.autoCommit,
        { ends, keepsSlot, slots: freed },
        heartbeat.workerId,
        config.jobs.maxOrgConcurrentRuns,
      );
      // Two attempts of the same run may end here at once. Only the one with the current fence was written.
      const written = new Map(exchanged.ends.map((end) => [keyOf(end.id, end.fence), end]));
      const claimed = new Map<string, ClaimedRun[]>();
      for (const run of exchanged.claimed)
        claimed.set(run.tenantId, [...(claimed.get(run.tenantId) ?? []), run]);
      const throttled = new Set(exchanged.throttled.map((slot) => slot.tenantId));
      return offers.map((offer) => {
        const end =
          offer.end === null ? null : (written.get(keyOf(offer.end.runId, offer.end.fence)) ?? null);
        const slot = offer.end === null ? offer.slot : offer.keepsSlot ? end : null;
        const next = slot === null ? null : (claimed.get(slot.tenantId)?.shift() ?? null);
        return { written: end, next, isThrottled: slot !== null && throttled.has(slot.tenantId) };
      });
    });
  }

  /**
   * Writes the end of an attempt, unless another statement has locked the run, and claims the next run of the tenant
   * if the slot stays with it.
   */
  async finish(end: AttemptEnd, keepsSlot: boolean): Promise<SlotExchange> {
    return await this.exchanging.run({ end, keepsSlot });
  }

  /** Claims a run for a slot that an earlier end freed. */
  async fill(slot: FreedSlot): Promise<SlotExchange> {
    return await this.exchanging.run({ end: null, slot });
  }
}

function keyOf(runId: string, fence: number): string {
  return `${runId}.${fence}`;
}
