import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RunEnqueuer } from '../jobs/index.js';
import type { NewRun } from '../jobs/index.js';
import { newRunId } from '../platform/crypto/index.js';
import { Database } from '../platform/database/index.js';
import { CronSchedule } from './cron/index.js';
import { CronTriggerRepository } from './cron-trigger.repository.js';
import type { DueTrigger, SettledTrigger } from './cron-trigger.repository.js';
import type { DueWork } from './due-triggers.js';
import { settle } from './settlement.js';
import type { Settlement } from './settlement.js';

const BATCH = 500;
/** Parsing costs as much as stepping, and most triggers come back every so often; some kilobytes each. */
const PARSED_SCHEDULES = 1000;

/**
 * Makes runs of due cron triggers. Claiming a trigger, adding its runs and settling it are one transaction: of
 * any number of schedulers, whichever dies and whenever, each instant has exactly one run.
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
      // Runs of paused jobs are left out there: their instants are dropped.
      const refused = await this.enqueuer.acceptAll(
        tx,
        fired.flatMap(({ runs }) => runs),
      );
      const refusedIds = new Set(refused.map(({ id }) => id));
      await this.triggers.settle(
        tx,
        fired.map(({ trigger, settlement, runs }) => {
          const accepted = runs.findIndex(({ id }) => refusedIds.has(id));
          return accepted === -1
            ? { ...trigger, ...settlement, isPostponed: false }
            : { ...trigger, ...postponed(trigger, settlement.fires, accepted) };
        }),
      );
      if (refused.length > 0)
        this.logger.warn(
          `${refused.length} instants of schedules wait: their tenants have as many waiting runs as limits allow`,
        );
      return due.length === BATCH;
    });
  }

  private settlementOf(trigger: DueTrigger): Settlement {
    try {
      return settle({ ...trigger, schedule: this.scheduleOf(trigger.schedule) }, trigger.now);
    } catch (error) {
      // A zone that this machine's data does not have: waiting changes nothing, and others must not wait for it.
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
 * The trigger stays due from the first instant that has no run yet. Once there is room its instants are settled as
 * after a time without a scheduler, by the trigger's `misfire`.
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
