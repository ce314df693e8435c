import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RunEnqueuer } from '../jobs/index.js';
import type { NewRun } from '../jobs/index.js';
import { afterCommit, Database } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import { CronSchedule } from './cron/index.js';
import { CronTriggerRepository } from './cron-trigger.repository.js';
import type { DueTrigger, SettledTrigger } from './cron-trigger.repository.js';
import type { DueWork } from './scheduler-tick.js';
import { PostponedSchedules } from './postponed-schedules.js';
import { settle } from './settlement.js';
import type { Settlement } from './settlement.js';
import { newRunId } from '../jobs/index.js';

const BATCH = 500;
/** How many batches may follow each other before other work gets its turn. */
const MAX_BATCHES = 4;
/**
 * Parsing costs as much as computing the next instant, and most triggers fire regularly. A schedule takes some
 * kilobytes.
 */
const PARSED_SCHEDULES = 1000;

/**
 * Creates the runs of due cron triggers. One transaction claims a trigger, adds its runs and settles it. So each
 * instant gets exactly one run, however many schedulers there are and whenever one of them dies.
 */
@Injectable()
export class CronRuns implements DueWork {
  readonly name = 'firing cron triggers';
  readonly isDue: string;
  readonly dueInMs: string;
  private readonly logger = new Logger(CronRuns.name);
  private readonly parsed = new LRUCache<string, CronSchedule>({ max: PARSED_SCHEDULES });

  constructor(
    private readonly database: Database,
    private readonly triggers: CronTriggerRepository,
    private readonly enqueuer: RunEnqueuer,
    private readonly postponedSchedules: PostponedSchedules,
  ) {
    this.isDue = triggers.isDue;
    this.dueInMs = triggers.dueInMs;
  }

  /** A batch begins as soon as the one before has committed, while the workers still get the wake-ups of its runs. */
  async doSome(): Promise<boolean> {
    const batches: Promise<unknown>[] = [];
    try {
      for (let count = 0; count < MAX_BATCHES; count += 1) {
        const isFull = await new Promise<boolean>((resolve, reject) => {
          batches.push(this.fireBatch(resolve).catch(reject));
        });
        if (!isFull) return false;
      }
      return true;
    } finally {
      await Promise.all(batches);
    }
  }

  /** @param committed called as soon as the batch is committed, with whether it was as large as a batch can be */
  private async fireBatch(committed: (isFull: boolean) => void): Promise<void> {
    await this.database.transaction(async (tx) => {
      const due = await this.triggers.claimDue(tx, BATCH);
      afterCommit(tx, () => {
        committed(due.length === BATCH);
      });
      if (due.length > 0) await this.fire(tx, due);
    });
  }

  private async fire(tx: Tx, due: readonly DueTrigger[]): Promise<void> {
    const settlements = new Settlements((trigger) => this.settlementOf(trigger));
    const fired = due.map((trigger) => {
      const settlement = settlements.of(trigger);
      return { trigger, settlement, runs: settlement.fires.map((instant) => runOf(trigger, instant)) };
    });
    // `acceptAll` leaves out runs of paused jobs; their instants are dropped.
    const refused = await this.enqueuer.acceptAll(
      tx,
      fired.flatMap(({ runs }) => runs),
    );
    const refusedIds = new Set(refused.map(({ id }) => id));
    const settled = fired.map(({ trigger, settlement, runs }) => {
      const accepted = runs.findIndex(({ id }) => refusedIds.has(id));
      return accepted === -1
        ? { ...trigger, ...settlement, isPostponed: false }
        : { ...trigger, ...postponed(trigger, settlement.fires, accepted) };
    });
    await this.triggers.saveSettlements(tx, settled);
    afterCommit(tx, () => {
      this.postponedSchedules.record(
        settled.filter(({ isPostponed }) => isPostponed).map(({ tenantId }) => tenantId),
      );
    });
  }

  private settlementOf(trigger: DueTrigger): Settlement {
    try {
      return settle({ ...trigger, schedule: this.scheduleOf(trigger.schedule) }, trigger.now);
    } catch (error) {
      // This machine's time zone data lacks the zone. Retrying would change nothing and would delay other triggers.
      this.logger.error(error, `trigger ${trigger.position} of job ${trigger.jobId} no longer fires`);
      return { fires: [], settledUntil: trigger.settledUntil, nextFireAt: null };
    }
  }

  private scheduleOf(expression: string): CronSchedule {
    const known = this.parsed.get(expression);
    if (known !== undefined) return known;
    const schedule = CronSchedule.parse(expression);
    this.parsed.set(expression, schedule);
    return schedule;
  }
}

/**
 * The settlements of triggers that were claimed at one time. Schedules that many people write, such as each full hour,
 * are computed once for all triggers that have fired equally far.
 */
class Settlements {
  private readonly known = new Map<string, Settlement>();

  constructor(private readonly compute: (trigger: DueTrigger) => Settlement) {}

  of(trigger: DueTrigger): Settlement {
    const { schedule, timezone, misfire, settledUntil, nextFireAt } = trigger;
    const key = JSON.stringify([schedule, timezone, misfire, settledUntil, nextFireAt]);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const settlement = this.compute(trigger);
    this.known.set(key, settlement);
    return settlement;
  }
}

/**
 * Keeps the trigger due from the first instant without a run. Once the quota allows it, its instants are settled like
 * those of a time without a scheduler, according to the trigger's `misfire`.
 */
function postponed(
  { settledUntil }: DueTrigger,
  fires: readonly Date[],
  accepted: number,
): Pick<SettledTrigger, 'settledUntil' | 'nextFireAt' | 'isPostponed'> {
  return {
    settledUntil: fires[accepted - 1] ?? settledUntil,
    nextFireAt: fires[accepted] ?? null,
    isPostponed: true,
  };
}

function runOf(trigger: Omit<DueTrigger, 'nextFireAt'>, instant: Date): NewRun {
  const { tenantId, jobId, position, schedule, timezone, payload } = trigger;
  return {
    id: newRunId(),
    tenantId,
    jobId,
    trigger: { type: 'cron', position, schedule, timezone },
    payload,
    priority: null,
    delayMs: 0,
    runAt: null,
    scheduledFor: instant,
    retryOf: null,
    traceParent: null,
  };
}
