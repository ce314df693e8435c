import { Injectable } from '@nestjs/common';
import type { EventType } from '../../tenancy/index.js';
import { OutboxRepository } from '../outbox/index.js';
import type { OutboxEvent } from '../outbox/index.js';

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
}
