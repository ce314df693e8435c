import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { firstRow, rows } from '../platform/database/index.js';
import type { Reader, Tx } from '../platform/database/index.js';
import type { TenantId } from '../http/index.js';

/** A cron trigger of a job and how far it has fired. */
export interface CronTrigger {
  readonly jobId: string;
  /** Index within the job's triggers. */
  readonly position: number;
  readonly schedule: string;
  readonly timezone: string;
  readonly misfire: 'once' | 'skip';
  /** JSON text. */
  readonly payload: string;
  readonly settledUntil: Date;
  readonly nextFireAt: Date | null;
}

export type DueTrigger = CronTrigger & {
  readonly tenantId: TenantId;
  readonly nextFireAt: Date;
  readonly now: Date;
};

/** The new state of a trigger after it was settled. */
export interface SettledTrigger {
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly position: number;
  readonly settledUntil: Date;
  readonly nextFireAt: Date | null;
  /** Whether to skip the trigger for a while although it is due. */
  readonly isPostponed: boolean;
}

export interface KnownTriggers {
  readonly now: Date;
  readonly triggers: readonly Pick<
    CronTrigger,
    'jobId' | 'schedule' | 'timezone' | 'settledUntil' | 'nextFireAt'
  >[];
}

export interface ShownTriggers {
  readonly now: Date;
  readonly triggers: readonly Pick<CronTrigger, 'position' | 'schedule' | 'timezone'>[];
}

/** A trigger as the calendar needs it. */
export interface CalendarTrigger extends Pick<
  CronTrigger,
  'jobId' | 'position' | 'schedule' | 'timezone' | 'settledUntil' | 'nextFireAt'
> {
  /** Whether the job is paused. */
  readonly paused: boolean;
}

/** In SQL: whether a trigger is due. */
const IS_DUE = `next_fire_at <= service_now() AND (postponed_until IS NULL OR postponed_until <= service_now())`;

