import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { ROW_COLUMN } from '../../support/profile.js';
import { until } from '../../support/until.js';
import { connect, dataJob, newTenant, register, settledRuns } from './watched.js';
import type { DataRun, Tenant } from './watched.js';

const ALL = ['insert', 'update', 'delete'];

describe('a data event trigger', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let tenant: Tenant;
  let tables = 0;
  let table: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({ ...variables, SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100' });
  });

  afterAll(async () => {
    await service.stop();
    await Promise.all([handlers.stop(), environment.dispose()]);
  });

  beforeEach(async () => {
    tenant = await newTenant(service.url);
    table = `orders_${(tables += 1)}`;
    await sql(`CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid, amount numeric, status text)`);
  });

  async function sql(text: string, parameters: unknown[] = []): Promise<void> {
    await environment.database.query(text, parameters);
  }

  async function watch(events: string[] = ALL, more: Record<string, unknown> = {}): Promise<void> {
    await register(tenant, dataJob('watch', [{ table: `public.${table}`, events, ...more }]));
  }

  async function insert(id = 1): Promise<void> {
    await sql(`INSERT INTO ${table} VALUES ($1, $2, 1.10, 'new')`, [id, tenant.orgId]);
  }

  async function runs(): Promise<DataRun[]> {
    return await settledRuns(environment.database, tenant.orgId);
  }

  async function events(): Promise<string[]> {
    return (await runs()).map(({ trigger }) => trigger.event);
  }

  it('calls the handler with type, table, record, old_record and the time of the writer’s transaction', async () => {
    handlers.on('take', answer(200, { ok: true }));
    await watch();
    const writer = await connect(environment.database.url);
    await writer.query('BEGIN');
    const { rows } = await writer.query<{ at: Date }>('SELECT now() AS at');
    await writer.query(`INSERT INTO ${table} VALUES (1, $1, 1.10, 'new')`, [tenant.orgId]);
    await writer.query(`UPDATE ${table} SET status = 'paid'`);
    await writer.query(`DELETE FROM ${table}`);
    await writer.query('COMMIT');
    await writer.end();
    const made = await runs();
    await until(() => made.every(({ id }) => handlers.callsOf(id).length === 1));
    const occurredAt = rows[0]?.at.toISOString();
    const before = { id: 1, [ROW_COLUMN]: tenant.orgId, amount: 1.1, status: 'new' };
    const after = { ...before, status: 'paid' };
    const name = `public.${table}`;
    const bodies = made.map(({ id }) => JSON.parse(handlers.callsOf(id)[0]?.body ?? '') as unknown);
    expect(bodies).toHaveLength(3);
    expect(bodies).toEqual(
      expect.arrayContaining([
        { type: 'insert', table: name, record: before, old_record: null, occurred_at: occurredAt },
        { type: 'update', table: name, record: after, old_record: before, occurred_at: occurredAt },
        { type: 'delete', table: name, record: null, old_record: after, occurred_at: occurredAt },
      ]),
    );
    expect(handlers.callsOf(made[0]?.id ?? '')[0]?.headers).toMatchObject({
      'x-service-trigger': 'data',
      'x-service-actor': `data:${name}`,
    });
    expect(made.map(({ trigger }) => trigger.table)).toEqual([name, name, name]);
  });

  it('preserves all digits of numbers', async () => {
    await watch();
    await sql(`INSERT INTO ${table} VALUES (1, $1, 12345678901234567890.1200, NULL)`, [tenant.orgId]);
    expect((await runs())[0]?.payload).toContain('"amount": 12345678901234567890.1200');
  });

  it('gives times in UTC, whatever the time zone of the writer', async () => {
    await sql(`ALTER TABLE ${table} ADD COLUMN at timestamptz`);
    await watch();
    await sql(
      `SET timezone = 'Asia/Tokyo'; INSERT INTO ${table} (${ROW_COLUMN}, at) VALUES ('${tenant.orgId}', '2026-01-01T00:00:00Z')`,
    );
    expect((await runs())[0]?.body.record?.at).toBe('2026-01-01T00:00:00+00:00');
  });

  it('creates no run for a change that is rolled back, and exactly one for a committed change', async () => {
    await watch();
    const writer = await connect(environment.database.url);
    await writer.query('BEGIN');
    await writer.query(`INSERT INTO ${table} VALUES (1, $1)`, [tenant.orgId]);
    await writer.query('ROLLBACK');
    await writer.query('BEGIN');
    await writer.query('SAVEPOINT a');
    await writer.query(`INSERT INTO ${table} VALUES (2, $1)`, [tenant.orgId]);
    await writer.query('ROLLBACK TO a');
    await writer.query(`INSERT INTO ${table} VALUES (3, $1)`, [tenant.orgId]);
    await writer.query('COMMIT');
    await writer.end();
    expect((await runs()).map(({ body }) => body.record?.id)).toEqual([3]);
  });

  it('fires for the events that it names, and for no others', async () => {
    await watch(['delete']);
    await insert();
    await sql(`UPDATE ${table} SET status = 'paid'`);
    await sql(`DELETE FROM ${table}`);
    expect(await events()).toEqual(['delete']);
  });

  it('fires only for rows of the job’s tenant: the new row of an update and the old row of a delete decide', async () => {
    const other = await newTenant(service.url);
    await watch();
    await register(other, dataJob('watch', [{ table: `public.${table}`, events: ALL }]));
    await insert();
    await sql(`UPDATE ${table} SET ${ROW_COLUMN} = $1`, [other.orgId]);
    await sql(`DELETE FROM ${table}`);
    expect(await events()).toEqual(['insert']);
    const [update, removal] = await settledRuns(environment.database, other.orgId);
    expect([update?.trigger.event, removal?.trigger.event]).toEqual(['update', 'delete']);
    // What the row was in the other organization is not this one's to know.
    expect(update?.body.old_record).toBeNull();
  });

  it('accepts a tenant column of type text, and ignores values that are not UUIDs without failing the writer', async () => {
    await sql(`ALTER TABLE ${table} ALTER ${ROW_COLUMN} TYPE text`);
    await watch();
    await sql(`INSERT INTO ${table} VALUES (1, 'nonsense'), (2, NULL), (3, $1), (4, '')`, [
      tenant.orgId.toUpperCase(),
    ]);
    expect((await runs()).map(({ body }) => body.record?.id)).toEqual([3]);
  });

  it('does not fire for an update that changes nothing', async () => {
    await watch(['update']);
    await insert();
    await sql(`UPDATE ${table} SET status = status, amount = 1.10`);
    await sql(`UPDATE ${table} SET status = 'paid' WHERE false`);
    expect(await runs()).toEqual([]);
    await sql(`UPDATE ${table} SET amount = 1.1`);
    expect(await events()).toEqual(['update']);
  });

  it('restricted to columns, fires only for updates that change one of them', async () => {
    await watch(ALL, { columns: ['status'] });
    await insert();
    await sql(`UPDATE ${table} SET amount = 7`);
    await sql(`UPDATE ${table} SET status = 'paid', amount = 8`);
    await sql(`UPDATE ${table} SET status = NULL`);
    expect(await events()).toEqual(['insert', 'update', 'update']);
  });

  it('pairs each row of a large update with its old version', async () => {
    await watch(['update']);
    await sql(`INSERT INTO ${table} SELECT g, $1, g, 'new' FROM generate_series(1, 1000) g`, [tenant.orgId]);
    await sql(`UPDATE ${table} SET id = -id, amount = amount + 0.5 WHERE id % 2 = 0`);
    const made = await runs();
    expect(made).toHaveLength(500);
    for (const { body } of made) expect(body.record?.id).toBe(-Number(body.old_record?.id));
  });

  it('fires for rows that COPY, MERGE and INSERT ON CONFLICT write', async () => {
    await sql(`ALTER TABLE ${table} ADD PRIMARY KEY (id)`);
    await watch();
    await insert(1);
    await sql(
      `INSERT INTO ${table} VALUES (1, $1, 2, 'x'), (2, $1, 2, 'x')
               ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status`,
      [tenant.orgId],
    );
    await sql(`MERGE INTO ${table} USING (VALUES (1), (9)) AS s (id) ON s.id = ${table}.id
               WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.id, '${tenant.orgId}')`);
    expect((await events()).sort()).toEqual(['delete', 'insert', 'insert', 'insert', 'update']);
  });

  it('does not fire for TRUNCATE', async () => {
    await watch();
    await insert();
    await runs();
    await sql(`TRUNCATE ${table}`);
    expect(await events()).toEqual(['insert']);
  });

  it('captures nothing in a transaction that executes SET LOCAL service.skip_data_events', async () => {
    await watch();
    const writer = await connect(environment.database.url);
    await writer.query('BEGIN');
    await writer.query(`SET LOCAL service.skip_data_events = 'on'`);
    await writer.query(`INSERT INTO ${table} VALUES (1, $1)`, [tenant.orgId]);
    await writer.query('COMMIT');
    await writer.query(`INSERT INTO ${table} VALUES (2, $1)`, [tenant.orgId]);
    await writer.end();
    expect((await runs()).map(({ body }) => body.record?.id)).toEqual([2]);
  });

  it('lets writers of the table continue to write, without privileges on any object of the service', async () => {
    await watch();
    // Roles are the whole server's, which other suites use at the same time.
    const role = `writer_${tenant.orgId.replaceAll('-', '')}`;
    await sql(`CREATE ROLE ${role}; GRANT INSERT ON ${table} TO ${role}`);
    const writer = await connect(environment.database.url, role);
    // What it puts in the way of our names, and of the functions they use, is not what the capture finds.
    await writer.query(`SET search_path = pg_temp, public`);
    await writer.query(`CREATE TEMP TABLE data_triggers (x int)`);
    await writer.query(`INSERT INTO public.${table} VALUES (1, $1)`, [tenant.orgId]);
    await expect(writer.query('SELECT FROM service.data_events')).rejects.toMatchObject({ code: '42501' });
    await expect(
      writer.query(`CREATE TEMP TABLE forged (${ROW_COLUMN} text);
        CREATE TRIGGER forged AFTER INSERT ON forged REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
        EXECUTE FUNCTION service.capture_data_events('public', '${table}', '${ROW_COLUMN}')`),
    ).rejects.toMatchObject({ code: '42501' });
    await writer.end();
    expect(await events()).toEqual(['insert']);
    await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it('drops changes while its job is paused', async () => {
    await watch();
    await register(tenant, dataJob('watch', [{ table: `public.${table}`, events: ALL }], { paused: true }));
    await insert(1);
    await register(tenant, dataJob('watch', [{ table: `public.${table}`, events: ALL }], { paused: false }));
    await insert(2);
    expect((await runs()).map(({ body }) => body.record?.id)).toEqual([2]);
  });

  it('creates one run if a change matches two triggers of a job, and a separate run for each job', async () => {
    const twice = [
      { table: `public.${table}`, events: ['update'], columns: ['status'] },
      { table: `public.${table}`, events: ['insert', 'update'], columns: ['amount'] },
    ];
    await register(
      tenant,
      dataJob('one', twice),
      dataJob('two', [{ table: `public.${table}`, events: ['update'] }]),
    );
    await insert();
    await sql(`UPDATE ${table} SET status = 'paid', amount = 3`);
    await sql(`UPDATE ${table} SET id = 2`);
    const made = (await runs()).map(({ job_id, trigger }) => `${job_id} ${trigger.event}`);
    expect(made.sort()).toEqual(['one insert', 'one update', 'two update', 'two update']);
  });

  it('delivers a row of more than 1 MiB without its large values, and names their columns', async () => {
    await watch();
    await sql(`INSERT INTO ${table} VALUES (1, $1, 5, repeat('0123456789', 200000))`, [tenant.orgId]);
    await sql(`INSERT INTO ${table} VALUES (2, $1, 5, repeat('x', 900000))`, [tenant.orgId]);
    const [large, whole] = await runs();
    expect(large?.body).toMatchObject({ record: { id: 1, amount: 5, status: null }, omitted: ['status'] });
    expect(String(whole?.body.record?.status)).toHaveLength(900_000);
    expect(whole?.body).not.toHaveProperty('omitted');
  });

  it('does not fail the writer of a value that PostgreSQL cannot convert to JSON', async () => {
    await sql(`ALTER TABLE ${table} ADD COLUMN blob bytea`);
    await watch();
    // As hexadecimal text it is over PostgreSQL's limit of 256 MiB for a string in jsonb.
    await sql(
      `INSERT INTO ${table} (id, ${ROW_COLUMN}, blob) VALUES (1, $1, decode(repeat('00', 140000000), 'hex'))`,
      [tenant.orgId],
    );
    expect((await runs())[0]?.body).toMatchObject({ record: { id: 1, blob: null }, omitted: ['blob'] });
  });

  it('does not fail writers after a listed column was renamed, and no longer restricts updates to that column', async () => {
    await watch(['update'], { columns: ['status'] });
    await insert();
    await sql(`ALTER TABLE ${table} RENAME status TO state`);
    await sql(`UPDATE ${table} SET amount = 2`);
    expect(await events()).toEqual(['update']);
    await sql(`ALTER TABLE ${table} RENAME ${ROW_COLUMN} TO org`);
    await sql(`UPDATE ${table} SET amount = 3`);
    expect(await events()).toEqual(['update']);
  });

  it('watches a whole partitioned table, under its own name or that of a partition, including partitions added later', async () => {
    await sql(`DROP TABLE ${table}`);
    await sql(`CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid, body text) PARTITION BY RANGE (id)`);
    await sql(`CREATE TABLE ${table}_a PARTITION OF ${table} FOR VALUES FROM (0) TO (100)`);
    await watch();
    await sql(`CREATE TABLE ${table}_b PARTITION OF ${table} FOR VALUES FROM (100) TO (200)`);
    await sql(`INSERT INTO ${table} VALUES (1, $1), (101, $1)`, [tenant.orgId]);
    await sql(`INSERT INTO ${table}_a VALUES (2, $1)`, [tenant.orgId]);
    await sql(`INSERT INTO ${table}_b VALUES (102, $1)`, [tenant.orgId]);
    await sql(`UPDATE ${table} SET body = 'x' WHERE id = 102`);
    await sql(`UPDATE ${table}_b SET body = body`);
    const made = await runs();
    expect(made.map(({ body }) => [body.type, body.table, body.record?.id])).toEqual(
      expect.arrayContaining([
        ['insert', `public.${table}`, 1],
        ['insert', `public.${table}`, 101],
        ['insert', `public.${table}`, 2],
        ['insert', `public.${table}`, 102],
        ['update', `public.${table}`, 102],
      ]),
    );
    expect(made).toHaveLength(5);
  });

  it.each(['plain', 'with types of its own', 'of large rows', 'partitioned'])(
    'captures the values of columns with any name, in a table that is %s',
    async (kind) => {
      // Names in the capture functions, and names that need quoting in one place or another.
      const names = [
        ...[
          'service_row',
          'new_rows',
          'old_rows',
          'record',
          'old_record',
          'omitted',
          'place',
          'image',
          'n',
          'o',
        ],
        ...[
          'change',
          'watch',
          'job',
          'seen',
          'name',
          'captured_event',
          'is_plain',
          'whole',
          'small',
          'large',
        ],
        ...['tg_op', 'TG_ARGV', 'new', 'old', 'moved_row', 'field', 'plain', 'attname', 'value', 'c'],
        ...[`a.b c"d'e`, '%s %1$s %I', '$1', '$text$', '$capture$', '\\', '?', 'Größe', 'x'.repeat(63)],
      ];
      const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
      const values = names.map((_name, index) => (kind === 'of large rows' ? 'x'.repeat(2000) : `${index}`));
      await sql(`DROP TABLE ${table}`);
      await sql(`CREATE TYPE pair_of_${table} AS (a int, b text);
                 CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid, ${quoted.map((name) => `${name} text`).join(', ')}
                   ${kind === 'plain' ? '' : `, pair pair_of_${table}`})
                   ${kind === 'partitioned' ? 'PARTITION BY LIST (id)' : ''}`);
      if (kind === 'partitioned')
        await sql(`CREATE TABLE ${table}_1 PARTITION OF ${table} FOR VALUES IN (1);
                   CREATE TABLE ${table}_2 PARTITION OF ${table} FOR VALUES IN (2)`);
      await watch(ALL, { columns: names.filter((name) => /^[\w$]+$/.test(name)) });
      await sql(
        `INSERT INTO ${table} (id, ${ROW_COLUMN}, ${quoted.join(', ')})
         VALUES (1, $1, ${names.map((_name, index) => `$${index + 2}`).join(', ')})`,
        [tenant.orgId, ...values],
      );
      await sql(`UPDATE ${table} SET id = 2, service_row = 'changed'; DELETE FROM ${table}`);
      const [insert, update, removal] = (await runs()).map(({ body }) => body);
      const before = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      const after = { ...before, service_row: 'changed' };
      expect(insert).toMatchObject({ type: 'insert', record: { id: 1, ...before } });
      expect(update).toMatchObject({
        type: 'update',
        record: { id: 2, ...after },
        old_record: { id: 1, ...before },
      });
      expect(removal).toMatchObject({ type: 'delete', old_record: { id: 2, ...after } });
    },
  );

  it('does not fail the writer of a json value that jsonb cannot hold, and delivers it as a string', async () => {
    await sql(`CREATE DOMAIN note_of_${table} AS json;
               ALTER TABLE ${table} ADD COLUMN note json, ADD COLUMN notes json[], ADD COLUMN bound note_of_${table}`);
    await watch();
    const odd = ['{"a":"\\u0000"}', '{"a": "\\ud800"}', '{"a":1e200000}'];
    for (const value of ['{"a": [1]}', ...odd])
      await sql(`INSERT INTO ${table} (${ROW_COLUMN}, note, notes, bound) VALUES ($1, $2, $3, $4)`, [
        tenant.orgId,
        value,
        [value],
        value,
      ]);
    const [valid, ...others] = (await runs()).map(({ body }) => body.record);
    expect(valid).toMatchObject({ note: { a: [1] }, notes: [{ a: [1] }], bound: { a: [1] } });
    expect(others.map((record) => [record?.note, record?.bound])).toEqual(odd.map((value) => [value, value]));
    expect(others.map((record) => typeof record?.notes)).toEqual(['string', 'string', 'string']);
  });

  it('captures columns of xml, domains, composites and generated values', async () => {
    await sql(`CREATE DOMAIN cents_of_${table} AS int CHECK (VALUE >= 0); CREATE TYPE point_of_${table} AS (x int, y json);
               ALTER TABLE ${table} ADD COLUMN feed xml, ADD COLUMN cents cents_of_${table}, ADD COLUMN at point_of_${table},
                 ADD COLUMN twice int GENERATED ALWAYS AS (id * 2) STORED`);
    await watch();
    await sql(
      `INSERT INTO ${table} (id, ${ROW_COLUMN}, feed, cents, at) VALUES (4, $1, '<a/>', 7, ROW (1, '"\\u0000"'))`,
      [tenant.orgId],
    );
    expect((await runs())[0]?.body.record).toMatchObject({
      feed: '<a/>',
      cents: 7,
      at: String.raw`(1,"""\\u0000""")`,
      twice: 8,
    });
  });

  it('watches tables whose names need quoting', async () => {
    const odd = `Odd's "name` + ` ${table}`;
    const plain = `Größe; drop ${table}`;
    await sql(`CREATE TABLE "${plain}" (id int, ${ROW_COLUMN} uuid)`);
    await register(tenant, dataJob('watch', [{ table: `public.${plain}`, events: ['insert'] }]));
    await sql(`INSERT INTO "${plain}" VALUES (1, $1)`, [tenant.orgId]);
    expect((await runs()).map(({ body }) => body.table)).toEqual([`public.${plain}`]);
    // A quote or a dot in a name is refused, not misread.
    const refused = await tenant.client.post('/jobs/v1/jobs', {
      jobs: [dataJob('odd', [{ table: `public.${odd}`, events: ['insert'] }])],
    });
    expect(refused.status).toBe(400);
  });
});
