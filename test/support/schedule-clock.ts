import type { OpenDatabase } from './database.js';
import { until } from './until.js';

/** Controls the clock of schedules: it stands still until a test sets it. */
export class ScheduleClock {
  private constructor(
    private readonly database: Pick<OpenDatabase, 'query'>,
    private at: Date,
  ) {}

  static async takeOver(database: Pick<OpenDatabase, 'query'>, at: string): Promise<ScheduleClock> {
    await database.query('CREATE TABLE service.schedule_clock (at timestamptz NOT NULL)');
    await database.query('INSERT INTO schedule_clock VALUES ($1)', [at]);
    await database.query(
      `CREATE OR REPLACE FUNCTION service.service_now() RETURNS timestamptz LANGUAGE sql STABLE
       AS 'SELECT at FROM schedule_clock'`,
    );
    return new ScheduleClock(database, new Date(at));
  }

  get now(): Date {
    return this.at;
  }

  async set(at: string | Date): Promise<void> {
    this.at = new Date(at);
    await this.database.query('UPDATE schedule_clock SET at = $1', [this.at]);
  }

  async advance(milliseconds: number): Promise<void> {
    await this.set(new Date(this.at.getTime() + milliseconds));
  }

  /** Waits until the schedulers have fired everything that is due. */
  async settled(limitMs?: number): Promise<void> {
    await until(async () => {
      const due = await this.database.query(
        'SELECT FROM cron_triggers WHERE next_fire_at <= service_now() LIMIT 1',
      );
      return due.length === 0;
    }, limitMs);
  }
}
