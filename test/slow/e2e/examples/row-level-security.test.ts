import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { makeKey } from '../../../support/api-keys.js';
import { Client, signUpOwner } from '../../../support/client.js';
import { createEmptyDatabase } from '../../../support/database.js';
import type { TestDatabase } from '../../../support/database.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { freePort } from '../../../support/free-port.js';
import { endedRun, registerJobs, trigger } from '../../../support/runs.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { ExampleProcess } from './example-process.js';

const FOLDER = new URL('../../../../examples/row-level-security/', import.meta.url);
const GUIDE = new URL('../../../../docs/row-level-security.md', import.meta.url);

type Owner = Awaited<ReturnType<typeof signUpOwner>>;

describe('the example of row level security', () => {
  let environment: TestEnvironment;
  let orders: TestDatabase;
  let service: ServiceInProcess;
  let example: ExampleProcess;
  let role: string;
  let [ada, bob]: Owner[] = [];

  beforeAll(async () => {
    [environment, orders] = await Promise.all([createEnvironment(), createEmptyDatabase()]);
    // A role belongs to the whole server, which other suites use.
    role = `orders_app_${new URL(orders.url).pathname.slice(1)}`;
    const schema = await readFile(new URL('schema.sql', FOLDER), 'utf8');
    await orders.query(schema.replaceAll('orders_app', role));
    const url = Object.assign(new URL(orders.url), { username: role, password: 'orders' });
    const port = String(await freePort());
    service = await ServiceInProcess.start({
      ...environment.variables,
      'SERVICE_FUNCTIONS__HANDLERS__list-orders': `http://127.0.0.1:${port}/handlers/list-orders`,
    });
    example = await ExampleProcess.start('row-level-security', 'app.mjs', ['express', 'pg'], {
      PORT: port,
      SERVICE_URL: service.url,
      DATABASE_URL: url.href,
    });
    [ada, bob] = [await signUpOwner(service.url), await signUpOwner(service.url)];
  });

  afterAll(async () => {
    await example.stop();
    await service.stop();
    await orders.query(`DROP OWNED BY ${role}`);
    await orders.query(`DROP ROLE ${role}`);
    await Promise.all([orders.drop(), environment.dispose()]);
  });

  /** The program, called by an owner. */
  const of = (owner: Owner | undefined): Client => new Client(example.url ?? '').as(owner?.accessToken ?? '');

  it('shows a request and a job of an organization its rows alone', async () => {
    for (const [owner, item] of [
      [ada, 'tea'],
      [bob, 'coffee'],
    ] as const)
      expect((await of(owner).post('/orders', { item })).status).toBe(201);
    for (const [owner, item] of [
      [ada, 'tea'],
      [bob, 'coffee'],
    ] as const) {
      if (owner === undefined) throw new Error('nobody signed up');
      for (const client of [of(owner), of(owner).in(owner.slug), of(owner).in(owner.orgId)])
        expect((await client.get('/orders')).body).toEqual([{ item }]);
      const { key } = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
      expect((await new Client(example.url ?? '').with({ 'x-api-key': key }).get('/orders')).body).toEqual([
        { item },
      ]);
      await registerJobs(owner.client, { 'list-orders': { retries: 0 } });
      const { id } = await trigger(owner.client, 'list-orders');
      expect(await endedRun(owner.client, id)).toMatchObject({ status: 'completed', result: [{ item }] });
    }
  });

  it('lets nobody choose another tenant: not by headers, and not without a run token', async () => {
    const { orgId = '' } = bob ?? {};
    expect((await of(ada).in(orgId).get('/orders')).status).toBe(403);
    const job = (client: Client): Promise<{ status: number }> => client.post('/handlers/list-orders');
    expect((await job(of(ada).in(orgId))).status).toBe(401);
    expect((await job(new Client(example.url ?? '').in(orgId))).status).toBe(401);
  });

  it('keeps a program that forgets the tenant from every row', async () => {
    const url = Object.assign(new URL(orders.url), { username: role, password: 'orders' });
    const connection = new pg.Client({ connectionString: url.href });
    await connection.connect();
    try {
      expect((await connection.query('SELECT * FROM orders')).rows).toEqual([]);
      await expect(connection.query("INSERT INTO orders (item) VALUES ('tea')")).rejects.toThrow();
      await expect(
        connection.query("INSERT INTO orders (tenant, item) VALUES ($1, 'tea')", [ada?.orgId]),
      ).rejects.toThrow(/row-level security/);
      // As after a transaction that had set it.
      await connection.query("BEGIN; SELECT set_config('app.tenant', 'x', true); COMMIT");
      expect((await connection.query('SELECT * FROM orders')).rows).toEqual([]);
    } finally {
      await connection.end();
    }
  });

  it('is what the guide shows', async () => {
    const [guide, program, schema] = await Promise.all([
      readFile(GUIDE, 'utf8'),
      readFile(new URL('app.mjs', FOLDER), 'utf8'),
      readFile(new URL('schema.sql', FOLDER), 'utf8'),
    ]);
    const shown = [...guide.matchAll(/^```(?:js|sql)\n(.*?)^```$/gms)].map(([, text = '']) => text);
    expect(shown).toHaveLength(4);
    const unindented = (text: string): string => text.replaceAll(/^ +/gm, '');
    for (const text of shown) expect(unindented(`${program}${schema}`)).toContain(unindented(text));
  });
});
