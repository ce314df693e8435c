import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { rows } from '../../../platform/database/index.js';
import type { AutoCommit, Reader } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import { bucketInSql, mergedInSql } from './histogram.js';

/** What happened in one interval, or in a part of it. */
export interface StatsPart {
  /** The start of the interval, in milliseconds since 1970. */
  readonly at: number;
  readonly accepted: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Elements of histograms, or null. */
  readonly durations: readonly number[] | null;
  readonly waits: readonly number[] | null;
  /** Milliseconds, or null. */
  readonly durationsMs: readonly number[] | null;
  readonly waitsMs: readonly number[] | null;
}

/** Runs in a time. */
export interface Throughput {
  readonly accepted: number;
  readonly ended: number;
}

/** Changes per roll-up: few enough that none takes long. */
export const ROLL_UP_BATCH = 500;

const EPOCH = `timestamptz '2000-01-01T00:00:00Z'`;

function binned(minutes: string, at: string): string {
  return `date_bin(make_interval(mins => ${minutes}), ${at}, ${EPOCH})`;
}

/**
 * The figures of changes up to the line $1. Two roll-ups cannot deadlock, since the second finds the progress locked and takes nothing.
 * The progress and the addition are in this statement: whatever happens to the process, each change is added once.
 */
const ROLL_UP = `
  WITH progress AS (
    SELECT last_line FROM run_stats_progress FOR UPDATE SKIP LOCKED
  ), taken AS MATERIALIZED (
    SELECT last_line FROM run_changes
    WHERE last_line > (SELECT last_line FROM progress) AND last_line <= $1 ORDER BY last_line LIMIT ${ROLL_UP_BATCH}
  ), moved AS (
    UPDATE run_stats_progress SET last_line = (SELECT max(last_line) FROM taken) WHERE EXISTS (SELECT FROM taken)
  ), figure AS MATERIALIZED (
    SELECT *, ${binned('1', 'at')} AS minute FROM figures_of_changes WHERE last_line IN (SELECT last_line FROM taken)
  ), happened AS (
    SELECT tenant_id, job_id, minute, sum(accepted) AS accepted, sum(completed) AS completed, sum(failed) AS failed,
           sum(cancelled) AS cancelled
    FROM figure GROUP BY 1, 2, 3
  ), bucket AS (
    SELECT tenant_id, job_id, minute, is_wait, ${bucketInSql('time.ms')} AS number, count(*) AS runs
    FROM figure CROSS JOIN LATERAL (VALUES (duration_ms, false), (wait_ms, true)) AS time (ms, is_wait)
    WHERE time.ms IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5
  ), part AS (
    SELECT tenant_id, scope.job_id, unit.minutes, ${binned('unit.minutes', 'minute')} AS at,
           sum(accepted) AS accepted, sum(completed) AS completed, sum(failed) AS failed, sum(cancelled) AS cancelled
    FROM happened CROSS JOIN LATERAL (VALUES (happened.job_id), ('')) AS scope (job_id)
      CROSS JOIN (VALUES (1), (60), (1440)) AS unit (minutes)
    GROUP BY 1, 2, 3, 4
  ), counted AS (
    SELECT tenant_id, scope.job_id, unit.minutes, ${binned('unit.minutes', 'minute')} AS at, is_wait,
           (sum(runs)::bigint << 8) | number AS element
    FROM bucket CROSS JOIN LATERAL (VALUES (bucket.job_id), ('')) AS scope (job_id)
      CROSS JOIN (VALUES (1), (60), (1440)) AS unit (minutes)
    GROUP BY 1, 2, 3, 4, 5, number
  ), histogram AS (
    SELECT tenant_id, job_id, minutes, at, array_agg(element) FILTER (WHERE NOT is_wait) AS durations,
           array_agg(element) FILTER (WHERE is_wait) AS waits
    FROM counted GROUP BY tenant_id, job_id, minutes, at
  ), added AS (
    INSERT INTO run_stats AS stats (tenant_id, job_id, minutes, at, accepted, completed, failed, cancelled, durations, waits)
    SELECT tenant_id, job_id, minutes, at, accepted, completed, failed, cancelled, coalesce(durations, '{}'),
           coalesce(waits, '{}')
    FROM part LEFT JOIN histogram USING (tenant_id, job_id, minutes, at)
    ORDER BY tenant_id, job_id, minutes, at
    ON CONFLICT (tenant_id, job_id, minutes, at) DO UPDATE SET
      accepted = stats.accepted + EXCLUDED.accepted, completed = stats.completed + EXCLUDED.completed,
      failed = stats.failed + EXCLUDED.failed, cancelled = stats.cancelled + EXCLUDED.cancelled,
      durations = ${mergedInSql('SELECT unnest(stats.durations || EXCLUDED.durations)')},
      waits = ${mergedInSql('SELECT unnest(stats.waits || EXCLUDED.waits)')}
  )
  SELECT count(*)::int AS taken FROM taken`;

