import { Injectable } from '@nestjs/common';
import type { CronTriggerDto, JobTriggers, DeclaredTrigger, TriggerKind } from '../jobs/index.js';
import type { Tx } from '../platform/database/index.js';
import type { FieldProblems, TenantId } from '../http/index.js';
import { TimeSlice } from '../platform/lifecycle/index.js';
import { CronSchedule, InvalidScheduleError, isTimeZone, nextInstants } from './cron/index.js';
import { CronTriggerRepository } from './cron-trigger.repository.js';
import type { CronTrigger, KnownTriggers } from './cron-trigger.repository.js';

/** Cron triggers (contract section 7), as manifests declare them. */
@Injectable()
export class CronTriggers implements TriggerKind<CronTriggerDto> {
  readonly type = 'cron';

  constructor(private readonly triggers: CronTriggerRepository) {}

  async findProblems(
    _tx: Tx,
    _tenantId: TenantId,
    triggers: readonly DeclaredTrigger<Partial<CronTriggerDto> & { type: 'cron' }>[],
    problems: FieldProblems,
  ): Promise<void> {
    await mapYielding(triggers, ({ path, definition }) => {
      addProblems(problems, path, definition);
    });
  }

  /**
   * Keeps the state of triggers whose schedule and time zone are unchanged. Every other trigger starts now, but after
   * the last instant for which its job has fired, so that neither a past instant nor the instant of the edit fires
   * again.
   */
  async apply(tx: Tx, tenantId: TenantId, jobs: readonly JobTriggers<CronTriggerDto>[]): Promise<void> {
    const jobIds = jobs.map(({ jobId }) => jobId);
    const declared = jobs.flatMap(({ triggers }) => triggers);
    const known = await this.triggers.lockTriggers(tx, tenantId, jobIds);
    if (declared.length === 0 && known.triggers.length === 0) return;
    const progress = new Progress(known);
    const wanted = await mapYielding(declared, (trigger) => progress.stateOf(trigger));
    await this.triggers.replace(tx, tenantId, jobIds, wanted);
  }
}

type KnownTrigger = KnownTriggers['triggers'][number];

/** Finds the state that a registration keeps for triggers that it does not change. */
class Progress {
  private readonly bySchedule = new Map<string, KnownTrigger[]>();
  private readonly settledOfJob = new Map<string, Date>();

  constructor(private readonly known: KnownTriggers) {
    for (const trigger of known.triggers) {
      const key = scheduleKey(trigger.jobId, trigger.schedule, trigger.timezone);
      const identical = this.bySchedule.get(key) ?? [];
      identical.push(trigger);
      this.bySchedule.set(key, identical);
      const settled = this.settledOfJob.get(trigger.jobId) ?? known.now;
      this.settledOfJob.set(trigger.jobId, trigger.settledUntil > settled ? trigger.settledUntil : settled);
    }
  }

  /** The state of a declared trigger: that of an identical trigger, each used once, or a new one. */
  stateOf({ jobId, position, definition }: DeclaredTrigger<CronTriggerDto>): CronTrigger {
    const { schedule, timezone = 'UTC', misfire = 'once', payload } = definition;
    const declared = { jobId, position, schedule, timezone, misfire, payload: payload?.text ?? '{}' };
    const identical = this.bySchedule.get(scheduleKey(jobId, schedule, timezone))?.shift();
    // A trigger that stopped because a machine could not compute its next instant starts over.
    if (identical !== undefined && identical.nextFireAt !== null) {
      return { ...declared, settledUntil: identical.settledUntil, nextFireAt: identical.nextFireAt };
    }
    const settledUntil = this.settledOfJob.get(jobId) ?? this.known.now;
    const [nextFireAt = null] = nextInstants(CronSchedule.parse(schedule), timezone, settledUntil, 1);
    return { ...declared, settledUntil, nextFireAt };
  }
}

function scheduleKey(jobId: string, schedule: string, timezone: string): string {
  return JSON.stringify([jobId, schedule, timezone]);
}

function addProblems(
  problems: FieldProblems,
  path: string,
  { schedule, timezone }: Partial<CronTriggerDto>,
): void {
  const problem = schedule === undefined ? null : scheduleProblem(schedule);
  if (problem !== null) problems.add(`${path}.schedule`, problem);
  if (timezone !== undefined && !isTimeZone(timezone))
    problems.add(
      `${path}.timezone`,
      'must be the name of an IANA time zone, such as Europe/Berlin, and no abbreviation or offset',
    );
}

function scheduleProblem(schedule: string): string | null {
  try {
    CronSchedule.parse(schedule);
    return null;
  } catch (error) {
    if (error instanceof InvalidScheduleError) return error.message;
    throw error;
  }
}

/** Yields between items: a manifest may contain thousands of schedules, and each one takes about a millisecond. */
async function mapYielding<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const slice = new TimeSlice();
  const results: Result[] = [];
  for (const item of items) {
    await slice.yieldIfSpent();
    results.push(work(item));
  }
  return results;
}
