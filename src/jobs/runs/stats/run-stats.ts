import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { timeSeries } from '../../../http/index.js';
import type { TenantId, TimeSeriesQuery } from '../../../http/index.js';
import { LogRepository } from '../../logs/index.js';
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
  private readonly patienceMs: number;

  constructor(
    private readonly database: Database,
    private readonly stats: RunStatsRepository,
    private readonly logs: LogRepository,
    @Inject(CONFIG) { timing }: Config,
  ) {
    this.isDue = stats.isDue;
    this.patienceMs = timing.runs.statsPatienceMs;
  }

  /** Rolls up some of the changes. Returns whether there may be more. */
  async doSome(): Promise<boolean> {
    const settled = await this.logs.settled(this.database.reader, this.patienceMs);
    if (settled === null) return false;
    return (await this.stats.rollUp(this.database.autoCommit, settled)) === ROLL_UP_BATCH;
  }

  /** One point for each interval that overlaps the time, also where nothing happened. @throws validation_failed */
  async series(
    tenantId: TenantId,
    jobId: string | null,
    interval: StatsInterval,
    time: TimeSeriesQuery,
  ): Promise<StatsPoint[]> {
    const { minutes, unit } = INTERVALS[interval];
    const { since, until, starts } = timeSeries(time, { lengthMs: minutes * MINUTE_MS, interval });
    const points = new Map(starts.map((at) => [at, new Point()]));
    const wanted = { since, until, minutes, unit };
    for (const part of await this.stats.parts(this.database.reader, tenantId, jobId, wanted))
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
