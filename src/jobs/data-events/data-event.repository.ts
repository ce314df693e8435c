import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import { waitingOf } from '../runs/enqueue/waiting-count.repository.js';

/** A row change that triggers a job. */
export interface DataEvent {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly table: string;
  readonly event: string;
  /** The request body for the handler, as JSON text, so that numbers keep their digits. */
  readonly payload: string;
}

/** Approximate limit for the bodies that are in memory at a time. */
const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * Marks events that wait because their tenant has reached a quota of waiting runs. A partial index contains this text
 * too.
 */
export const WAITS_FOR_QUOTA = 'waits for room';

/** How many events of a tenant are reconsidered at a time. */
const RESUMED = 500;

/** In SQL: an upper estimate of the payload length of an event's run. */
function weightOf(event: string): string {
  return `2 * ${event}.bytes::bigint + 512`;
}

/** In SQL: each tenant with postponed events, found by skipping from entry to entry in the index. */
const WITH_POSTPONED = `
  postponed_tenant AS (
    (SELECT tenant_id FROM data_events WHERE refusal = '${WAITS_FOR_QUOTA}' ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT event.tenant_id FROM data_events event
            WHERE refusal = '${WAITS_FOR_QUOTA}' AND event.tenant_id > last.tenant_id ORDER BY event.tenant_id LIMIT 1)
    FROM postponed_tenant last WHERE last.tenant_id IS NOT NULL
  )`;

/** How much a tenant may have waiting; a very large number means no limit. */
export interface WaitingQuota {
  readonly runs: number;
  readonly bytes: number;
}

/** The events taken from the outbox, and whether others were postponed because of a quota. */
export interface TakenEvents {
  readonly events: readonly DataEvent[];
  readonly hasPostponed: boolean;
}

/** In SQL: removes the events of a query from the outbox and returns them. */
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

/** Takes the oldest events whose tenants have quota left, up to a batch, and postpones the others. */
const TAKE_OLDEST = `
  WITH locked AS (
    SELECT id, tenant_id, bytes FROM data_events WHERE refusal IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
  ), tenant AS (
    SELECT involved.tenant_id, waiting.runs, waiting.bytes FROM (SELECT DISTINCT tenant_id FROM locked) AS involved
    CROSS JOIN LATERAL (${waitingOf('involved.tenant_id')}) AS waiting
  ), weighed AS (
    SELECT locked.id, locked.bytes, tenant.runs + count(*) OVER before <= $2::bigint
           AND tenant.bytes + sum(${weightOf('locked')}) OVER before <= $3::bigint AS fits_quota
    FROM locked JOIN tenant USING (tenant_id)
    WINDOW before AS (PARTITION BY locked.tenant_id ORDER BY locked.id ROWS UNBOUNDED PRECEDING)
  ), postponed AS (
    UPDATE data_events SET refusal = '${WAITS_FOR_QUOTA}' FROM weighed
    WHERE data_events.id = weighed.id AND NOT fits_quota
  ), taken AS (
    ${takeOut(`SELECT id FROM (
      SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM weighed WHERE fits_quota
    ) AS summed WHERE before < ${BATCH_BYTES}`)}
  )
  SELECT taken.* FROM weighed LEFT JOIN taken ON taken.id = weighed.id
  WHERE taken.id IS NOT NULL OR NOT weighed.fits_quota`;

const TAKE_HELD = takeOut('SELECT $1::bigint AS id');

/** Resumes the oldest postponed events of each tenant, as far as its quota allows. */
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
   * Takes the oldest events and postpones those whose tenants have no quota left. Several callers may take
   * concurrently; each event goes to one of them. An event is found whenever its writer commits, whatever its id,
   * because no position is remembered.
   */
  async take(tx: Tx, limit: number, quota: WaitingQuota): Promise<TakenEvents> {
    const found = await rows<DataEvent | { readonly id: null }>(tx, TAKE_OLDEST, [
      limit,
      quota.runs,
      quota.bytes,
    ]);
    const events = found.flatMap((event) => (event.id === null ? [] : [event]));
    return { events, hasPostponed: events.length < found.length };
  }

  /** Resumes events that were postponed because of a quota. */
  async resume(tx: Tx, quota: WaitingQuota): Promise<void> {
    await rows(tx, RESUME, [quota.runs, quota.bytes]);
  }

  /** An SQL expression: whether there are events to take, including postponed ones whose tenants have quota again. */
  isDue(quota: WaitingQuota): string {
    // Not EXISTS: after a large change, EXISTS would read rows deleted since then, which min(id) skips by the index.
    return `((SELECT min(id) IS NOT NULL FROM data_events WHERE refusal IS NULL) OR EXISTS (
      WITH RECURSIVE ${WITH_POSTPONED}
      SELECT FROM postponed_tenant CROSS JOIN LATERAL (${waitingOf('postponed_tenant.tenant_id')}) AS waiting
      WHERE tenant_id IS NOT NULL AND runs < ${quota.runs} AND bytes < ${quota.bytes}))`;
  }

  /**
   * Locks the oldest event that nobody else has locked, until the transaction ends. Returns null when there is none.
   */
  async hold(tx: Tx): Promise<string | null> {
    const oldest = await firstRow<{ id: string }>(
      tx,
      'SELECT id FROM data_events WHERE refusal IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED',
    );
    return oldest?.id ?? null;
  }

  /** Takes an event that this transaction has locked. */
  async takeHeld(tx: Tx, id: string): Promise<DataEvent[]> {
    return await rows<DataEvent>(tx, TAKE_HELD, [id]);
  }

  /**
   * Sets aside an event that cannot become a run, for an operator to look at, so that it does not block the others.
   * @returns false when another instance has locked the event and will handle it itself
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
