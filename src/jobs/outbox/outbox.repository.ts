import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';

/** What a row of an outbox becomes: a run of one job. */
export interface OutboxEvent {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  /** The request body for the handler, as JSON text, so that numbers keep their digits. */
  readonly payload: string;
}

/** Approximate limit for the bodies that are in memory at a time. */
const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * Marks events that wait because their tenant has reached a quota of waiting runs. A partial index of each outbox
 * contains this text too.
 */
export const WAITS_FOR_QUOTA = 'waits for room';

/** How many events of a tenant are reconsidered at a time. */
const RESUMED = 500;

/** In SQL: an upper estimate of the payload length of an event's run. */
function weightOf(event: string): string {
  return `2 * ${event}.bytes::bigint + 512`;
}

/** In SQL: a query that returns one row, `runs` and `bytes`: what of a tenant waits for its first attempt. */
function waitingOf(tenantId: string): string {
  return `SELECT coalesce(sum(queued), 0) AS runs, coalesce(sum(queued_bytes), 0) AS bytes FROM tenant_queues
    WHERE tenant_queues.tenant_id = ${tenantId}`;
}

/** In SQL: each tenant with postponed events, found by skipping from entry to entry in the index. */
function withPostponed(table: string): string {
  return `
  postponed_tenant AS (
    (SELECT tenant_id FROM ${table} WHERE refusal = '${WAITS_FOR_QUOTA}' ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT event.tenant_id FROM ${table} event
            WHERE refusal = '${WAITS_FOR_QUOTA}' AND event.tenant_id > last.tenant_id ORDER BY event.tenant_id LIMIT 1)
    FROM postponed_tenant last WHERE last.tenant_id IS NOT NULL
  )`;
}

/** A table of events that wait to become runs. */
export interface Outbox {
  /**
   * With `id`, in the order of which events are taken, `tenant_id`, `bytes`, and `refusal`: null until the event is
   * postponed or set aside. Partial indexes find the events without a refusal by `id`, and the postponed ones by tenant.
   */
  readonly table: string;
  /** In SQL: the columns of `Event`, of the row `event`. */
  readonly columns: string;
}

/** How much a tenant may have waiting; a very large number means no limit. */
export interface WaitingQuota {
  readonly runs: number;
  readonly bytes: number;
}

/** The events taken from the outbox, and whether others were postponed because of a quota. */
export interface TakenEvents<Event> {
  readonly events: readonly Event[];
  readonly hasPostponed: boolean;
}

/** In SQL: removes the events of a query from the outbox and returns them. */
function takeOut({ table, columns }: Outbox, chosen: string): string {
  return `
    DELETE FROM ${table} AS event USING (${chosen}) AS chosen WHERE event.id = chosen.id
    RETURNING ${columns}`;
}

/** Takes the oldest events whose tenants have quota left, up to a batch, and postpones the others. */
function takeOldest(outbox: Outbox): string {
  const { table } = outbox;
  return `
  WITH locked AS (
    SELECT id, tenant_id, bytes FROM ${table} WHERE refusal IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
  ), tenant AS (
    SELECT involved.tenant_id, waiting.runs, waiting.bytes FROM (SELECT DISTINCT tenant_id FROM locked) AS involved
    CROSS JOIN LATERAL (${waitingOf('involved.tenant_id')}) AS waiting
  ), weighed AS (
    SELECT locked.id, locked.bytes, tenant.runs + count(*) OVER before <= $2::bigint
           AND tenant.bytes + sum(${weightOf('locked')}) OVER before <= $3::bigint AS fits_quota
    FROM locked JOIN tenant USING (tenant_id)
    WINDOW before AS (PARTITION BY locked.tenant_id ORDER BY locked.id ROWS UNBOUNDED PRECEDING)
  ), postponed AS (
    UPDATE ${table} SET refusal = '${WAITS_FOR_QUOTA}' FROM weighed
    WHERE ${table}.id = weighed.id AND NOT fits_quota
  ), taken AS (
    ${takeOut(
      outbox,
      `SELECT id FROM (
      SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM weighed WHERE fits_quota
    ) AS summed WHERE before < ${BATCH_BYTES}`,
    )}
  )
  SELECT taken.* FROM weighed LEFT JOIN taken ON taken.id = weighed.id
  WHERE taken.id IS NOT NULL OR NOT weighed.fits_quota`;
}

