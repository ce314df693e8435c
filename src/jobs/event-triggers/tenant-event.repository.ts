import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { WAITS_UNTIL_DUE } from '../../tenancy/index.js';
import type { EventType } from '../../tenancy/index.js';
import { OutboxRepository } from '../outbox/index.js';
import type { OutboxEvent, WaitingQuota } from '../outbox/index.js';

/** An event of a tenant, for one trigger that listens to it. */
export interface CapturedEvent extends OutboxEvent {
  /** The same for all triggers that listen to the event. */
  readonly eventId: string;
  readonly event: EventType;
  /** How many events led to it, itself included. */
  readonly depth: number;
  /** Whether a run that the end of a run led to has caused it. */
  readonly followsRunEvent: boolean;
}

/**
 * A batch at a time, so that many that are due at once do not hold up one statement; with new ids, so that they do not go before
 * what has happened since. What was undone, or has no trigger any more, is dropped.
 */
const DUE = `
  WITH due AS MATERIALIZED (
    SELECT * FROM tenant_events WHERE refusal = '${WAITS_UNTIL_DUE}' AND due_at <= now()
    ORDER BY due_at LIMIT 500 FOR UPDATE SKIP LOCKED
  ), wanted AS MATERIALIZED (
    SELECT due.id FROM due
    WHERE NOT EXISTS (SELECT FROM undone_events WHERE undone_events.id = due.id)
      AND EXISTS (
        SELECT FROM event_triggers trigger
        WHERE trigger.tenant_id = due.tenant_id AND trigger.event = due.event AND trigger.job_id = due.job_id
          AND trigger.after_ms IS NOT NULL)
  ), dropped AS (
    DELETE FROM tenant_events WHERE id IN (SELECT id FROM due EXCEPT SELECT id FROM wanted)
  ), forgotten_marks AS (
    DELETE FROM undone_events WHERE ctid IN (
      SELECT ctid FROM undone_events
      WHERE NOT EXISTS (SELECT FROM tenant_events WHERE tenant_events.id = undone_events.id) FOR UPDATE SKIP LOCKED)
  )
  UPDATE tenant_events SET refusal = NULL, id = DEFAULT WHERE id IN (SELECT id FROM wanted)`;

/** The outbox of what happens in tenants. The rows are inserted by `captureEvents` of `tenancy`. */
@Injectable()
export class TenantEventRepository extends OutboxRepository<CapturedEvent> {
  constructor() {
    super({
      table: 'tenant_events',
      columns: `event.id, tenant_id AS "tenantId", job_id AS "jobId", event_id AS "eventId", event.event, depth,
      follows_run_event AS "followsRunEvent",
      jsonb_build_object(
        'type', event.event, 'id', event_id, 'tenant', tenant_id, 'data', data,
        'occurred_at', to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text AS payload`,
    });
  }

  /** Also those that are due by now. */
  override isDue(quota: WaitingQuota): string {
    return `(${super.isDue(quota)} OR coalesce((
      SELECT min(due_at) <= now() FROM tenant_events WHERE refusal = '${WAITS_UNTIL_DUE}'), false))`;
  }

  override async resume(tx: Tx, quota: WaitingQuota): Promise<void> {
    await rows(tx, DUE);
    await super.resume(tx, quota);
  }
}
