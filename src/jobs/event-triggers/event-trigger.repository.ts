import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import { WAITS_UNTIL_DUE } from '../../tenancy/index.js';
import type { EventType } from '../../tenancy/index.js';

/** One event of one trigger. */
export interface ListenedEvent {
  readonly jobId: string;
  /** Index of the trigger within its job. */
  readonly position: number;
  readonly event: EventType;
  /** The only jobs whose events count; null for all, and for events that concern no job. */
  readonly onlyJobs: readonly string[] | null;
  /** How long after the event its run is due; null for at once. */
  readonly afterMs: number | null;
  /** The events about the same subject that undo the run until then; null for none. */
  readonly unless: readonly EventType[] | null;
}

/** Which jobs listen to which events. What happens looks here, in its own transaction, who listens. */
@Injectable()
export class EventTriggerRepository {
  /**
   * Replaces the triggers of these jobs. Events that wait for a trigger that is gone are forgotten. They stay if it, or one that is
   * new in its place, has `after_ms` too.
   */
  async replace(
    tx: Tx,
    tenantId: TenantId,
    jobIds: readonly string[],
    listened: readonly ListenedEvent[],
  ): Promise<void> {
    // Unchanged rows stay: a deployment changes few of them, and whatever happens meanwhile reads them.
    await rows(
      tx,
      `WITH wanted AS (
         SELECT * FROM jsonb_to_recordset($3::jsonb) AS wanted (
           "jobId" text, position integer, event text, "onlyJobs" text[], "afterMs" bigint, unless text[])
       ), gone AS (
         DELETE FROM event_triggers gone
         WHERE gone.tenant_id = $1 AND gone.job_id = ANY ($2::text[]) AND NOT EXISTS (
           SELECT FROM wanted WHERE wanted."jobId" = gone.job_id AND wanted.position = gone.position
             AND wanted.event = gone.event)
       ), forgotten AS (
         DELETE FROM tenant_events later
         WHERE later.tenant_id = $1 AND later.job_id = ANY ($2::text[]) AND later.refusal = '${WAITS_UNTIL_DUE}'
           AND NOT EXISTS (
             SELECT FROM wanted
             WHERE wanted."jobId" = later.job_id AND wanted.event = later.event AND wanted."afterMs" IS NOT NULL
               AND (
                 later.due_at = later.occurred_at + make_interval(secs => wanted."afterMs"::float8 / 1000)
                   AND later.unless IS NOT DISTINCT FROM wanted.unless
                   AND (wanted."onlyJobs" IS NULL OR substr(later.subject, 5) = ANY (wanted."onlyJobs"))
                 OR NOT EXISTS (
                   SELECT FROM event_triggers known
                   WHERE known.tenant_id = $1 AND known.job_id = wanted."jobId" AND known.event = wanted.event
                     AND (known.after_ms, known.unless, known.only_jobs)
                       IS NOT DISTINCT FROM (wanted."afterMs", wanted.unless, wanted."onlyJobs"))))
       )
       INSERT INTO event_triggers AS known (tenant_id, event, job_id, position, only_jobs, after_ms, unless)
       SELECT $1, event, "jobId", position, "onlyJobs", "afterMs", unless FROM wanted
       ON CONFLICT (tenant_id, event, job_id, position) DO UPDATE SET
         only_jobs = EXCLUDED.only_jobs, after_ms = EXCLUDED.after_ms, unless = EXCLUDED.unless
       WHERE (known.only_jobs, known.after_ms, known.unless)
         IS DISTINCT FROM (EXCLUDED.only_jobs, EXCLUDED.after_ms, EXCLUDED.unless)`,
      [tenantId, jobIds, JSON.stringify(listened)],
    );
  }

  /** An event that more than so many triggers of the tenant listen to; null for none. */
  async firstEventOfMore(tx: Tx, tenantId: TenantId, most: number): Promise<EventType | null> {
    const found = await firstRow<{ event: EventType }>(
      tx,
      'SELECT event FROM event_triggers WHERE tenant_id = $1 GROUP BY event HAVING count(*) > $2 LIMIT 1',
      [tenantId, most],
    );
    return found?.event ?? null;
  }
}
