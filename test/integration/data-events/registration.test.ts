import { deleteTenant } from '../../support/client.js';
import { ROW_COLUMN } from '../../support/profile.js';
import { DataTriggerRepair } from '../../../src/jobs/data-events/data-trigger-repair.js';
import type { TestEnvironment } from '../../support/environment.js';
import type { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import {
  CapturingService,
  connect,
  dataJob,
  newTenant,
  refusals,
  register,
  settledRuns,
  triggersOn,
} from './watched.js';
import type { Tenant } from './watched.js';

const STATEMENT_TRIGGERS = ['service_data_delete', 'service_data_insert', 'service_data_update'];

describe('registering data event triggers', () => {
  let capturing: CapturingService;
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let tenant: Tenant;
  let tables = 0;
  let table: string;

  beforeAll(async () => {
    capturing = await CapturingService.start({
      SERVICE_JOBS__DATA_EVENT_SCHEMAS: 'public,shop,pg_catalog,service',
    });
    ({ environment, service } = capturing);
    await sql('CREATE SCHEMA shop; CREATE SCHEMA hidden');
  });

  afterAll(async () => {
    await capturing.stop();
  });

  beforeEach(async () => {
    tenant = await newTenant(service.url);
    table = `orders_${(tables += 1)}`;
    await sql(`CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid, status text)`);
  });

  async function sql(text: string): Promise<void> {
    await environment.database.query(text);
  }

  async function watch(who: Tenant, events: string[], name = `public.${table}`): Promise<void> {
    await register(who, dataJob('watch', [{ table: name, events }]));
  }

  it('adds one database trigger to the table for each event that a job watches, and removes it with the last job', async () => {
    const other = await newTenant(service.url);
    await watch(tenant, ['insert', 'update', 'delete']);
    expect(await triggersOn(environment.database, table)).toEqual(STATEMENT_TRIGGERS);
    await watch(other, ['insert']);
    await watch(tenant, ['update']);
    expect(await triggersOn(environment.database, table)).toEqual([
      'service_data_insert',
      'service_data_update',
    ]);
    await register(tenant, dataJob('watch', []));
    expect(await triggersOn(environment.database, table)).toEqual(['service_data_insert']);
    await register(other, dataJob('watch', []));
    expect(await triggersOn(environment.database, table)).toEqual([]);
  });

  it('removes the database triggers with the organization', async () => {
    await watch(tenant, ['insert']);
    expect(await deleteTenant(tenant)).toBe(204);
    expect(await triggersOn(environment.database, table)).toEqual([]);
    expect(
      await environment.database.query('SELECT FROM data_triggers WHERE tenant_id = $1', [tenant.orgId]),
    ).toEqual([]);
  });

  it('registers simultaneously for many tenants without a conflict', async () => {
    const others = await Promise.all(Array.from({ length: 6 }, () => newTenant(service.url)));
    await Promise.all(others.map((who) => watch(who, ['insert', 'delete'])));
    expect(await triggersOn(environment.database, table)).toEqual([
      'service_data_delete',
      'service_data_insert',
    ]);
    await Promise.all(
      others.map((who, index) =>
        index % 2 === 0 ? register(who, dataJob('watch', [])) : watch(who, ['update']),
      ),
    );
    expect(await triggersOn(environment.database, table)).toEqual(['service_data_update']);
  });

  it('refuses unknown and forbidden tables, each with its path in the manifest', async () => {
    await sql(`CREATE VIEW v_${table} AS SELECT * FROM ${table}; CREATE TABLE hidden.${table} (${ROW_COLUMN} uuid);
               CREATE TABLE none_${table} (id int); CREATE TABLE int_${table} (${ROW_COLUMN} int)`);
    const events = ['insert'];
    const found = await refusals(
      tenant,
      { table: 'public.nowhere', events },
      { table: `hidden.${table}`, events },
      { table: 'pg_catalog.pg_class', events },
      { table: `public.v_${table}`, events },
      { table: `public.none_${table}`, events },
      { table: `public.int_${table}`, events },
      { table: 'service.users', events },
      { table: 'service.data_events', events },
      { table: `public.${table}`, events: ['update'], columns: ['status', 'missing'] },
    );
    const at = (index: number): string => `jobs[0].triggers[${index}].table`;
    expect(found).toEqual([
      { path: at(0), message: 'does not exist' },
      { path: at(1), message: expect.stringContaining('public, shop') as string },
      { path: at(2), message: expect.stringContaining('may be watched') as string },
      { path: at(3), message: expect.stringContaining('views') as string },
      { path: at(4), message: expect.stringContaining(`no column ${ROW_COLUMN}`) as string },
      { path: at(5), message: expect.stringContaining('of type integer') as string },
      { path: at(6), message: 'is a table of the service itself' },
      { path: at(7), message: 'is a table of the service itself' },
      { path: 'jobs[0].triggers[8].columns[1]', message: `is not a column of public.${table}` },
    ]);
  });

  it('refuses tables of other owners while capture has the rights of the account, as after a restore, until this is corrected', async () => {
    const owner = `owner_of_${tenant.orgId.replaceAll('-', '')}`;
    await sql(`CREATE ROLE ${owner}; ALTER TABLE ${table} OWNER TO ${owner}`);
    try {
      let found: { path: string; message: string }[] = [];
      // The scheduler looks once a minute too, perhaps just then.
      await until(async () => {
        await sql('ALTER FUNCTION capture_data_events() OWNER TO current_user');
        const jobs = [dataJob('refused', [{ table: `public.${table}`, events: ['insert'] }])];
        const { status, body } = await tenant.client.post<{ error: { details: typeof found } }>(
          '/jobs/v1/jobs',
          {
            jobs,
          },
        );
        if (status === 400) found = body.error.details;
        return status === 400;
      });
      expect(found.map(({ path }) => path)).toEqual(['jobs[0].triggers[0].table']);
      expect(found[0]?.message).toContain(`belongs to the account ${owner}; it can be watched only if`);
      expect(found[0]?.message).toContain('docs/operating.md, The database account');
      await service.application.get(DataTriggerRepair).runOnce();
      await watch(tenant, ['insert']);
    } finally {
      await sql(`DROP OWNED BY ${owner}; DROP ROLE ${owner}`);
    }
  });

  it('watches tables in every schema that the setting names, even one whose name the service also uses', async () => {
    await sql(`CREATE TABLE shop.users (id int, ${ROW_COLUMN} text)`);
    await watch(tenant, ['insert'], 'shop.users');
    await sql(`INSERT INTO shop.users VALUES (1, '${tenant.orgId}')`);
    expect((await settledRuns(environment.database, tenant.orgId)).map(({ body }) => body.table)).toEqual([
      'shop.users',
    ]);
  });

  it('answers 409 table_busy instead of making writers wait behind a long transaction', async () => {
    const writer = await connect(environment.database.url);
    await writer.query('BEGIN');
    await writer.query(`INSERT INTO ${table} VALUES (1)`);
    const { status, body } = await tenant.client.post('/jobs/v1/jobs', {
      jobs: [dataJob('watch', [{ table: `public.${table}`, events: ['insert'] }])],
    });
    expect([status, body.error]).toMatchObject([409, { code: 'table_busy' }]);
    await writer.query('ROLLBACK');
    await writer.end();
    await watch(tenant, ['insert']);
  });

  it('deletes a trigger even while its table is busy, and removes it from the table later', async () => {
    await watch(tenant, ['insert']);
    const reader = await connect(environment.database.url);
    await reader.query('BEGIN');
    await reader.query(`SELECT FROM ${table}`);
    await register(tenant, dataJob('watch', []));
    expect(await triggersOn(environment.database, table)).toEqual(['service_data_insert']);
    await reader.query('ROLLBACK');
    await reader.end();
    await service.application.get(DataTriggerRepair).runOnce();
    expect(await triggersOn(environment.database, table)).toEqual([]);
  });

  it('restores the database triggers of a table that was dropped and recreated, though the manifest is unchanged', async () => {
    await watch(tenant, ['insert', 'delete']);
    await sql(`DROP TABLE ${table}; CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid)`);
    const jobs = [dataJob('watch', [{ table: `public.${table}`, events: ['insert', 'delete'] }])];
    const { body } = await tenant.client.post('/jobs/v1/jobs', { jobs });
    expect(body).toEqual({ jobs: [{ id: 'watch', change: 'unchanged' }] });
    expect(await triggersOn(environment.database, table)).toEqual([
      'service_data_delete',
      'service_data_insert',
    ]);
  });

  it('finds its table again after it was dropped and recreated, renamed, or made a partition', async () => {
    await watch(tenant, ['insert']);
    const repair = service.application.get(DataTriggerRepair);
    const ids = async (): Promise<unknown[]> =>
      (await settledRuns(environment.database, tenant.orgId)).map(({ body }) => body.record?.id);
    await sql(`DROP TABLE ${table}; CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid)`);
    await repair.runOnce();
    await sql(`INSERT INTO ${table} VALUES (1, '${tenant.orgId}')`);
    expect(await ids()).toEqual([1]);
    await sql(
      `ALTER TABLE ${table} RENAME TO former_${table}; CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid)`,
    );
    await repair.runOnce();
    await sql(
      `INSERT INTO ${table} VALUES (2, '${tenant.orgId}'); INSERT INTO former_${table} VALUES (3, '${tenant.orgId}')`,
    );
    expect(await ids()).toEqual([1, 2]);
    await sql(`CREATE TABLE whole_${table} (id int, ${ROW_COLUMN} uuid) PARTITION BY RANGE (id);
               ALTER TABLE whole_${table} ATTACH PARTITION ${table} FOR VALUES FROM (0) TO (100)`);
    await repair.runOnce();
    await sql(`INSERT INTO whole_${table} VALUES (4, '${tenant.orgId}')`);
    expect(await ids()).toEqual([1, 2, 4]);
  });

  it('whose column or table is gone shows it in its job, and is registered again only without it', async () => {
    const trigger = { table: `public.${table}`, events: ['update'], columns: ['id', 'status'] };
    const jobs = [dataJob('watch', [trigger])];
    expect((await tenant.client.post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    const problems = async (): Promise<unknown> => {
      const { body } =
        await tenant.client.get<{ id: string; problems?: unknown }[]>('/jobs/v1/jobs?limit=100');
      const { body: job } = await tenant.client.get<{ problems?: unknown }>('/jobs/v1/jobs/watch');
      expect(body.find(({ id }) => id === 'watch')?.problems).toEqual(job.problems);
      return job.problems;
    };
    expect(await problems()).toBeUndefined();
    await sql(`ALTER TABLE ${table} DROP COLUMN status`);
    expect(await problems()).toEqual([
      {
        path: 'triggers[0].columns[1]',
        message: `public.${table} no longer has the column status: every update triggers the job`,
      },
    ]);
    expect(await tenant.client.post('/jobs/v1/jobs', { jobs })).toMatchObject({
      status: 400,
      body: {
        error: {
          details: [
            { path: 'jobs[0].triggers[0].columns[1]', message: `is not a column of public.${table}` },
          ],
        },
      },
    });
    await sql(`DROP TABLE ${table}`);
    expect(await problems()).toEqual([
      {
        path: 'triggers[0].table',
        message: `public.${table} does not exist: its changes do not trigger the job`,
      },
    ]);
  });
});
