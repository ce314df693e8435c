import { Injectable } from '@nestjs/common';
import { OutboxRepository } from '../outbox/index.js';
import type { OutboxEvent } from '../outbox/index.js';

/** A row change that triggers a job. */
export interface DataEvent extends OutboxEvent {
  readonly table: string;
  readonly event: string;
}

/**
 * The outbox of row changes. An event is found whenever its writer commits, whatever its id, because no position is
 * remembered.
 */
@Injectable()
export class DataEventRepository extends OutboxRepository<DataEvent> {
  constructor() {
    super({
      table: 'data_events',
      columns: `event.id, tenant_id AS "tenantId", job_id AS "jobId", table_name AS table, event.event,
      (jsonb_build_object(
         'type', event.event, 'table', table_name, 'record', record, 'old_record', old_record,
         'occurred_at', to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
       || CASE WHEN omitted IS NULL THEN '{}'
               ELSE jsonb_build_object('omitted', (SELECT jsonb_agg(DISTINCT name) FROM unnest(omitted) AS name))
          END)::text AS payload`,
    });
  }
}
