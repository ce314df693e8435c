import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../support/client.js';
import { registerJobs } from '../../support/runs.js';
import { ScheduleClock } from '../../support/schedule-clock.js';
import type { Backlog } from './backlog.js';
import type { Deployment } from './deployment.js';
import type { CronInstant } from './history.js';

const START = Date.parse('2026-03-29T00:30:00Z');
const MINUTE_MS = 60_000;
/** Less than what makes an instant a missed one, so none is left out however long a fault lasts. */
const STEP_MS = 20_000;
/** Between two steps. */
const PACE_MS = 250;
/** As long as no scheduler is left and the database is away. */
const SETTLED_WITHIN_MS = 60_000;
const JOB = 'scheduled';
/** Each fires every minute; clocks change in three of the zones meanwhile or soon. */
const TRIGGERS = [
  { schedule: '* * * * *' },
  { schedule: '*/1 * * * *', timezone: 'Europe/Berlin' },
  { schedule: '0-59 * * * *', timezone: 'Australia/Lord_Howe' },
  { schedule: '0-30,31-59 * * * 0-7', timezone: 'America/New_York' },
];

/** Schedules that fire while things die, by a clock that goes on as soon as they have. */
export class CronHours {
  private readonly fired: CronInstant[] = [];
  private isOver = false;
  private loop: Promise<void> = Promise.resolve();

  private constructor(
    private readonly clock: ScheduleClock,
    private readonly backlog: Backlog,
  ) {}

  static async begin(deployment: Deployment, tenant: Client, backlog: Backlog): Promise<CronHours> {
    const clock = await ScheduleClock.takeOver(deployment.postgres, new Date(START).toISOString());
    const hours = new CronHours(clock, backlog);
    await registerJobs(tenant, { [JOB]: { triggers: TRIGGERS.map((own) => ({ type: 'cron', ...own })) } });
    hours.loop = hours.run();
    // It is awaited at the end; a failure before that is not to go unhandled.
    hours.loop.catch(() => undefined);
    return hours;
  }

  /** Every instant that has come. */
  get instants(): readonly CronInstant[] {
    return this.fired;
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      await wait(PACE_MS);
      if (this.backlog.isLong) continue;
      await this.clock.advance(STEP_MS);
      if (this.clock.now.getTime() % MINUTE_MS === 0) {
        const at = this.clock.now.toISOString();
        this.fired.push(...TRIGGERS.map((_, position) => ({ jobId: JOB, position, at })));
      }
      await this.clock.settled(SETTLED_WITHIN_MS);
    }
  }
}
