import { POSTGRES_15, startPostgres15 } from '../../support/postgres-15.js';
import type { OldestPostgres } from '../../support/postgres-15.js';
import { DeployedDatabase } from './deployed-database.js';

/** Everything that the owner of tables and types can define for PostgreSQL to call in passing; each leaves its mark. */
const TRAPS = `
  CREATE TABLE shop.sprung (how text, as_role name);
  GRANT USAGE ON SCHEMA shop TO PUBLIC;
  GRANT INSERT ON shop.sprung TO PUBLIC;
  CREATE FUNCTION shop.spring(how text) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO shop.sprung VALUES (how, current_user);
      BEGIN EXECUTE 'GRANT SELECT ON service.users, service.signing_keys TO PUBLIC';
      EXCEPTION WHEN insufficient_privilege THEN NULL; END;
      RETURN true;
    END $$;
  CREATE TYPE shop.mood AS ENUM ('calm', 'wild');
  CREATE DOMAIN shop.tamed AS shop.mood;
  CREATE DOMAIN shop.small AS integer CHECK (shop.spring('check of a domain'));
  CREATE TYPE shop.pair AS (a integer, b shop.mood);
  CREATE TYPE shop.span AS RANGE (subtype = shop.mood);
  DO $$
    DECLARE source text; target text; place integer := 0;
    BEGIN
      FOREACH source IN ARRAY ARRAY['shop.mood', 'shop.pair', 'shop.span'] LOOP
        FOREACH target IN ARRAY ARRAY['json', 'jsonb', 'text', 'integer'] LOOP
          place := place + 1;
          EXECUTE format('CREATE FUNCTION shop.cast_%s(%s) RETURNS %s LANGUAGE sql AS
            $f$ SELECT CASE WHEN shop.spring(%L) THEN ''1''::%3$s END $f$', place, source, target, source || ' as ' || target);
          EXECUTE format('CREATE CAST (%s AS %s) WITH FUNCTION shop.cast_%s(%1$s) AS IMPLICIT', source, target, place);
        END LOOP;
        EXECUTE format('CREATE FUNCTION shop.unlike(%s, %1$s) RETURNS boolean LANGUAGE sql AS $f$ SELECT shop.spring(''operator'') $f$', source);
        EXECUTE format('CREATE OPERATOR shop.<> (LEFTARG = %s, RIGHTARG = %1$s, FUNCTION = shop.unlike)', source);
        EXECUTE format('CREATE OPERATOR shop.*<> (LEFTARG = %s, RIGHTARG = %1$s, FUNCTION = shop.unlike)', source);
        EXECUTE format('CREATE FUNCTION shop.to_jsonb(%s) RETURNS jsonb LANGUAGE sql AS $f$ SELECT to_json(shop.spring(''function''))::jsonb $f$', source);
        EXECUTE format('CREATE FUNCTION shop.format(text, %s) RETURNS text LANGUAGE sql AS $f$ SELECT shop.spring(''function'')::text $f$', source);
      END LOOP;
    END $$`;

const PLAIN_COLUMNS = 'id integer, org_id uuid, amount numeric, at timestamptz, tags text[], document jsonb';
const TRAPPED_COLUMNS =
  'mood shop.mood, tamed shop.tamed, pair shop.pair, moods shop.mood[], span shop.span, small shop.small, none shop.pair';
const VALUES = `1.10, '2026-01-01T00:00:00Z', '{a,b}', '{"n": 1}', 'wild', 'calm', '(7,wild)', '{calm,wild}', '[calm,wild)', 3, NULL`;
const RENDERED = {
  id: 1,
  amount: 1.1,
  at: '2026-01-01T00:00:00+00:00',
  tags: ['a', 'b'],
  document: { n: 1 },
  mood: 'wild',
  tamed: 'calm',
  pair: '(7,wild)',
  moods: '{calm,wild}',
  span: '[calm,wild)',
  small: 3,
  none: null,
};

const ACCOUNTS = [
  { account: 'a superuser', attributes: 'SUPERUSER', hasRole: false, isConfined: true },
  {
    account: 'an ordinary account that may create roles',
    attributes: 'CREATEROLE',
    hasRole: false,
    isConfined: true,
  },
  { account: 'an ordinary account that was given the role', attributes: '', hasRole: true, isConfined: true },
  {
    account: 'an ordinary account that may not create roles',
    attributes: '',
    hasRole: false,
    isConfined: false,
  },
];
const COMBINATIONS = [15, 18].flatMap((version) => ACCOUNTS.map((account) => ({ version, ...account })));

