import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import type { EventType } from '../../tenancy/index.js';

/** One event of one trigger. */
export interface ListenedEvent {
  readonly jobId: string;
  /** Index of the trigger within its job. */
  readonly position: number;
  readonly event: EventType;
  /** The only jobs whose events count; null for all, and for events that concern no job. */
  readonly onlyJobs: readonly string[] | null;
}

/** Which jobs listen to which events. What happens looks here, in its own transaction, who listens. */
@Injectable()
export class EventTriggerRepository {
  /** Replaces the triggers of these jobs. */
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
           "jobId" text, position integer, event text, "onlyJobs" text[])
       ), gone AS (
         DELETE FROM event_triggers gone
         WHERE gone.tenant_id = $1 AND gone.job_id = ANY ($2::text[]) AND NOT EXISTS (
           SELECT FROM wanted WHERE wanted."jobId" = gone.job_id AND wanted.position = gone.position
             AND wanted.event = gone.event)
       )
       INSERT INTO event_triggers AS known (tenant_id, event, job_id, position, only_jobs)
       SELECT $1, event, "jobId", position, "onlyJobs" FROM wanted
       ON CONFLICT (tenant_id, event, job_id, position) DO UPDATE SET only_jobs = EXCLUDED.only_jobs
       WHERE known.only_jobs IS DISTINCT FROM EXCLUDED.only_jobs`,
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