/** Reads and writes `cron_triggers`, by the clock `service_now()`. */
@Injectable()
export class CronTriggerRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Whether a trigger is due, as an SQL expression. */
  readonly isDue = `EXISTS (SELECT FROM cron_triggers WHERE ${IS_DUE})`;
  /** The milliseconds until the next trigger that is not due yet will be, as an SQL expression. */
  readonly dueInMs = `(SELECT extract(epoch FROM next_fire_at - service_now())::float8 * 1000 FROM cron_triggers
                       WHERE next_fire_at > service_now() ORDER BY next_fire_at LIMIT 1)`;

  /**
   * Claims due triggers that no other scheduler has locked, until the transaction ends. Those of a tenant come together, since
   * the lock of each tenant costs more than a run.
   */
  async claimDue(tx: Tx, limit: number): Promise<DueTrigger[]> {
    return await rows<DueTrigger>(
      tx,
      `SELECT tenant_id AS "tenantId", job_id AS "jobId", position, schedule, timezone, misfire,
              payload::text AS payload, settled_until AS "settledUntil", next_fire_at AS "nextFireAt",
              service_now() AS now
       FROM cron_triggers WHERE ${IS_DUE}
       ORDER BY next_fire_at, tenant_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [limit],
    );
  }

  async saveSettlements(tx: Tx, triggers: readonly SettledTrigger[]): Promise<void> {
    await rows(
      tx,
      `UPDATE cron_triggers SET
         settled_until = settled.until, next_fire_at = settled.next,
         postponed_until = CASE WHEN is_postponed THEN service_now() + make_interval(secs => $7) END
       FROM unnest($1::uuid[], $2::text[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::boolean[])
            AS settled (tenant_id, job_id, position, until, next, is_postponed)
       WHERE cron_triggers.tenant_id = settled.tenant_id AND cron_triggers.job_id = settled.job_id
         AND cron_triggers.position = settled.position`,
      [
        triggers.map(({ tenantId }) => tenantId),
        triggers.map(({ jobId }) => jobId),
        triggers.map(({ position }) => position),
        triggers.map(({ settledUntil }) => settledUntil),
        triggers.map(({ nextFireAt }) => nextFireAt),
        triggers.map(({ isPostponed }) => isPostponed),
        this.config.timing.scheduler.postponedSecs,
      ],
    );
  }

  /**
   * Returns the present triggers of these jobs and locks them until the transaction ends, so that none of them fires.
   */
  async lockTriggers(tx: Tx, tenantId: TenantId, jobIds: readonly string[]): Promise<KnownTriggers> {
    const triggers = await rows<KnownTriggers['triggers'][number]>(
      tx,
      `SELECT job_id AS "jobId", schedule, timezone, settled_until AS "settledUntil", next_fire_at AS "nextFireAt"
       FROM cron_triggers WHERE tenant_id = $1 AND job_id = ANY($2::text[])
       ORDER BY job_id, position FOR UPDATE`,
      [tenantId, jobIds],
    );
    const clock = await firstRow<{ now: Date }>(tx, 'SELECT service_now() AS now');
    return { now: clock?.now ?? new Date(), triggers };
  }

  /** Replaces all triggers of these jobs. */
  async replace(
    tx: Tx,
    tenantId: TenantId,
    jobIds: readonly string[],
    triggers: readonly CronTrigger[],
  ): Promise<void> {
    await rows(
      tx,
      `WITH wanted AS (
         SELECT * FROM json_to_recordset($3::json) AS wanted (
           "jobId" text, position integer, schedule text, timezone text, misfire text, payload text,
           "settledUntil" timestamptz, "nextFireAt" timestamptz)
       ), gone AS (
         DELETE FROM cron_triggers gone
         WHERE gone.tenant_id = $1 AND gone.job_id = ANY($2::text[]) AND NOT EXISTS (
           SELECT FROM wanted WHERE wanted."jobId" = gone.job_id AND wanted.position = gone.position)
       )
       INSERT INTO cron_triggers (tenant_id, job_id, position, schedule, timezone, misfire, payload,
                                  settled_until, next_fire_at)
       SELECT $1, "jobId", position, schedule, timezone, misfire, payload::json, "settledUntil", "nextFireAt"
       FROM wanted
       ON CONFLICT (tenant_id, job_id, position) DO UPDATE SET
         schedule = EXCLUDED.schedule, timezone = EXCLUDED.timezone, misfire = EXCLUDED.misfire,
         payload = EXCLUDED.payload, settled_until = EXCLUDED.settled_until,
         next_fire_at = EXCLUDED.next_fire_at`,
      [tenantId, jobIds, JSON.stringify(triggers)],
    );
  }

  /** Returns the triggers of a job in order, with the current time; null when the job does not exist. */
  async ofJob(handle: Reader, tenantId: TenantId, jobId: string): Promise<ShownTriggers | null> {
    const found = await rows<{ now: Date; position: number | null; schedule: string; timezone: string }>(
      handle,
      `SELECT service_now() AS now, position, schedule, timezone
       FROM jobs LEFT JOIN cron_triggers ON cron_triggers.tenant_id = jobs.tenant_id AND job_id = jobs.id
       WHERE jobs.tenant_id = $1 AND jobs.id = $2 ORDER BY position`,
      [tenantId, jobId],
    );
    const [first] = found;
    if (first === undefined) return null;
    const triggers = found.flatMap(({ position, schedule, timezone }) =>
      position === null ? [] : [{ position, schedule, timezone }],
    );
    return { now: first.now, triggers };
  }

  /**
   * Returns the triggers of a tenant, or of one of its jobs, with the current time.
   * @param jobId null for all jobs
   */
  async ofTenant(
    handle: Reader,
    tenantId: TenantId,
    jobId: string | null,
  ): Promise<{ now: Date; triggers: CalendarTrigger[] }> {
    const triggers = await rows<CalendarTrigger & { now: Date }>(
      handle,
      `SELECT job_id AS "jobId", position, schedule, timezone, settled_until AS "settledUntil",
              next_fire_at AS "nextFireAt", jobs.paused, service_now() AS now
       FROM cron_triggers JOIN jobs ON jobs.tenant_id = cron_triggers.tenant_id AND jobs.id = job_id
       WHERE cron_triggers.tenant_id = $1 AND ($2::text IS NULL OR job_id = $2) ORDER BY job_id, position`,
      [tenantId, jobId],
    );
    return { now: triggers[0]?.now ?? new Date(), triggers };
  }
}