if (POSTGRES_15 === undefined)
  it.skip('PostgreSQL 15 is not installed: install the package postgresql-15 to run these tests on it', () =>
    undefined);

let oldest: OldestPostgres | null = null;

beforeAll(async () => {
  if (POSTGRES_15 !== undefined) oldest = await startPostgres15();
});

afterAll(async () => {
  await oldest?.stop();
});

describe.each(COMBINATIONS.filter(({ version }) => version !== 15 || POSTGRES_15 !== undefined))(
  'on PostgreSQL $version the capture of changes by $account',
  ({ version, attributes, hasRole, isConfined }) => {
    let deployed: DeployedDatabase;

    beforeAll(async () => {
      const server = version === 15 ? oldest?.url : process.env.TEST_POSTGRES_URL;
      if (server === undefined)
        throw new Error('run the tests with npm test, which starts PostgreSQL for them');
      deployed = await DeployedDatabase.make(server, attributes, hasRole);
      await deployed.asCustomer(TRAPS);
    });

    afterAll(async () => {
      await deployed.drop();
    });

    /** Writes as the customer, whose own names come first. */
    async function write(table: string): Promise<void> {
      await deployed.asCustomer(
        `SET search_path = shop, pg_catalog;
       INSERT INTO ${table} VALUES (1, '${deployed.tenantId}', ${VALUES});
       UPDATE ${table} SET amount = 2, mood = 'calm'; DELETE FROM ${table}`,
      );
    }

    async function expectNothingSprung(): Promise<void> {
      const sprung = await deployed.asSuperuser('SELECT DISTINCT how, as_role FROM shop.sprung ORDER BY how');
      expect(sprung).toEqual([{ how: 'check of a domain', as_role: deployed.customer }]);
      const secrets = await deployed.asSuperuser(
        `SELECT has_table_privilege('${deployed.customer}', name, 'SELECT') AS may FROM unnest('{users,signing_keys}'::text[]) name`,
      );
      expect(secrets).toEqual([{ may: false }, { may: false }]);
    }

    async function expectCaptured(table: string): Promise<void> {
      const events = await deployed.events();
      if (!isConfined) {
        expect(events).toEqual([]);
        return;
      }
      expect(events.map(({ table_name, event }) => [table_name, event])).toEqual(
        ['insert', 'update', 'delete'].map((event) => [table, event]),
      );
      expect(events[0]?.record).toEqual({ ...RENDERED, org_id: deployed.tenantId });
    }

    it('runs no code of a table’s owner whose traps were there before the table was watched', async () => {
      await deployed.asCustomer(`CREATE TABLE shop.before (${PLAIN_COLUMNS}, ${TRAPPED_COLUMNS})`);
      await deployed.watch('shop', 'before');
      await write('shop.before');
      await expectCaptured('shop.before');
      await expectNothingSprung();
    });

    it('runs no code of a table’s owner who sets traps once the table is watched', async () => {
      await deployed.asCustomer(`CREATE TABLE shop.after (${PLAIN_COLUMNS})`);
      await deployed.watch('shop', 'after');
      await deployed.asCustomer(`INSERT INTO shop.after VALUES (0, '${deployed.tenantId}')`);
      expect(await deployed.events()).toHaveLength(isConfined ? 1 : 0);
      const columns = TRAPPED_COLUMNS.split(', ').map((column) => `ADD COLUMN ${column}`);
      await deployed.asCustomer(`DELETE FROM shop.after; ALTER TABLE shop.after ${columns.join(', ')}`);
      await deployed.events();
      await write('shop.after');
      await expectCaptured('shop.after');
      await expectNothingSprung();
    });

    it('runs no code of a partitioned table’s owner, nor for rows that are too large to be delivered whole', async () => {
      await deployed.asCustomer(
        `CREATE TABLE shop.parted (${PLAIN_COLUMNS}, ${TRAPPED_COLUMNS}, body text) PARTITION BY RANGE (id);
       CREATE TABLE shop.part PARTITION OF shop.parted DEFAULT; ALTER TABLE shop.before ADD COLUMN body text`,
      );
      await deployed.watch('shop', 'parted');
      for (const table of ['shop.parted', 'shop.before'])
        await deployed.asCustomer(
          `INSERT INTO ${table} VALUES (1, '${deployed.tenantId}', ${VALUES}, repeat('0123456789', 200000));
         UPDATE ${table} SET body = NULL`,
        );
      const events = await deployed.events();
      const whole = { ...RENDERED, org_id: deployed.tenantId, body: null };
      expect(events.map(({ record }) => record)).toEqual(isConfined ? [whole, whole, whole, whole] : []);
      await expectNothingSprung();
    });

    it('does not let anyone pass changes off as those of another table', async () => {
      await deployed.asAccount('CREATE TABLE public.orders (id integer, org_id uuid)');
      await deployed.watch('public', 'orders', deployed.otherTenantId);
      const forge = `
      CREATE TABLE IF NOT EXISTS shop.orders (id integer, org_id uuid);
      CREATE TRIGGER forge AFTER INSERT ON shop.orders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
      EXECUTE FUNCTION service.capture_data_events('public', 'orders', 'org_id')`;
      await expect(deployed.asCustomer(forge)).rejects.toMatchObject({ code: '42501' });
      await expect(
        deployed.asCustomer('INSERT INTO service.data_events DEFAULT VALUES'),
      ).rejects.toMatchObject({
        code: '42501',
      });
      // As a dump without privileges leaves it.
      await deployed.asSuperuser(
        'GRANT USAGE ON SCHEMA service TO PUBLIC; GRANT EXECUTE ON FUNCTION service.capture_data_events() TO PUBLIC',
      );
      await deployed.asCustomer(forge);
      await deployed.asCustomer(`INSERT INTO shop.orders VALUES (1, '${deployed.otherTenantId}')`);
      expect(await deployed.events()).toEqual([]);
      await deployed.asAccount(`INSERT INTO public.orders VALUES (1, '${deployed.otherTenantId}')`);
      expect(await deployed.events()).toMatchObject([{ table_name: 'public.orders', record: { id: 1 } }]);
    });

    it(
      isConfined
        ? 'belongs to a role that cannot log in and may add events and nothing else'
        : 'is left to the account, and so refuses tables and types of others',
      async () => {
        const database = await deployed.database();
        await database.transaction((tx) => deployed.triggers.confineCapture(tx));
        expect(await deployed.triggers.isCaptureConfined(database.reader)).toBe(isConfined);
        await deployed.asAccount('CREATE TABLE public.trusted (id integer, org_id uuid)');
        await deployed.asAccount('CREATE TABLE public.mixed (org_id uuid, feelings shop.mood[])');
        const facts = await deployed.triggers.findFacts(
          database.reader,
          ['shop.before', 'public.mixed', 'public.trusted'].map((table) => {
            const [schema = '', name = ''] = table.split('.');
            return { schema, name };
          }),
          'org_id',
        );
        const strangers = facts.map(({ stranger }) => stranger);
        if (isConfined) {
          expect(strangers).toEqual([null, null, null]);
          const role = `${deployed.account}_capture`;
          const rights = await deployed.asSuperuser(
            `SELECT rolcanlogin, rolsuper, (SELECT array_agg(privilege ORDER BY privilege) FROM (
           SELECT DISTINCT relname || ' ' || privilege_type AS privilege
           FROM pg_class CROSS JOIN LATERAL aclexplode(relacl) WHERE grantee = pg_roles.oid) AS granted) AS rights,
           has_schema_privilege(rolname, 'service', 'CREATE') AS creates
         FROM pg_roles WHERE rolname = '${role}'`,
          );
          expect(rights).toEqual([
            {
              rolcanlogin: false,
              rolsuper: false,
              rights: ['data_events INSERT', 'data_triggers SELECT'],
              creates: false,
            },
          ]);
          return;
        }
        expect(strangers).toEqual([
          `belongs to the account ${deployed.customer}`,
          `has a column feelings of the type shop.mood[], which belongs to the account ${deployed.customer}`,
          null,
        ]);
        // What is watched already and given away is not captured any more.
        await deployed.watch('public', 'trusted');
        const insert = `INSERT INTO public.trusted VALUES (1, '${deployed.tenantId}')`;
        await deployed.asAccount(insert);
        expect(await deployed.events()).toHaveLength(1);
        await deployed.asSuperuser(`ALTER TABLE public.trusted OWNER TO ${deployed.customer}`);
        await deployed.asCustomer(insert);
        expect(await deployed.events()).toEqual([]);
      },
    );
  },
);
