import { Injectable } from '@nestjs/common';
import { InjectMetric } from '@willsoto/nestjs-prometheus';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Database } from '../../../platform/database/index.js';
import type { EndedRun } from '../model/run.js';
import { RunRepository } from '../model/run.repository.js';
import { FINAL_STATUSES, isFinal } from '../model/run-status.js';

export const RUNS_TOTAL = 'service_jobs_runs_total';
export const QUEUE_DEPTH = 'service_jobs_queue_depth';
export const RUN_DURATION = 'service_jobs_run_duration_seconds';

@Injectable()
export class RunMetrics {
  constructor(
    @InjectMetric(RUNS_TOTAL) private readonly total: Counter,
    @InjectMetric(QUEUE_DEPTH) private readonly depth: Gauge,
    @InjectMetric(RUN_DURATION) private readonly duration: Histogram,
    private readonly database: Database,
    private readonly runs: RunRepository,
  ) {
    for (const status of FINAL_STATUSES) this.total.inc({ status }, 0);
  }

  /** Counts a run that reached a final status on this instance. */
  ended(run: EndedRun): void {
    if (!isFinal(run.status)) return;
    this.total.inc({ status: run.status });
    if (run.seconds !== null) this.duration.observe(run.seconds);
  }

  /** Sets the gauge to the deployment's queue depth, or to NaN while the database is unavailable. */
  async measureDepth(): Promise<void> {
    this.depth.set(await this.runs.countDue(this.database.reader).catch(() => Number.NaN));
  }
}
