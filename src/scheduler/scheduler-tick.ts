import { Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { newId } from '../platform/crypto/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { Database, firstRow, rows } from '../platform/database/index.js';
import { RepeatedTask } from '../platform/lifecycle/index.js';
import type { BackgroundService } from '../platform/lifecycle/index.js';

/** Work that the scheduler's tick checks for, and does when some is due. */
export interface DueWork {
  readonly name: string;

  /** An SQL expression that is true when work is due. It is part of every tick, so an index must answer it. */
  readonly isDue: string;

  /**
   * An SQL expression: the milliseconds until work will be due, as far as that is known before; null otherwise. An
   * index must answer it, too.
   */
  readonly dueInMs?: string;

  /**
   * Does as much as fits into one transaction. Several schedulers may call it concurrently.
   * @returns whether there may be more
   */
  doSome(): Promise<boolean>;
}

/** How late a tick may be before the scheduler counts as stopped, besides the time for a slow statement. */
const GRACE_INTERVALS = 3;

/** Added to a wait for due work, so that the tick does not come a moment before it by the database's clock. */
const CLOCK_MARGIN_MS = 2;

/**
 * The scheduler's tick. One statement records in the database that a scheduler is alive, and checks whether any work
 * is due; a tick costs more only when there is some. Ticks never overlap. When the statement finds work that will be
 * due before the next tick, an extra tick comes at that time.
 */
@Injectable()
export class SchedulerTick implements BackgroundService {
  readonly name = 'scheduler';
  private readonly logger = new Logger(SchedulerTick.name);
  private readonly id = newId();
  private readonly task: RepeatedTask;
  private readonly work: DueWork[] = [];
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    registry: SchedulerRegistry,
  ) {
    this.task = new RepeatedTask(registry, 'scheduler tick', config.jobs.schedulerIntervalMs, () =>
      this.tick(),
    );
  }

  /** Adds work that the tick checks for. Call it before the start. */
  lookFor(work: DueWork): void {
    this.work.push(work);
  }

  async start(): Promise<void> {
    await this.beat();
    this.task.start();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.task.stop();
    await rows(this.database.autoCommit, 'DELETE FROM schedulers WHERE id = $1', [this.id]);
  }

  /** Whether any scheduler of the deployment has ticked recently. */
  async tickedLately(): Promise<boolean> {
    const lateMs =
      GRACE_INTERVALS * this.config.jobs.schedulerIntervalMs + this.config.timing.scheduler.graceMs;
    const found = await firstRow(
      this.database.reader,
      'SELECT FROM schedulers WHERE ticked_at > now() - make_interval(secs => $1::float8 / 1000) LIMIT 1',
      [lateMs],
    );
    return found !== null;
  }

  /** Sends a heartbeat between the parts of long work. Otherwise a busy scheduler would look dead. */
  private async tick(): Promise<void> {
    let { due, dueInMs } = await this.beat();
    while (due.length > 0 && !this.isStopping) {
      let isMore = false;
      for (const work of due) isMore = (await this.doSome(work)) || isMore;
      if (!isMore) return;
      ({ due, dueInMs } = await this.beat());
    }
    if (dueInMs !== null && dueInMs < this.config.jobs.schedulerIntervalMs)
      this.task.runIn(dueInMs + CLOCK_MARGIN_MS);
  }

  /** @returns the work that is due, and when the next work will be, if that is known */
  private async beat(): Promise<{ due: DueWork[]; dueInMs: number | null }> {
    const questions = this.work.map(({ isDue }, index) => `${isDue} AS "${index}"`);
    const waits = this.work.flatMap(({ dueInMs }) => (dueInMs === undefined ? [] : [dueInMs]));
    const answers = await firstRow<Record<string, boolean> & { dueInMs: number | null }>(
      this.database.autoCommit,
      `WITH beat AS (
         INSERT INTO schedulers (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET ticked_at = now()
       ), dead AS (
         DELETE FROM schedulers WHERE ticked_at < now() - interval '1 day' AND id <> $1
       )
       SELECT ${[...questions, `least(${['NULL', ...waits].join(', ')})::float8 AS "dueInMs"`].join(', ')}`,
      [this.id],
    );
    return {
      due: this.work.filter((_, index) => answers?.[String(index)] === true),
      dueInMs: answers?.dueInMs ?? null,
    };
  }

  /** A failure does not keep other work from being done; the failed work is still due at the next tick. */
  private async doSome(work: DueWork): Promise<boolean> {
    try {
      return await work.doSome();
    } catch (error) {
      this.logger.warn(error, `${work.name} failed and will be retried`);
      return false;
    }
  }
}
