import pg from 'pg';
import type { SignedUp } from '../../support/client.js';
import { signUpOwner } from '../../support/client.js';
import type { OpenDatabase } from '../../support/database.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

/** A program that captures row changes and turns them into runs, which nobody works on. */
export class CapturingService {
  private constructor(
    readonly environment: TestEnvironment,
    readonly service: ServiceInProcess,
  ) {}

  static async start(more: Readonly<Record<string, string>> = {}): Promise<CapturingService> {
    const environment = await createEnvironment();
    await environment.deploy('take', 'export default () => Response.json({})');
    const service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api,scheduler',
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100',
      ...more,
    });
    return new CapturingService(environment, service);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.environment.dispose();
  }
}

export type Tenant = SignedUp & { orgId: string; slug: string };

export interface DataRun extends Record<string, unknown> {
  id: string;
  job_id: string;
  trigger: { type: string; table: string; event: string };
  payload: string;
  body: {
    type: string;
    table: string;
    record: Record<string, unknown> | null;
    old_record: Record<string, unknown> | null;
    occurred_at: string;
    omitted?: string[];
  };
}

/** The runs that row changes set going, oldest first. */
export async function dataRuns(database: OpenDatabase, tenantId: string): Promise<DataRun[]> {
  return await database.query<DataRun>(
    `SELECT id, job_id, trigger, payload::text AS payload, payload AS body FROM runs
     WHERE tenant_id = $1 AND trigger ->> 'type' = 'data' ORDER BY created_at, id`,
    [tenantId],
  );
}

/** The runs once nothing waits in the outbox any more. */
export async function settledRuns(database: OpenDatabase, tenantId: string): Promise<DataRun[]> {
  await until(async () => (await database.query('SELECT FROM data_events LIMIT 1')).length === 0);
  return await dataRuns(database, tenantId);
}

/** Deletes all runs of a tenant as the program would: under the tenant's lock, with the counts. A run that just ends is not missed. */
export async function forgetRuns(database: OpenDatabase, tenantId: string): Promise<void> {
  await database.query(
    `SELECT FROM tenant_queues WHERE tenant_id = '${tenantId}' FOR NO KEY UPDATE;
     DELETE FROM runs WHERE tenant_id = '${tenantId}';
     SELECT recount_runs('${tenantId}')`,
  );
}

/** Triggers of the service on a table, as the catalog has them, but for the one that fires for replication alone. */
export async function triggersOn(database: OpenDatabase, table: string): Promise<string[]> {
  const found = await database.query<{ name: string }>(
    `SELECT tgname AS name FROM pg_trigger WHERE tgrelid = to_regclass($1) AND NOT tgisinternal AND tgenabled <> 'R' ORDER BY tgname`,
    [table],
  );
  return found.map(({ name }) => name.replace(/_[0-9a-f]{12}$/, ''));
}

export function dataJob(
  id: string,
  triggers: readonly Record<string, unknown>[],
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id,
    name: id,
    handler: 'take',
    triggers: triggers.map((trigger) => ({ type: 'data', ...trigger })),
    ...more,
  };
}

export async function register(tenant: Tenant, ...jobs: Record<string, unknown>[]): Promise<void> {
  const { status, body } = await tenant.client.post('/jobs/v1/jobs', { jobs });
  if (status !== 200) throw new Error(`registering answered ${status}: ${JSON.stringify(body)}`);
}

/** What is wrong with one job's triggers, as the answer says. */
export async function refusals(
  tenant: Tenant,
  ...triggers: Record<string, unknown>[]
): Promise<{ path: string; message: string }[]> {
  const { status, body } = await tenant.client.post<{
    error: { details: { path: string; message: string }[] };
  }>('/jobs/v1/jobs', { jobs: [dataJob('refused', triggers)] });
  if (status !== 400) throw new Error(`registering answered ${status}: ${JSON.stringify(body)}`);
  return body.error.details;
}

/** A connection of a writer that knows nothing of the service. */
export async function connect(url: string, user?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'writer' });
  await client.connect();
  if (user !== undefined) await client.query(`SET ROLE ${user}`);
  return client;
}

export async function newTenant(url: string): Promise<Tenant> {
  return await signUpOwner(url);
}