/** Resumes the oldest postponed events of each tenant, as far as its quota allows. */
function resume(table: string): string {
  return `
  WITH RECURSIVE ${withPostponed(table)}
  UPDATE ${table} SET refusal = NULL
  FROM postponed_tenant CROSS JOIN LATERAL (${waitingOf('postponed_tenant.tenant_id')}) AS waiting
  CROSS JOIN LATERAL (
    SELECT id FROM (
      SELECT id, count(*) OVER before AS runs, sum(${weightOf('event')}) OVER before AS bytes
      FROM (
        SELECT * FROM ${table}
        WHERE refusal = '${WAITS_FOR_QUOTA}' AND ${table}.tenant_id = postponed_tenant.tenant_id
        ORDER BY id LIMIT ${RESUMED}
      ) AS event
      WINDOW before AS (ORDER BY id ROWS UNBOUNDED PRECEDING)
    ) AS oldest
    WHERE waiting.runs + oldest.runs <= $1::bigint AND waiting.bytes + oldest.bytes <= $2::bigint
  ) AS resumed
  WHERE ${table}.id = resumed.id AND refusal = '${WAITS_FOR_QUOTA}'`;
}

/** Events that wait to become runs, each in exactly one. */
export abstract class OutboxRepository<Event extends OutboxEvent> {
  private readonly table: string;
  private readonly takeOldest: string;
  private readonly takeOne: string;
  private readonly resumption: string;

  protected constructor(outbox: Outbox) {
    this.table = outbox.table;
    this.takeOldest = takeOldest(outbox);
    this.takeOne = takeOut(outbox, 'SELECT $1::bigint AS id');
    this.resumption = resume(outbox.table);
  }

  /**
   * Takes the oldest events and postpones those whose tenants have no quota left. Several callers may take
   * concurrently; each event goes to one of them. An event is found whenever its writer commits, whatever its id,
   * because no position is remembered.
   */
  async take(tx: Tx, limit: number, quota: WaitingQuota): Promise<TakenEvents<Event>> {
    const found = await rows<Event | { readonly id: null }>(tx, this.takeOldest, [
      limit,
      quota.runs,
      quota.bytes,
    ]);
    const events = found.flatMap((event) => (isEvent(event) ? [event] : []));
    return { events, hasPostponed: events.length < found.length };
  }

  /** Resumes events that were postponed because of a quota. */
  async resume(tx: Tx, quota: WaitingQuota): Promise<void> {
    await rows(tx, this.resumption, [quota.runs, quota.bytes]);
  }

  /** An SQL expression: whether there are events to take, including postponed ones whose tenants have quota again. */
  isDue(quota: WaitingQuota): string {
    // Not EXISTS: after a large change, EXISTS would read rows deleted since then, which min(id) skips by the index.
    return `((SELECT min(id) IS NOT NULL FROM ${this.table} WHERE refusal IS NULL) OR EXISTS (
      WITH RECURSIVE ${withPostponed(this.table)}
      SELECT FROM postponed_tenant CROSS JOIN LATERAL (${waitingOf('postponed_tenant.tenant_id')}) AS waiting
      WHERE tenant_id IS NOT NULL AND runs < ${quota.runs} AND bytes < ${quota.bytes}))`;
  }

  /**
   * Locks the oldest event that nobody else has locked, until the transaction ends. Returns null when there is none.
   */
  async lockOldest(tx: Tx): Promise<string | null> {
    const oldest = await firstRow<{ id: string }>(
      tx,
      `SELECT id FROM ${this.table} WHERE refusal IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    return oldest?.id ?? null;
  }

  /** Takes an event that this transaction has locked. */
  async takeLocked(tx: Tx, id: string): Promise<Event[]> {
    return await rows<Event>(tx, this.takeOne, [id]);
  }

  /**
   * Sets aside an event that cannot become a run, for an operator to look at, so that it does not block the others.
   * @returns false when another instance has locked the event and will handle it itself
   */
  async setAside(handle: AutoCommit, id: string, refusal: string): Promise<boolean> {
    const found = await firstRow(
      handle,
      `UPDATE ${this.table} SET refusal = $2
       WHERE id = (SELECT id FROM ${this.table} WHERE id = $1 AND refusal IS NULL FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [id, refusal],
    );
    return found !== null;
  }
}

/** The statement returns a row without an id for an event that it postponed. */
function isEvent<Event extends OutboxEvent>(row: Event | { readonly id: null }): row is Event {
  return row.id !== null;
}
