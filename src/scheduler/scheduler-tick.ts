import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { newId } from '../platform/crypto/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { Database, firstRow, rows } from '../platform/database/index.js';
import { RepeatedTask } from '../platform/lifecycle/index.js';
import type { Duty } from '../platform/lifecycle/index.js';

/** How late a tick may be before the scheduler counts as stopped: three intervals, and room for a slow statement. */
const GRACE_INTERVALS = 3;
const GRACE_MS = 2000;

/** The scheduler's beat: it says in the database that a scheduler is at work. */
@Injectable()
export class SchedulerTick implements Duty {
  readonly name = 'scheduler';
  private readonly id = newId();
  private readonly task: RepeatedTask;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    registry: SchedulerRegistry,
  ) {
    this.task = new RepeatedTask(registry, 'scheduler tick', config.jobs.schedulerIntervalMs, () =>
      this.tick(),
    );
  }

  async start(): Promise<void> {
    await this.tick();
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
    await rows(this.database.oneStatement, 'DELETE FROM schedulers WHERE id = $1', [this.id]);
  }

  /** Whether some scheduler of the deployment ticked lately. */
  async tickedLately(): Promise<boolean> {
    const lateMs = GRACE_INTERVALS * this.config.jobs.schedulerIntervalMs + GRACE_MS;
    const found = await firstRow(
      this.database.reader,
      'SELECT FROM schedulers WHERE ticked_at > now() - make_interval(secs => $1::float8 / 1000) LIMIT 1',
      [lateMs],
    );
    return found !== null;
  }

  private async tick(): Promise<void> {
    await rows(
      this.database.oneStatement,
      'INSERT INTO schedulers (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET ticked_at = now()',
      [this.id],
    );
  }
}
