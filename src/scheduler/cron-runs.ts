import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RunEnqueuer } from '../jobs/index.js';
import type { NewRun } from '../jobs/index.js';
import { afterCommit, Database } from '../platform/database/index.js';
import { CronSchedule } from './cron/index.js';
import { CronTriggerRepository } from './cron-trigger.repository.js';
import type { DueTrigger, SettledTrigger } from './cron-trigger.repository.js';
import type { DueWork } from './scheduler-tick.js';
import { PostponedSchedules } from './postponed-schedules.js';
import { settle } from './settlement.js';
import type { Settlement } from './settlement.js';
import { newRunId } from '../jobs/index.js';

const BATCH = 500;
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
  private readonly logger = new Logger(CronRuns.name);
  private readonly parsed = new LRUCache<string, CronSchedule>({ max: PARSED_SCHEDULES });

  constructor(
    private readonly database: Database,
    private readonly triggers: CronTriggerRepository,
    private readonly enqueuer: RunEnqueuer,
    private readonly postponedSchedules: PostponedSchedules,
  ) {
    this.isDue = triggers.isDue;
  }

  async doSome(): Promise<boolean> {
    return await this.database.transaction(async (tx) => {
      const due = await this.triggers.claimDue(tx, BATCH);
      if (due.length === 0) return false;
      const fired = due.map((trigger) => {
        const settlement = this.settlementOf(trigger);
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
      await this.triggers.settle(tx, settled);
      afterCommit(tx, () => {
        this.postponedSchedules.record(
          settled.filter(({ isPostponed }) => isPostponed).map(({ tenantId }) => tenantId),
        );
      });
      return due.length === BATCH;
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
    delayMs: 0,
    scheduledFor: instant,
    retryOf: null,
    traceParent: null,
  };
}
