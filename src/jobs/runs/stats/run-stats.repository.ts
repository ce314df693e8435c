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

/** Pending rows per roll-up: few enough that none takes long. */
export const ROLL_UP_BATCH = 5000;

const EPOCH = `timestamptz '2000-01-01T00:00:00Z'`;

function binned(minutes: string, at: string): string {
  return `date_bin(make_interval(mins => ${minutes}), ${at}, ${EPOCH})`;
}

/**
 * Rows are locked in the order of their keys, so that two roll-ups do not deadlock. Both the deletion and the addition
 * are in this statement: whatever happens to the process, each row is added once.
 */
const ROLL_UP = `
  WITH taken AS (
    DELETE FROM run_stats_pending WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM run_stats_pending ORDER BY at LIMIT ${ROLL_UP_BATCH} FOR UPDATE SKIP LOCKED
    )) RETURNING *
  ), part AS (
    SELECT tenant_id, scope.job_id, unit.minutes, ${binned('unit.minutes', 'at')} AS at,
           sum(accepted) AS accepted, sum(completed) AS completed, sum(failed) AS failed, sum(cancelled) AS cancelled
    FROM taken CROSS JOIN LATERAL (VALUES (taken.job_id), ('')) AS scope (job_id)
      CROSS JOIN (VALUES (1), (60), (1440)) AS unit (minutes)
    GROUP BY 1, 2, 3, 4
  ), counted AS (
    SELECT tenant_id, scope.job_id, unit.minutes, ${binned('unit.minutes', 'at')} AS at, time.is_wait,
           (count(*) << 8) | ${bucketInSql('time.ms')} AS element
    FROM taken
      CROSS JOIN LATERAL (
        SELECT unnest(durations_ms) AS ms, false AS is_wait UNION ALL SELECT unnest(waits_ms), true
      ) time
      CROSS JOIN LATERAL (VALUES (taken.job_id), ('')) AS scope (job_id)
      CROSS JOIN (VALUES (1), (60), (1440)) AS unit (minutes)
    GROUP BY 1, 2, 3, 4, 5, ${bucketInSql('time.ms')}
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
  /** Whether rows wait for the roll-up, as an SQL expression. A clock that was set back makes some lie in the future. */
  readonly isDue: string;

  constructor(@Inject(CONFIG) { timing }: Config) {
    const pending = `${timing.runs.statsPendingSecs} s`;
    this.isDue = `EXISTS (SELECT FROM run_stats_pending WHERE at < now() - interval '${pending}' OR at > now())`;
  }

  /** Adds pending rows to the stats. Several instances may do so at once. Returns how many rows it added. */
  async rollUp(handle: AutoCommit): Promise<number> {
    return (await rows<{ taken: number }>(handle, ROLL_UP))[0]?.taken ?? 0;
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
       SELECT ${at}, accepted, completed, failed, cancelled, NULL, NULL, to_json(durations_ms), to_json(waits_ms)
       FROM run_stats_pending WHERE tenant_id = $1 AND ($2::text IS NULL OR job_id = $2) AND at >= $4 AND at < $5`,
      [tenantId, jobId, unit, since, until, minutes],
    );
  }
}
