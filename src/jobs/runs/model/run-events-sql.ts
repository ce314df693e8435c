import { captureEvents, RUN_EVENTS } from '../../../tenancy/index.js';
import { hasEnded } from './status-sql.js';

/** Characters of an error message that an event has. The run has all of it. */
const MAX_MESSAGE = 2000;

/**
 * In SQL: an INSERT for a WITH clause that captures the ends of runs for the jobs that listen to them. A run that the end
 * of another led to ends without an event, and so do its repetitions and its descendants.
 *
 * @param runs a WITH query with the columns of `runs`, after the statement's change
 */
export function captureEnds(runs: string): string {
  return captureEvents(
    `SELECT ended.tenant_id, gen_random_uuid() AS event_id, 'run.' || ended.status AS event, ended.job_id AS subject_job,
            ended.trigger -> 'origin' AS origin, ended.id AS run_id, ended.status, ended.trigger, ended.attempt,
            ended.retry_of, ended.error_code, ended.error_message
     FROM ${runs} ended
     WHERE ${hasEnded('ended.status')} AND (ended.trigger #>> '{origin,run_event}') IS DISTINCT FROM 'true'`,
    `jsonb_build_object(
       'run_id', happened.run_id, 'job_id', happened.subject_job, 'status', happened.status,
       'trigger', happened.trigger ->> 'type', 'attempts', happened.attempt,
       'parent_run_id', happened.trigger ->> 'run_id', 'retry_of', happened.retry_of,
       'error', CASE WHEN happened.error_code IS NOT NULL THEN jsonb_build_object(
         'code', happened.error_code, 'message', left(happened.error_message, ${MAX_MESSAGE})) END)`,
  );
}

const RUN_EVENT_LIST = RUN_EVENTS.map((event) => `'${event}'`).join(', ');

/** In SQL: whether any job of the tenant listens to the ends of runs. */
export function anyListensToEnds(tenantId: string): string {
  return `EXISTS (SELECT FROM event_triggers WHERE tenant_id = ${tenantId} AND event IN (${RUN_EVENT_LIST}) OFFSET 0)`;
}
