import type { Client } from '../../support/client.js';
import type { OpenDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';

export interface EventRun extends Record<string, unknown> {
  id: string;
  job_id: string;
  trigger: { type: string; event: { type: string; id: string } };
  body: {
    type: string;
    id: string;
    occurred_at: string;
    tenant: string;
    data: Record<string, unknown>;
  };
}

/** The runs that events set going, oldest first. */
export async function eventRuns(database: OpenDatabase, tenantId: string): Promise<EventRun[]> {
  return await database.query<EventRun>(
    `SELECT id, job_id, trigger, payload AS body FROM runs
     WHERE tenant_id = $1 AND trigger ->> 'type' = 'event' AND retry_of IS NULL ORDER BY created_at, id`,
    [tenantId],
  );
}

/** The runs once nothing waits in the outbox any more. */
export async function settledRuns(database: OpenDatabase, tenantId: string): Promise<EventRun[]> {
  await until(async () => (await database.query('SELECT FROM tenant_events LIMIT 1')).length === 0);
  return await eventRuns(database, tenantId);
}

/** A job whose handler is `listener`, with event triggers. */
export function listener(
  id: string,
  triggers: readonly Record<string, unknown>[],
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const declared = triggers.map((trigger) => ({ type: 'event', ...trigger }));
  return { id, name: id, handler: 'listener', triggers: declared, ...more };
}

export function job(id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, name: id, handler: id, ...more };
}

export async function register(client: Client, ...jobs: Record<string, unknown>[]): Promise<void> {
  const { status, body } = await client.post('/jobs/v1/jobs', { jobs });
  if (status !== 200) throw new Error(`registering answered ${status}: ${JSON.stringify(body)}`);
}
