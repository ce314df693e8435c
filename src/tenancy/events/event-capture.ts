import { rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { TenantEvent } from './event-types.js';

/**
 * How many events may follow from each other: a handler that an event called causes the next one with its run token. A
 * further one has no listeners, so that two handlers cannot call each other for ever.
 */
export const MAX_DEPTH = 10;

/**
 * In SQL: an INSERT for a WITH clause that captures events, in the transaction in which they happen, for each trigger
 * that listens to them. Where none does, it inserts nothing. It locks nothing.
 *
 * @param happened a query with `tenant_id`, `event_id`, `event`, `subject_job` (null for an event that concerns no job)
 *   and `origin`, the part of a run's trigger that says which events led to it, of the run that caused the event
 * @param data an expression over the columns of `happened`: the data of the event, as `jsonb`
 */
export function captureEvents(happened: string, data: string): string {
  return `INSERT INTO tenant_events (tenant_id, job_id, event_id, event, data, depth, follows_run_event, bytes, occurred_at)
    SELECT tenant_id, job_id, event_id, event, data, depth, follows_run_event, octet_length(data::text), now()
    FROM (
      SELECT happened.tenant_id, listener.job_id, happened.event_id, happened.event, ${data} AS data,
             coalesce((happened.origin ->> 'depth')::int, 0) + 1 AS depth,
             coalesce((happened.origin ->> 'run_event')::boolean, false) AS follows_run_event
      FROM (${happened} OFFSET 0) happened CROSS JOIN LATERAL (
        SELECT trigger.job_id FROM event_triggers trigger
        WHERE trigger.tenant_id = happened.tenant_id AND trigger.event = happened.event
          AND (trigger.only_jobs IS NULL OR happened.subject_job = ANY (trigger.only_jobs))
          AND (SELECT NOT paused FROM jobs WHERE jobs.tenant_id = trigger.tenant_id AND jobs.id = trigger.job_id)
        OFFSET 0
      ) listener
      OFFSET 0
    ) captured
    WHERE depth <= ${MAX_DEPTH}`;
}

/** An event, and in which tenant it happened. */
export interface HappenedEvent extends TenantEvent {
  readonly id: string;
  /** Null for an event of an account: it happened in the account's realm, which is a project or no tenant. */
  readonly tenantId: string | null;
  readonly userId: string | null;
  /** The run whose handler caused it, with its run token. */
  readonly runId: string | null;
}

/**
 * In SQL: as `captureEvents`, for those that a parameter has.
 * @param parameter what `happenedParameter` gives
 */
export function captureGiven(parameter: string): string {
  return captureEvents(
    `SELECT coalesce(given.tenant_id, account.realm_id) AS tenant_id, given.id AS event_id, given.type AS event,
            given.job_id AS subject_job, given.data, causing.trigger -> 'origin' AS origin
     FROM jsonb_to_recordset(${parameter}::jsonb) AS given (
       id uuid, type text, tenant_id uuid, user_id uuid, run_id text, job_id text, data jsonb)
     LEFT JOIN users account ON account.id = given.user_id
     LEFT JOIN runs causing ON causing.id = given.run_id`,
    'happened.data',
  );
}

export function happenedParameter(events: readonly HappenedEvent[]): string {
  return JSON.stringify(
    events.map(({ id, type, tenantId, userId, runId, jobId, data }) => ({
      id,
      type,
      tenant_id: tenantId,
      user_id: tenantId === null ? userId : null,
      run_id: runId,
      job_id: jobId ?? null,
      data,
    })),
  );
}

const CAPTURE = captureGiven('$1');

/** Captures events in the transaction in which they happen. */
export async function captureAll(tx: Tx, events: readonly HappenedEvent[]): Promise<void> {
  if (events.length > 0) await rows(tx, CAPTURE, [happenedParameter(events)]);
}
