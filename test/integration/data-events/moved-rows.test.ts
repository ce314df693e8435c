import type { TestEnvironment } from '../../support/environment.js';
import { ROW_COLUMN } from '../../support/profile.js';
import type { ServiceInProcess } from '../../support/service-in-process.js';
import { CapturingService, dataJob, forgetRuns, newTenant, register, settledRuns } from './watched.js';
import type { Tenant } from './watched.js';

/** PostgreSQL sorts a name with this beginning after all names in ASCII. */
const LATE = 'я_';

/**
 * What triggers of the table's owner do while PostgreSQL moves a row to another partition. The cases are those of
 * docs/decisions/0128.
 */
describe('a partitioned table whose own triggers', () => {
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

  /** A watched table with a partition for each of two statuses, and one for all others, and five rows: 1 to 3 are new. */
  beforeEach(async () => {
    tenant = await newTenant(service.url);
    table = `moving_${(tables += 1)}`;
    await sql(`CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid DEFAULT '${tenant.orgId}', status text, n int DEFAULT 0)
                 PARTITION BY LIST (status);
               CREATE TABLE ${table}_new PARTITION OF ${table} FOR VALUES IN ('new');
               CREATE TABLE ${table}_paid PARTITION OF ${table} FOR VALUES IN ('paid');
               CREATE TABLE ${table}_rest PARTITION OF ${table} DEFAULT;
               INSERT INTO ${table} (id, status) VALUES (1, 'new'), (2, 'new'), (3, 'new'), (8, 'paid'), (9, 'odd')`);
    const events = ['insert', 'update', 'delete'];
    await register(tenant, dataJob('watch', [{ table: `public.${table}`, events }]));
  });

  /** Executes statements as one transaction. */
  async function sql(text: string): Promise<void> {
    await environment.database.query(text);
  }

  /** A trigger for rows of a partition: what it does, in PL/pgSQL, before it lets the change pass. */
  async function trigger(
    when: string,
    work: string,
    { name = 'of_owner', on = table }: { name?: string; on?: string } = {},
  ): Promise<void> {
    await sql(`CREATE FUNCTION "${name}_${table}"() RETURNS trigger LANGUAGE plpgsql AS $$
               BEGIN ${work} RETURN coalesce(NEW, OLD); END $$;
               CREATE TRIGGER "${name}" ${when} ON ${on} FOR EACH ROW EXECUTE FUNCTION "${name}_${table}"()`);
  }

  async function changes(): Promise<string[]> {
    const made = await settledRuns(environment.database, tenant.orgId);
    return made
      .map(({ body: { type, record, old_record: old } }) => {
        const statuses = [old, record].flatMap((row) => (row === null ? [] : [String(row.status)]));
        return `${type} ${String((record ?? old)?.id)}: ${statuses.join(' to ')}`;
      })
      .sort();
  }

  const PAY_1 = (): string => `UPDATE ${table} SET status = 'paid' WHERE id = 1`;

  it.each([
    {
      write: 'insert another row',
      statement: `INSERT INTO $table (id, status) VALUES (4, 'odd')`,
      also: ['insert 4: odd'],
    },
    {
      write: 'update another row in its place',
      statement: `UPDATE $table SET n = n + 1 WHERE id = 9`,
      also: ['update 9: odd to odd'],
    },
    {
      write: 'move another row',
      statement: `UPDATE $table SET status = 'new' WHERE id = 9`,
      also: ['update 9: odd to new'],
    },
    { write: 'delete another row', statement: `DELETE FROM $table WHERE id = 9`, also: ['delete 9: odd'] },
    {
      write: 'fail to write, and catch the error',
      statement: `BEGIN UPDATE $table SET status = 'new', n = 1 / n WHERE id = 9;
                  EXCEPTION WHEN division_by_zero THEN NULL; END`,
      also: [],
    },
  ])('$write while a row moves has one run for each change', async ({ statement, also }) => {
    const work = `IF pg_trigger_depth() = 1 THEN ${statement.replaceAll('$table', table)}; END IF;`;
    for (const when of ['BEFORE UPDATE', 'BEFORE DELETE', 'BEFORE INSERT', 'AFTER DELETE', 'AFTER INSERT']) {
      await trigger(when, work);
      await sql(PAY_1());
      expect([when, ...(await changes())]).toEqual([when, ...also, 'update 1: new to paid'].sort());
      await sql(`DROP TRIGGER of_owner ON ${table}; DROP FUNCTION "of_owner_${table}";
                 SET service.skip_data_events = 'on'; DELETE FROM ${table};
                 INSERT INTO ${table} (id, status) VALUES (1, 'new'), (9, 'odd');
                 SET service.skip_data_events = 'off'`);
      await forgetRuns(environment.database, tenant.orgId);
    }
  });

  describe('cancel the arrival of a moved row', () => {
    beforeEach(async () => {
      await trigger('BEFORE INSERT', 'IF NEW.id <= 2 THEN RETURN NULL; END IF;', { on: `${table}_paid` });
    });

    it('have a run for its deletion', async () => {
      await sql(PAY_1());
      expect(await changes()).toEqual(['delete 1: new']);
    });

    it('have one for each row that is lost, beside those that arrive', async () => {
      await sql(`UPDATE ${table} SET status = CASE WHEN id = 9 THEN 'odd' ELSE 'paid' END, n = n + 1`);
      expect(await changes()).toEqual([
        'delete 1: new',
        'delete 2: new',
        'update 3: new to paid',
        'update 8: paid to paid',
        'update 9: odd to odd',
      ]);
    });

    it('have one for its deletion also where the same statement or the next one inserts a row', async () => {
      await sql(`MERGE INTO ${table} USING (VALUES (1), (4)) AS s (id) ON s.id = ${table}.id
                 WHEN MATCHED THEN UPDATE SET status = 'paid'
                 WHEN NOT MATCHED THEN INSERT (id, status) VALUES (s.id, 'new');
                 UPDATE ${table} SET status = 'paid' WHERE id = 2;
                 INSERT INTO ${table} (id, status) VALUES (5, 'paid')`);
      expect(await changes()).toEqual(['delete 1: new', 'delete 2: new', 'insert 4: new', 'insert 5: paid']);
    });

    it('have one for its deletion where a foreign key has moved it', async () => {
      await sql(`CREATE TABLE ${table}_of (status text PRIMARY KEY);
                 INSERT INTO ${table}_of VALUES ('new'), ('odd'), ('paid');
                 ALTER TABLE ${table} ADD FOREIGN KEY (status) REFERENCES ${table}_of ON UPDATE CASCADE;
                 DELETE FROM ${table} WHERE status = 'paid'; DELETE FROM ${table}_of WHERE status = 'paid'`);
      await forgetRuns(environment.database, tenant.orgId);
      await changes();
      await forgetRuns(environment.database, tenant.orgId);
      await sql(`UPDATE ${table}_of SET status = 'paid' WHERE status = 'new';
                 INSERT INTO ${table} (id, status) VALUES (6, 'odd')`);
      expect(await changes()).toEqual([
        'delete 1: new',
        'delete 2: new',
        'insert 6: odd',
        'update 3: new to paid',
      ]);
    });

    it('have none where the statement is rolled back to a savepoint', async () => {
      await sql(`BEGIN; SAVEPOINT a; ${PAY_1()}; ROLLBACK TO a;
                 INSERT INTO ${table} (id, status) VALUES (5, 'paid'); COMMIT`);
      expect(await changes()).toEqual(['insert 5: paid']);
    });
  });

  describe.each([
    { cancel: 'BEFORE UPDATE', name: 'of_owner' },
    { cancel: 'BEFORE UPDATE', name: LATE },
    { cancel: 'BEFORE DELETE', name: 'of_owner' },
    { cancel: 'BEFORE DELETE', name: '!' },
  ])('cancel the move of a row by the $cancel trigger "$name"', ({ cancel, name }) => {
    beforeEach(async () => {
      await trigger(cancel, `IF current_setting('test.cancel', true) = 'on' THEN RETURN NULL; END IF;`, {
        name,
      });
    });

    it.each([
      { next: 'none', statement: 'SELECT', expected: [] },
      { next: 'its deletion', statement: 'DELETE FROM $table WHERE id = 1', expected: ['delete 1: new'] },
      {
        next: 'its deletion and an insertion',
        statement: `DELETE FROM $table WHERE id = 1; INSERT INTO $table (id, status) VALUES (4, 'paid')`,
        expected: ['delete 1: new', 'insert 4: paid'],
      },
      {
        next: 'its deletion and an insertion by one statement',
        statement: `WITH gone AS (DELETE FROM $table WHERE id = 1 RETURNING id)
                    INSERT INTO $table (id, status) SELECT id, 'paid' FROM gone`,
        expected: ['delete 1: new', 'insert 1: paid'],
      },
      {
        next: 'its move',
        statement: `UPDATE $table SET status = 'paid' WHERE id = 1`,
        expected: ['update 1: new to paid'],
      },
    ])('have a run for what follows: $next', async ({ statement, expected }) => {
      await sql(`BEGIN; SET LOCAL test.cancel = 'on'; ${PAY_1()}; SET LOCAL test.cancel = 'off';
                 ${statement.replaceAll('$table', table)}; COMMIT`);
      expect(await changes()).toEqual(expected);
    });
  });

  it('move rows of it in functions that a statement calls have one run for each change', async () => {
    await sql(`CREATE FUNCTION paid_${table}() RETURNS text LANGUAGE plpgsql AS $$
               BEGIN UPDATE ${table} SET status = 'new' WHERE id = 9; RETURN 'paid'; END $$`);
    await sql(`UPDATE ${table} SET status = paid_${table}() WHERE id IN (1, 2)`);
    expect(await changes()).toEqual([
      'update 1: new to paid',
      'update 2: new to paid',
      'update 9: odd to new',
    ]);
  });
});
