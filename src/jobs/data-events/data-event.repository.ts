import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { OneStatement, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../platform/http/index.js';

/** A change of a row that sets a job going. */
export interface DataEvent {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly table: string;
  readonly event: string;
  /** The body for the handler, as JSON text: numbers keep their digits. */
  readonly payload: string;
}

/** Bodies that are in memory at one time, about. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** @param which in SQL: the ids of events that this transaction holds, as `chosen` */
function takeStatement(which: string): string {
  return `
    WITH ${which}
    DELETE FROM data_events AS event USING chosen WHERE event.id = chosen.id
    RETURNING event.id, tenant_id AS "tenantId", job_id AS "jobId", table_name AS table, event.event,
      (jsonb_build_object(
         'type', event.event, 'table', table_name, 'record', record, 'old_record', old_record,
         'occurred_at', to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
       || CASE WHEN omitted IS NULL THEN '{}'
               ELSE jsonb_build_object('omitted', (SELECT jsonb_agg(DISTINCT name) FROM unnest(omitted) AS name))
          END)::text AS payload`;
}

const TAKE_OLDEST = takeStatement(`locked AS (
    SELECT id, bytes FROM data_events WHERE refusal IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
  ), chosen AS (
    SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM locked) AS summed
    WHERE before < ${BATCH_BYTES}
  )`);

const TAKE_HELD = takeStatement('chosen AS (SELECT $1::bigint AS id)');

/** The outbox of row changes. */
@Injectable()
export class DataEventRepository {
  /**
   * Takes events out, the oldest first; others may take at the same time, and each event goes to one. An event
   * is found whenever its writer commits, whatever its number: nothing remembers a last one seen.
   */
  async take(tx: Tx, limit: number): Promise<DataEvent[]> {
    return await rows<DataEvent>(tx, TAKE_OLDEST, [limit]);
  }

  /** The oldest event that nobody has in hand, held until the transaction ends; null when there is none. */
  async hold(tx: Tx): Promise<string | null> {
    const oldest = await firstRow<{ id: string }>(
      tx,
      'SELECT id FROM data_events WHERE refusal IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED',
    );
    return oldest?.id ?? null;
  }

  /** Takes out an event that this transaction holds. */
  async takeHeld(tx: Tx, id: string): Promise<DataEvent[]> {
    return await rows<DataEvent>(tx, TAKE_HELD, [id]);
  }

  /**
   * Keeps an event that cannot become a run out of the way of the others, for somebody to look at.
   * @returns false when another has it in hand, and will see for itself
   */
  async setAside(handle: OneStatement, id: string, refusal: string): Promise<boolean> {
    const found = await firstRow(
      handle,
      `UPDATE data_events SET refusal = $2
       WHERE id = (SELECT id FROM data_events WHERE id = $1 AND refusal IS NULL FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [id, refusal],
    );
    return found !== null;
  }
}
