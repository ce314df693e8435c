import { DataTriggerRepair } from '../../../src/jobs/data-events/data-trigger-repair.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ROW_COLUMN } from '../../support/profile.js';
import type { ServiceInProcess } from '../../support/service-in-process.js';
import {
  CapturingService,
  dataJob,
  forgetRuns,
  newTenant,
  refusals,
  register,
  settledRuns,
  triggersOn,
} from './watched.js';
import type { Tenant } from './watched.js';

const ALL = ['insert', 'update', 'delete'];

/** Changes that PostgreSQL carries out as other changes, or on other tables than the statement names. */
describe('a row change that is carried out elsewhere', () => {
  let capturing: CapturingService;
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let tenant: Tenant;
  let tables = 0;
  let table: string;

  beforeAll(async () => {
    capturing = await CapturingService.start();
    ({ environment, service } = capturing);
  });

  afterAll(async () => {
    await capturing.stop();
  });

  beforeEach(async () => {
    tenant = await newTenant(service.url);
    table = `parted_${(tables += 1)}`;
  });

  async function sql(text: string): Promise<void> {
    await environment.database.query(text);
  }

  async function watch(events: string[] = ALL, more: Record<string, unknown> = {}): Promise<void> {
    await register(tenant, dataJob('watch', [{ table: `public.${table}`, events, ...more }]));
  }

  /** Changes since the last look: what happened to which row, with its status before and after. */
  async function changes(): Promise<string[]> {
    const made = await settledRuns(environment.database, tenant.orgId);
    await forgetRuns(environment.database, tenant.orgId);
    return made
      .map(({ body: { type, record, old_record: old } }) => {
        const statuses = [old, record].flatMap((row) => (row === null ? [] : [String(row.status)]));
        return `${type} ${String((record ?? old)?.id)}: ${statuses.join(' to ')}`;
      })
      .sort();
  }

  /** By status: a partition for each of two, one of which is partitioned again, and one for all others. */
  async function createPartitioned(): Promise<void> {
    await sql(`CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid DEFAULT '${tenant.orgId}', status text, n int DEFAULT 0)
                 PARTITION BY LIST (status);
               CREATE TABLE ${table}_new PARTITION OF ${table} FOR VALUES IN ('new') PARTITION BY LIST (n);
               CREATE TABLE ${table}_new_0 PARTITION OF ${table}_new FOR VALUES IN (0);
               CREATE TABLE ${table}_new_n PARTITION OF ${table}_new DEFAULT;
               CREATE TABLE ${table}_paid PARTITION OF ${table} FOR VALUES IN ('paid');
               CREATE TABLE ${table}_rest PARTITION OF ${table} DEFAULT`);
  }

  async function fill(...rows: [id: number, status: string][]): Promise<void> {
    await sql(
      `INSERT INTO ${table} (id, status) VALUES ${rows.map(([id, status]) => `(${id}, '${status}')`).join(', ')}`,
    );
  }

  it('is one update where the update moves the row to another partition, at any level', async () => {
    await createPartitioned();
    await watch();
    await fill([1, 'new'], [2, 'paid'], [3, 'new']);
    await changes();
    await sql(
      `UPDATE ${table} SET status = CASE id WHEN 1 THEN 'paid' WHEN 2 THEN 'odd' ELSE status END, n = n + 1`,
    );
    expect(await changes()).toEqual([
      'update 1: new to paid',
      'update 2: paid to odd',
      'update 3: new to new',
    ]);
    await sql(`UPDATE ${table}_new SET n = 0`);
    expect(await changes()).toEqual(['update 3: new to new']);
  });

  it('is an update for the tenant that has the moved row now, without what the row was in another', async () => {
    const other = await newTenant(service.url);
    await createPartitioned();
    await fill([1, 'new']);
    await watch();
    await register(other, dataJob('watch', [{ table: `public.${table}`, events: ALL }]));
    await sql(`UPDATE ${table} SET status = 'paid', ${ROW_COLUMN} = '${other.orgId}'`);
    expect(await changes()).toEqual([]);
    const [update, ...more] = await settledRuns(environment.database, other.orgId);
    expect(update?.body).toMatchObject({ type: 'update', record: { status: 'paid' }, old_record: null });
    expect(more).toEqual([]);
  });

  it.each([
    { events: ['insert'], expected: [] },
    { events: ['delete'], expected: [] },
    { events: ['update'], expected: ['update 1: new to paid'] },
  ])('of a moved row concerns a job that watches only $events as an update does', async (watched) => {
    await createPartitioned();
    await fill([1, 'new']);
    await watch(watched.events, watched.events[0] === 'update' ? { columns: ['status'] } : {});
    await sql(`UPDATE ${table} SET status = 'paid'`);
    await sql(`UPDATE ${table} SET n = n + 1`);
    expect(await changes()).toEqual(watched.expected);
  });

  it('is told from deletions and insertions of the same statement or transaction', async () => {
    await createPartitioned();
    await watch();
    await fill([1, 'new'], [2, 'new'], [9, 'odd']);
    await changes();
    await sql(`MERGE INTO ${table} USING (VALUES (1, 'paid'), (2, 'new'), (9, ''), (10, 'new')) AS s (id, status)
                 ON s.id = ${table}.id
               WHEN MATCHED AND s.id = 9 THEN DELETE
               WHEN MATCHED THEN UPDATE SET status = s.status, n = 3
               WHEN NOT MATCHED THEN INSERT (id, status) VALUES (s.id, s.status)`);
    expect(await changes()).toEqual([
      'delete 9: odd',
      'insert 10: new',
      'update 1: new to paid',
      'update 2: new to new',
    ]);
    await sql(`WITH gone AS (DELETE FROM ${table}_new WHERE id = 10 RETURNING id),
                    moved AS (UPDATE ${table} SET status = 'odd' WHERE id = 1 RETURNING id)
               INSERT INTO ${table} (id, status) SELECT gone.id + moved.id, 'paid' FROM gone, moved`);
    expect(await changes()).toEqual(['delete 10: new', 'insert 11: paid', 'update 1: paid to odd']);
  });

  it('is not misread after an update that a trigger of the table has cancelled', async () => {
    await createPartitioned();
    await sql(`CREATE TRIGGER z_min_update BEFORE UPDATE ON ${table}
               FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`);
    await watch();
    await fill([1, 'new']);
    await changes();
    await sql(
      `UPDATE ${table} SET n = n; DELETE FROM ${table}; INSERT INTO ${table} (id, status) VALUES (2, 'new')`,
    );
    expect(await changes()).toEqual(['delete 1: new', 'insert 2: new']);
  });

  it('has both rows without their large values where a moved row is too large', async () => {
    await createPartitioned();
    await sql(`ALTER TABLE ${table} ADD COLUMN body text`);
    await watch(['update']);
    // Of text that cannot be compressed.
    await sql(`INSERT INTO ${table} (id, status, body)
               SELECT 1, 'new', string_agg(md5(n::text), '') FROM generate_series(1, 40000) AS n`);
    await sql(`UPDATE ${table} SET status = 'paid'`);
    const [run] = await settledRuns(environment.database, tenant.orgId);
    expect(run?.body).toMatchObject({
      record: { status: 'paid', body: null },
      old_record: { status: 'new', body: null },
      omitted: ['body'],
    });
  });

  it('is captured in partitions that were attached or made later, and no more once they are detached', async () => {
    await createPartitioned();
    await watch();
    await sql(`CREATE TABLE ${table}_late PARTITION OF ${table} FOR VALUES IN ('late');
               CREATE TABLE ${table}_joined (LIKE ${table});
               ALTER TABLE ${table} ATTACH PARTITION ${table}_joined FOR VALUES IN ('joined')`);
    await fill([1, 'late'], [2, 'joined']);
    await changes();
    await sql(`UPDATE ${table} SET status = CASE status WHEN 'late' THEN 'joined' ELSE 'late' END`);
    expect(await changes()).toEqual(['update 1: late to joined', 'update 2: joined to late']);
    await sql(`ALTER TABLE ${table} DETACH PARTITION ${table}_late; UPDATE ${table}_late SET n = 7`);
    expect(await changes()).toEqual([]);
  });

  it('of foreign keys is one deletion or update for each row that refers to the other', async () => {
    await sql(`CREATE TABLE ${table}_of (id int PRIMARY KEY, status text UNIQUE);
               INSERT INTO ${table}_of VALUES (1, 'new'), (2, 'paid'), (3, 'odd')`);
    await createPartitioned();
    await sql(`ALTER TABLE ${table} ADD FOREIGN KEY (n) REFERENCES ${table}_of (id) ON DELETE CASCADE,
                 ADD FOREIGN KEY (status) REFERENCES ${table}_of (status) ON UPDATE CASCADE ON DELETE SET NULL;
               INSERT INTO ${table} (id, status, n) VALUES (10, 'new', 1), (20, 'paid', 1), (30, 'odd', 2)`);
    await watch();
    await sql(`UPDATE ${table}_of SET status = 'late' WHERE id = 1`);
    expect(await changes()).toEqual(['update 10: new to late']);
    await sql(`DELETE FROM ${table}_of WHERE id = 3`);
    expect(await changes()).toEqual(['update 30: odd to null']);
    await sql(`DELETE FROM ${table}_of WHERE id = 1`);
    expect(await changes()).toEqual(['delete 10: late', 'delete 20: paid']);
  });

  it('of an inheriting table is a change of the table that it inherits from, whichever the statement names', async () => {
    await sql(`CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid DEFAULT '${tenant.orgId}', status text);
               CREATE TABLE ${table}_child (more int) INHERITS (${table});
               CREATE TABLE ${table}_grandchild () INHERITS (${table}_child)`);
    await watch();
    await sql(`INSERT INTO ${table} (id, status) VALUES (1, 'a'); INSERT INTO ${table}_child (id, status) VALUES (2, 'a');
               INSERT INTO ${table}_grandchild (id, status) VALUES (3, 'a')`);
    expect(await changes()).toEqual(['insert 1: a', 'insert 2: a', 'insert 3: a']);
    await sql(`UPDATE ${table} SET status = 'b'`);
    expect(await changes()).toEqual(['update 1: a to b', 'update 2: a to b', 'update 3: a to b']);
    await sql(`DELETE FROM ${table}_child`);
    expect(await changes()).toEqual(['delete 2: b', 'delete 3: b']);
  });

  it('of an inheriting table that is watched itself is captured where the statement names the other', async () => {
    const parent = table;
    await sql(`CREATE TABLE ${parent} (id int, ${ROW_COLUMN} uuid DEFAULT '${tenant.orgId}', status text);
               CREATE TABLE ${parent}_child () INHERITS (${parent})`);
    table = `${parent}_child`;
    await watch();
    await sql(
      `INSERT INTO ${table} (id, status) VALUES (1, 'a'); UPDATE ${parent} SET status = 'b'; DELETE FROM ${parent}`,
    );
    expect(await changes()).toEqual(['delete 1: b', 'insert 1: a', 'update 1: a to b']);
  });

  it('of a table that begins or ceases to inherit is captured by its new place', async () => {
    await sql(`CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid DEFAULT '${tenant.orgId}', status text)`);
    await watch(['insert']);
    const repair = service.application.get(DataTriggerRepair);
    await sql(`CREATE TABLE ${table}_late () INHERITS (${table})`);
    await repair.runOnce();
    await sql(`INSERT INTO ${table}_late (id, status) VALUES (1, 'a')`);
    expect(await changes()).toEqual(['insert 1: a']);
    await sql(
      `ALTER TABLE ${table}_late NO INHERIT ${table}; INSERT INTO ${table}_late (id, status) VALUES (2, 'a')`,
    );
    expect(await changes()).toEqual([]);
    await repair.runOnce();
    expect(await triggersOn(environment.database, `${table}_late`)).toEqual([]);
  });

  it.each(['plain', 'partitioned'])(
    'in a %s table is captured where a session applies what was replicated',
    async (kind) => {
      if (kind === 'partitioned') await createPartitioned();
      else
        await sql(
          `CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid DEFAULT '${tenant.orgId}', status text)`,
        );
      await watch();
      await sql(`SET session_replication_role = replica; INSERT INTO ${table} (id, status) VALUES (1, 'new');
               UPDATE ${table} SET status = 'paid'; UPDATE ${table} SET status = status; DELETE FROM ${table};
               SET session_replication_role = origin`);
      expect(await changes()).toEqual(['delete 1: paid', 'insert 1: new', 'update 1: new to paid']);
      // As restoring a dump leaves it.
      await sql(`ALTER TABLE ${table} DISABLE TRIGGER ALL; ALTER TABLE ${table} ENABLE TRIGGER ALL;
               INSERT INTO ${table} (id, status) VALUES (2, 'new')`);
      expect(await changes()).toEqual(['insert 2: new']);
    },
  );

  it('has no values of virtual generated columns, whose changes no trigger sees', async () => {
    await sql(`CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid DEFAULT '${tenant.orgId}', status text, n int,
                 stored int GENERATED ALWAYS AS (n * 2) STORED, virtual int GENERATED ALWAYS AS (n * 3) VIRTUAL)`);
    await watch(['insert', 'update'], { columns: ['stored'] });
    await sql(`INSERT INTO ${table} (id, status, n) VALUES (1, 'a', 1); UPDATE ${table} SET n = 2;
               UPDATE ${table} SET status = 'b'`);
    const [insert, update, ...others] = await settledRuns(environment.database, tenant.orgId);
    expect(insert?.body.record).toEqual({ id: 1, [ROW_COLUMN]: tenant.orgId, status: 'a', n: 1, stored: 2 });
    expect([update?.body.old_record?.stored, update?.body.record?.stored]).toEqual([2, 4]);
    expect(others).toEqual([]);
    expect(
      await refusals(tenant, { table: `public.${table}`, events: ['update'], columns: ['virtual'] }),
    ).toMatchObject([
      {
        path: 'jobs[0].triggers[0].columns[0]',
        message: expect.stringContaining('virtual generated column') as string,
      },
    ]);
  });

  it('cannot be watched by a tenant column that triggers do not see', async () => {
    await sql(
      `CREATE TABLE ${table} (id int, owner uuid, ${ROW_COLUMN} uuid GENERATED ALWAYS AS (owner) VIRTUAL)`,
    );
    expect(await refusals(tenant, { table: `public.${table}`, events: ['insert'] })).toMatchObject([
      { message: expect.stringContaining(`${ROW_COLUMN} as a virtual generated column`) as string },
    ]);
  });

  it('cannot be watched where it would be two changes or none: the refusal says why', async () => {
    await createPartitioned();
    await sql(`CREATE TABLE ${table}_parent (id int, ${ROW_COLUMN} uuid); CREATE TABLE ${table}_heir () INHERITS (${table}_parent);
               CREATE MATERIALIZED VIEW ${table}_seen AS SELECT * FROM ${table}_parent;
               CREATE UNLOGGED TABLE ${table}_unlogged (${ROW_COLUMN} uuid);
               CREATE FOREIGN DATA WRAPPER w_${table}; CREATE SERVER s_${table} FOREIGN DATA WRAPPER w_${table};
               CREATE FOREIGN TABLE ${table}_far (${ROW_COLUMN} uuid) SERVER s_${table};
               CREATE TABLE ${table}_near (${ROW_COLUMN} uuid);
               CREATE FOREIGN TABLE ${table}_far_heir () INHERITS (${table}_near) SERVER s_${table}`);
    const found = await refusals(
      tenant,
      ...['new_0', 'parent', 'heir', 'seen', 'far', 'near', 'unlogged'].map((name) => ({
        table: `public.${table}_${name}`,
        events: ALL,
      })),
    );
    expect(found.map(({ path, message }) => `${path.slice(17, 18)} ${message}`)).toEqual([
      expect.stringContaining(`0 is a partition of public.${table}_new: an update that moves a row`),
      expect.stringContaining(`2 inherits from public.${table}_parent, which the job watches too`),
      expect.stringContaining('3 is a materialized view; changes of views'),
      expect.stringContaining('4 is a foreign table; changes of views'),
      expect.stringContaining(`5 is inherited by public.${table}_far_heir, which is a foreign table`),
    ]);
    expect(found[0]?.message).toContain(`watch public.${table}`);
  });
});
