import { rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { subjectOf } from './event-types.js';
import type { EventType, TenantEvent } from './event-types.js';

/**
 * How many events may follow from each other: a handler that an event called causes the next one with its run token. A
 * further one has no listeners, so that two handlers cannot call each other for ever.
 */
export const MAX_DEPTH = 10;

/** An event, and in which tenant it happened. */
export interface HappenedEvent extends TenantEvent {
  readonly id: string;
  /** Null for an event of an account: it happened in the account's realm, which is a project or no tenant. */
  readonly tenantId: string | null;
  readonly userId: string | null;
  /** The run whose handler caused it, with its run token. */
  readonly runId: string | null;
}

/** Marks events of triggers with `after_ms` until they are due. Partial indexes contain this text too. */
export const WAITS_UNTIL_DUE = 'waits until it is due';

/**
 * In SQL: parts of a WITH clause that capture events, in the transaction in which they happen, for each trigger that listens
 * to them, and delete those that wait until they are due and that these events undo, the earlier ones of the same list too. Where
 * nothing listens, they change nothing. They wait for nobody: an event that somebody else has locked gets a mark.
 *
 * @param parameter what `happenedParameter` gives
 */
export function captureGiven(parameter: string): string {
  return `happened AS MATERIALIZED (
      SELECT coalesce(given.tenant_id, account.realm_id) AS tenant_id, given.id AS event_id, given.type AS event,
             given.subject, given.job_id AS subject_job, given.data, given.nth, causing.trigger -> 'origin' AS origin
      FROM ROWS FROM (jsonb_to_recordset(${parameter}::jsonb) AS (
          id uuid, type text, subject text, tenant_id uuid, user_id uuid, run_id text, job_id text, data jsonb
        )) WITH ORDINALITY AS given (id, type, subject, tenant_id, user_id, run_id, job_id, data, nth)
      LEFT JOIN users account ON account.id = given.user_id
      LEFT JOIN runs causing ON causing.id = given.run_id
    ), latest AS MATERIALIZED (
      SELECT tenant_id, subject, event, max(nth) AS nth FROM happened GROUP BY tenant_id, subject, event
    ), to_undo AS MATERIALIZED (
      SELECT later.id FROM latest JOIN tenant_events later USING (tenant_id, subject)
      WHERE later.refusal = '${WAITS_UNTIL_DUE}' AND later.unless IS NOT NULL AND later.due_at > clock_timestamp()
        AND latest.event = ANY (later.unless)
    ), undone AS (
      DELETE FROM tenant_events WHERE id IN (
        SELECT id FROM tenant_events WHERE id IN (SELECT id FROM to_undo) FOR UPDATE SKIP LOCKED
      )
      RETURNING id
    ), undone_by_mark AS (
      INSERT INTO undone_events (id) SELECT id FROM to_undo EXCEPT SELECT id FROM undone
    ), captured AS (
      INSERT INTO tenant_events (tenant_id, job_id, event_id, event, data, depth, follows_run_event, bytes, occurred_at,
                                 subject, due_at, unless, refusal)
      SELECT tenant_id, job_id, event_id, event, data, depth, follows_run_event, octet_length(data::text), now(),
             subject, now() + make_interval(secs => after_ms::float8 / 1000), unless,
             CASE WHEN after_ms IS NOT NULL THEN '${WAITS_UNTIL_DUE}' END
      FROM (
        SELECT happened.tenant_id, listener.job_id, happened.event_id, happened.event, happened.subject, happened.nth, happened.data,
               coalesce((happened.origin ->> 'depth')::int, 0) + 1 AS depth,
               coalesce((happened.origin ->> 'run_event')::boolean, false) AS follows_run_event,
               listener.after_ms, listener.unless
        FROM happened CROSS JOIN LATERAL (
          SELECT trigger.job_id, trigger.after_ms, trigger.unless FROM event_triggers trigger
          WHERE trigger.tenant_id = happened.tenant_id AND trigger.event = happened.event
            AND (trigger.only_jobs IS NULL OR happened.subject_job = ANY (trigger.only_jobs))
            AND (SELECT NOT paused FROM jobs WHERE jobs.tenant_id = trigger.tenant_id AND jobs.id = trigger.job_id)
          OFFSET 0
        ) listener
        OFFSET 0
      ) captured
      WHERE depth <= ${MAX_DEPTH} AND NOT EXISTS (
        SELECT FROM latest
        WHERE latest.tenant_id = captured.tenant_id AND latest.subject = captured.subject AND latest.nth > captured.nth
          AND latest.event = ANY (captured.unless)
      )
    )`;
}

/**
 * In SQL: whether a job of the tenant listens to such events, or waits for them with `unless`. For events that take a look to
 * know whether they have happened.
 * @param tenantId an expression
 */
export function isListenedTo(type: EventType, tenantId: string): string {
  return `EXISTS (
    SELECT FROM event_triggers trigger
    WHERE trigger.tenant_id = ${tenantId} AND (trigger.event = '${type}' OR '${type}' = ANY (trigger.unless)))`;
}

export function happenedParameter(events: readonly HappenedEvent[]): string {
  return JSON.stringify(
    events.map((event) => ({
      id: event.id,
      type: event.type,
      subject: subjectOf(event),
      tenant_id: event.tenantId,
      user_id: event.tenantId === null ? event.userId : null,
      run_id: event.runId,
      job_id: event.jobId ?? null,
      data: event.data,
    })),
  );
}

const CAPTURE = `WITH ${captureGiven('$1')} SELECT`;

/** Captures events in the transaction in which they happen. */
export async function captureAll(tx: Tx, events: readonly HappenedEvent[]): Promise<void> {
  if (events.length > 0) await rows(tx, CAPTURE, [happenedParameter(events)]);
}
