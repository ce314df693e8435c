import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../platform/http/index.js';
import { waitingOf } from '../runs/enqueue/waiting-count.repository.js';

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

/** Why an event waits whose tenant has as many waiting runs as it may have. An index of them names it too. */
export const WAITS_FOR_QUOTA = 'waits for room';

/** At most so many events of a tenant are looked at again at one time. */
const RESUMED = 500;

/** In SQL: how long the payload of an event's run will be, as far as can be told, and rather too much. */
function weightOf(event: string): string {
  return `2 * ${event}.bytes::bigint + 512`;
}

/** In SQL: each tenant with events that wait for room, from index entry to index entry. */
const WITH_POSTPONED = `
  postponed_tenant AS (
    (SELECT tenant_id FROM data_events WHERE refusal = '${WAITS_FOR_QUOTA}' ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT event.tenant_id FROM data_events event
            WHERE refusal = '${WAITS_FOR_QUOTA}' AND event.tenant_id > last.tenant_id ORDER BY event.tenant_id LIMIT 1)
    FROM postponed_tenant last WHERE last.tenant_id IS NOT NULL
  )`;

/** How much of a tenant may wait; a very large number where that is not limited. */
export interface Room {
  readonly runs: number;
  readonly bytes: number;
}

/** What was taken out of the outbox, and whether events were set aside until their tenants have room. */
export interface TakenEvents {
  readonly events: readonly DataEvent[];
  readonly hasPostponed: boolean;
}

/** In SQL: takes out the events of a query by their ids. */
function takeOut(chosen: string): string {
  return `
    DELETE FROM data_events AS event USING (${chosen}) AS chosen WHERE event.id = chosen.id
    RETURNING event.id, tenant_id AS "tenantId", job_id AS "jobId", table_name AS table, event.event,
      (jsonb_build_object(
         'type', event.event, 'table', table_name, 'record', record, 'old_record', old_record,
         'occurred_at', to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
       || CASE WHEN omitted IS NULL THEN '{}'
               ELSE jsonb_build_object('omitted', (SELECT jsonb_agg(DISTINCT name) FROM unnest(omitted) AS name))
          END)::text AS payload`;
}

/** The oldest events: those whose tenants have room for them, up to a batch, and of the others that there are some. */
const TAKE_OLDEST = `
  WITH locked AS (
    SELECT id, tenant_id, bytes FROM data_events WHERE refusal IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
  ), tenant AS (
    SELECT involved.tenant_id, waiting.runs, waiting.bytes FROM (SELECT DISTINCT tenant_id FROM locked) AS involved
    CROSS JOIN LATERAL (${waitingOf('involved.tenant_id')}) AS waiting
  ), weighed AS (
    SELECT locked.id, locked.bytes, tenant.runs + count(*) OVER before <= $2::bigint
           AND tenant.bytes + sum(${weightOf('locked')}) OVER before <= $3::bigint AS has_room
    FROM locked JOIN tenant USING (tenant_id)
    WINDOW before AS (PARTITION BY locked.tenant_id ORDER BY locked.id ROWS UNBOUNDED PRECEDING)
  ), postponed AS (
    UPDATE data_events SET refusal = '${WAITS_FOR_QUOTA}' FROM weighed
    WHERE data_events.id = weighed.id AND NOT has_room
  ), taken AS (
    ${takeOut(`SELECT id FROM (
      SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM weighed WHERE has_room
    ) AS summed WHERE before < ${BATCH_BYTES}`)}
  )
  SELECT taken.* FROM weighed LEFT JOIN taken ON taken.id = weighed.id
  WHERE taken.id IS NOT NULL OR NOT weighed.has_room`;

const TAKE_HELD = takeOut('SELECT $1::bigint AS id');

/** Lets the oldest of each tenant's events that wait for room have another look, as far as there is room. */
const RESUME = `
  WITH RECURSIVE ${WITH_POSTPONED}
  UPDATE data_events SET refusal = NULL
  FROM postponed_tenant CROSS JOIN LATERAL (${waitingOf('postponed_tenant.tenant_id')}) AS waiting
  CROSS JOIN LATERAL (
    SELECT id FROM (
      SELECT id, count(*) OVER before AS runs, sum(${weightOf('event')}) OVER before AS bytes
      FROM (
        SELECT * FROM data_events
        WHERE refusal = '${WAITS_FOR_QUOTA}' AND data_events.tenant_id = postponed_tenant.tenant_id
        ORDER BY id LIMIT ${RESUMED}
      ) AS event
      WINDOW before AS (ORDER BY id ROWS UNBOUNDED PRECEDING)
    ) AS oldest
    WHERE waiting.runs + oldest.runs <= $1::bigint AND waiting.bytes + oldest.bytes <= $2::bigint
  ) AS resumed
  WHERE data_events.id = resumed.id AND refusal = '${WAITS_FOR_QUOTA}'`;

/** The outbox of row changes. */
@Injectable()
export class DataEventRepository {
  /**
   * Takes events out, the oldest first, and sets those aside that their tenants have no room for; others may take at the same time, and each event goes to one. An event
   * is found whenever its writer commits, whatever its number: nothing remembers a last one seen.
   */
  async take(tx: Tx, limit: number, room: Room): Promise<TakenEvents> {
    const found = await rows<DataEvent | { readonly id: null }>(tx, TAKE_OLDEST, [
      limit,
      room.runs,
      room.bytes,
    ]);
    const events = found.flatMap((event) => (event.id === null ? [] : [event]));
    return { events, hasPostponed: events.length < found.length };
  }

  /** Gives events another chance that were set aside until their tenants have room. */
  async resume(tx: Tx, room: Room): Promise<void> {
    await rows(tx, RESUME, [room.runs, room.bytes]);
  }

  /** Whether there are events to take, as an SQL expression; also those whose tenants have room by now. */
  isDue(room: Room): string {
    // Not EXISTS: after a large change that would read the rows deleted since, where the index leads past them.
    return `((SELECT min(id) IS NOT NULL FROM data_events WHERE refusal IS NULL) OR EXISTS (
      WITH RECURSIVE ${WITH_POSTPONED}
      SELECT FROM postponed_tenant CROSS JOIN LATERAL (${waitingOf('postponed_tenant.tenant_id')}) AS waiting
      WHERE tenant_id IS NOT NULL AND runs < ${room.runs} AND bytes < ${room.bytes}))`;
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
  async setAside(handle: AutoCommit, id: string, refusal: string): Promise<boolean> {
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
