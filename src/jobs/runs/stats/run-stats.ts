import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { TenantId } from '../../../http/index.js';
import { Histogram } from './histogram.js';
import { ROLL_UP_BATCH, RunStatsRepository } from './run-stats.repository.js';
import type { StatsPart } from './run-stats.repository.js';

export const STATS_INTERVALS = ['1m', '5m', '1h', '1d'] as const;
export type StatsInterval = (typeof STATS_INTERVALS)[number];

/** The length of an interval in minutes, and that of the rows that it is made of. */
const INTERVALS: Readonly<Record<StatsInterval, { minutes: number; unit: number }>> = {
  '1m': { minutes: 1, unit: 1 },
  '5m': { minutes: 5, unit: 1 },
  '1h': { minutes: 60, unit: 60 },
  '1d': { minutes: 1440, unit: 1440 },
};
const MINUTE_MS = 60_000;
/** A day by minutes. */
const MAX_POINTS = 1440;
const DEFAULT_POINTS = 60;

/** What happened to the runs of a tenant in one interval. */
export interface StatsPoint {
  readonly at: Date;
  readonly accepted: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly waitP95Ms: number | null;
}

/** The stats of runs: how many were accepted and ended, how long they waited and took. */
@Injectable()
export class RunStats {
  readonly name = 'rolling up the stats of runs';
  readonly isDue: string;

  constructor(
    private readonly database: Database,
    private readonly stats: RunStatsRepository,
  ) {
    this.isDue = stats.isDue;
  }

  /** Rolls up some of the pending rows. Returns whether there may be more. */
  async doSome(): Promise<boolean> {
    return (await this.stats.rollUp(this.database.autoCommit)) === ROLL_UP_BATCH;
  }

  /**
   * One point for each interval that overlaps the time, also where nothing happened.
   *
   * @param since null for `DEFAULT_POINTS` intervals before `until`; `until` null for now
   * @throws validation_failed for more than `MAX_POINTS` intervals
   */
  async series(
    tenantId: TenantId,
    jobId: string | null,
    interval: StatsInterval,
    { since, until }: { since: Date | null; until: Date | null },
  ): Promise<StatsPoint[]> {
    const { minutes, unit } = INTERVALS[interval];
    const lengthMs = minutes * MINUTE_MS;
    const end = Math.ceil((until?.getTime() ?? Date.now()) / lengthMs) * lengthMs;
    const start =
      since === null ? end - DEFAULT_POINTS * lengthMs : Math.floor(since.getTime() / lengthMs) * lengthMs;
    const count = Math.max((end - start) / lengthMs, 0);
    if (count > MAX_POINTS)
      throw new ServiceError('validation_failed', {
        details: [
          { path: 'since', message: `must be at most ${MAX_POINTS} intervals of ${interval} before until` },
        ],
      });
    const points = new Map<number, Point>();
    for (let place = 0; place < count; place += 1) points.set(start + place * lengthMs, new Point());
    const time = { since: new Date(start), until: new Date(end), minutes, unit };
    for (const part of await this.stats.parts(this.database.reader, tenantId, jobId, time))
      points.get(part.at)?.add(part);
    return [...points].map(([at, point]) => point.shown(new Date(at)));
  }
}

class Point {
  private accepted = 0;
  private completed = 0;
  private failed = 0;
  private cancelled = 0;
  private readonly durations = new Histogram();
  private readonly waits = new Histogram();

  add(part: StatsPart): void {
    this.accepted += part.accepted;
    this.completed += part.completed;
    this.failed += part.failed;
    this.cancelled += part.cancelled;
    for (const element of part.durations ?? []) this.durations.addElement(element);
    for (const element of part.waits ?? []) this.waits.addElement(element);
    for (const ms of part.durationsMs ?? []) this.durations.addTime(ms);
    for (const ms of part.waitsMs ?? []) this.waits.addTime(ms);
  }

  shown(at: Date): StatsPoint {
    return {
      at,
      accepted: this.accepted,
      completed: this.completed,
      failed: this.failed,
      cancelled: this.cancelled,
      p50Ms: this.durations.percentile(0.5),
      p95Ms: this.durations.percentile(0.95),
      waitP95Ms: this.waits.percentile(0.95),
    };
  }
}