/** Stats of runs, by tenant and job. */
@Injectable()
export class RunStatsRepository {
  /** Whether changes wait for the roll-up, as an SQL expression. A clock that was set back makes some lie in the future. */
  readonly isDue: string;

  constructor(@Inject(CONFIG) { timing }: Config) {
    this.isDue = `coalesce((
      SELECT at < now() - interval '${timing.runs.statsPendingSecs} s' OR at > now() FROM run_changes
      WHERE last_line > (SELECT last_line FROM run_stats_progress) ORDER BY last_line LIMIT 1
    ), false)`;
  }

  /**
   * Adds the figures of changes to the stats. Several instances may try at once. Returns how many changes it took.
   * @param settled up to which line no change will come to light any more
   */
  async rollUp(handle: AutoCommit, settled: bigint): Promise<number> {
    return (await rows<{ taken: number }>(handle, ROLL_UP, [settled]))[0]?.taken ?? 0;
  }

  /** How many runs of each of these tenants were accepted, and have ended, in the last hour; none of tenants without any. */
  async lastHour(reader: Reader, tenantIds: readonly TenantId[]): Promise<Map<TenantId, Throughput>> {
    const found = await rows<Throughput & { tenantId: TenantId }>(
      reader,
      `SELECT tenant_id AS "tenantId", sum(accepted)::float8 AS accepted, sum(completed + failed + cancelled)::float8 AS ended
       FROM (
         SELECT tenant_id, accepted, completed, failed, cancelled FROM run_stats
         WHERE tenant_id = ANY ($1) AND job_id = '' AND minutes = 1 AND at > now() - interval '1 hour'
         UNION ALL
         SELECT tenant_id, accepted, completed, failed, cancelled FROM figures_of_changes
         WHERE tenant_id = ANY ($1) AND last_line > (SELECT last_line FROM run_stats_progress)
       ) happened
       GROUP BY tenant_id`,
      [tenantIds],
    );
    return new Map(found.map(({ tenantId, accepted, ended }) => [tenantId, { accepted, ended }]));
  }

  /**
   * What happened from `since` on and before `until`, rolled up or pending, read in one snapshot.
   *
   * @param jobId null for all jobs
   * @param minutes the length of the intervals; `unit` is that of the rows to read
   */
  async parts(
    reader: Reader,
    tenantId: TenantId,
    jobId: string | null,
    { since, until, minutes, unit }: { since: Date; until: Date; minutes: number; unit: number },
  ): Promise<StatsPart[]> {
    const at = `(extract(epoch FROM ${binned('$6::int', 'at')}) * 1000)::float8 AS at`;
    return await rows<StatsPart>(
      reader,
      `SELECT ${at}, accepted::float8, completed::float8, failed::float8, cancelled::float8,
              to_json(durations) AS durations, to_json(waits) AS waits, NULL::json AS "durationsMs", NULL::json AS "waitsMs"
       FROM run_stats WHERE tenant_id = $1 AND job_id = coalesce($2, '') AND minutes = $3 AND at >= $4 AND at < $5
       UNION ALL
       SELECT ${at}, sum(accepted), sum(completed), sum(failed), sum(cancelled), NULL, NULL,
              json_agg(duration_ms) FILTER (WHERE duration_ms IS NOT NULL), json_agg(wait_ms) FILTER (WHERE wait_ms IS NOT NULL)
       FROM figures_of_changes
       WHERE tenant_id = $1 AND last_line > (SELECT last_line FROM run_stats_progress)
         AND ($2::text IS NULL OR job_id = $2) AND at >= $4 AND at < $5
       GROUP BY 1`,
      [tenantId, jobId, unit, since, until, minutes],
    );
  }
}
