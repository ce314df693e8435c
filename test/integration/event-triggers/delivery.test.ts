import { EventRelay } from '../../../src/jobs/index.js';
import { Database } from '../../../src/platform/database/index.js';
import type { Tx } from '../../../src/platform/database/index.js';
import { AuditTrail, SYSTEM } from '../../../src/audit/index.js';
import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { eventRuns, job, listener, register } from './listening.js';

const MAX_RUNS = 8;
const DAY_MS = 86_400_000;

/** No scheduler is up: the relay works when a test says so. */
describe('the delivery of an event', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let client: Client;
  let tenantId: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    for (const handler of ['listener', 'work'])
      await environment.deploy(handler, 'export default () => Response.json({})');
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_LIMITS__WAITING_RUNS: String(MAX_RUNS),
    });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    ({ client, orgId: tenantId } = await signUpOwner(service.url));
    await register(client, job('work'), listener('watch', [{ events: ['secret.changed', 'run.cancelled'] }]));
  });

  async function sql(text: string): Promise<void> {
    await environment.database.query(text);
  }

  async function change(path: string): Promise<void> {
    const { status } = await client.send('PUT', `/vault/v1/secrets/${path}`, { value: 'v' });
    expect(status).toBe(204);
  }

  async function captured(): Promise<{ refusal: string | null }[]> {
    return await environment.database.query<{ refusal: string | null }>(
      'SELECT refusal FROM tenant_events WHERE tenant_id = $1 ORDER BY id',
      [tenantId],
    );
  }

  async function paths(): Promise<unknown[]> {
    return (await eventRuns(environment.database, tenantId)).map(({ body }) => body.data.path);
  }

  function relay(): EventRelay {
    return service.application.get(EventRelay);
  }

  async function relayAll(): Promise<void> {
    while (await relay().doSome());
  }

  async function record(tx: Tx, path: string): Promise<void> {
    const target = { type: 'secret', id: path };
    const entry = {
      actor: SYSTEM,
      action: 'secret.set',
      target,
      tenantId,
      userId: null,
      origin: null,
    };
    await service.application.get(AuditTrail).append(tx, entry);
  }

  it('waits in the outbox until it becomes a run, and only if the transaction that had it commits', async () => {
    const database = service.application.get(Database);
    const rolledBack = database.transaction(async (tx) => {
      await record(tx, 'rolled-back');
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await database.transaction((tx) => record(tx, 'committed'));
    expect([await captured(), await paths()]).toEqual([[{ refusal: null }], []]);
    await relayAll();
    expect([await captured(), await paths()]).toEqual([[], ['committed']]);
  });

  it('happens once, wherever the relay is killed: before or after each of its statements, or at its commit', async () => {
    const moments = [
      'BEFORE UPDATE ON tenant_events FOR EACH STATEMENT',
      'AFTER UPDATE ON tenant_events FOR EACH STATEMENT',
      'AFTER DELETE ON tenant_events FOR EACH STATEMENT',
      'BEFORE INSERT ON runs_active FOR EACH STATEMENT',
      'AFTER INSERT ON runs_active FOR EACH STATEMENT',
      'AFTER INSERT ON runs_active DEFERRABLE INITIALLY DEFERRED FOR EACH ROW',
    ];
    await sql(`CREATE SEQUENCE kills;
      CREATE FUNCTION die_once() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- The connection ends with its transaction, as when the process is killed.
        IF nextval('public.kills') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); END IF;
        RETURN NULL;
      END $$`);
    for (const [n, moment] of moments.entries()) {
      const kind = moment.includes('DEFERRABLE') ? 'CONSTRAINT TRIGGER' : 'TRIGGER';
      await change(`secret-${n}`);
      await sql(
        `ALTER SEQUENCE kills RESTART; CREATE ${kind} die_once ${moment} EXECUTE FUNCTION die_once()`,
      );
      const outcome = await relay()
        .doSome()
        .then(
          () => 'done',
          () => 'killed',
        );
      expect([moment, outcome]).toEqual([moment, 'killed']);
      expect(await captured()).toHaveLength(1);
      // The client learns of its death before the server releases its locks, and others skip what is locked.
      await until(async () => {
        await relayAll();
        return (await captured()).length === 0;
      });
      await sql(
        `DROP TRIGGER die_once ON ${moment.includes('tenant_events') ? 'tenant_events' : 'runs_active'}`,
      );
    }
    await sql('DROP FUNCTION die_once CASCADE; DROP SEQUENCE kills');
    expect(await paths()).toEqual(moments.map((_moment, n) => `secret-${n}`));
    expect(await captured()).toEqual([]);
  });

  it('happens once with several relays at a time', async () => {
    const many = Array.from({ length: MAX_RUNS }, (_none, n) => `secret-${n}`);
    const taking = { isOver: false };
    const takers = Array.from({ length: 3 }, async () => {
      while (!taking.isOver) await relay().doSome();
    });
    for (const path of many) await change(path);
    await until(async () => (await captured()).length === 0);
    taking.isOver = true;
    await Promise.all(takers);
    expect((await paths()).sort()).toEqual(many);
  });

  it('waits while its tenant has reached its quota of waiting runs, and blocks no other tenant', async () => {
    const ids: string[] = [];
    while (ids.length < MAX_RUNS) ids.push((await trigger(client, 'work', { delay_ms: DAY_MS })).id);
    await change('one');
    await change('two');
    const other = await signUpOwner(service.url);
    await register(other.client, listener('watch', [{ events: ['secret.changed'] }]));
    await other.client.send('PUT', '/vault/v1/secrets/other', { value: 'v' });
    await relay().doSome();
    expect(await eventRuns(environment.database, other.orgId)).toHaveLength(1);
    expect([await captured(), await paths()]).toEqual([
      [{ refusal: 'waits for room' }, { refusal: 'waits for room' }],
      [],
    ]);
    for (const id of ids.slice(0, 4)) await client.post(`/jobs/v1/runs/${id}/cancel`);
    await relayAll();
    expect(await paths()).toHaveLength(4);
    expect(await captured()).toHaveLength(2);
    for (const id of ids.slice(4)) await client.post(`/jobs/v1/runs/${id}/cancel`);
    await until(async () => {
      await relay().doSome();
      return (await paths()).length === MAX_RUNS;
    });
    expect((await paths()).filter((path) => path !== undefined).sort()).toEqual(['one', 'two']);
  });

  it('costs what happens in a tenant without listeners no further statement and no row', async () => {
    const other = await signUpOwner(service.url);
    await register(other.client, job('work'));
    const put = (): Promise<unknown> => other.client.send('PUT', '/vault/v1/secrets/counted', { value: 'v' });
    await put();
    const without = (await service.statementsOnceWarm(put)).length;
    await register(other.client, listener('watch', [{ events: ['secret.changed'] }]));
    const listened = await service.statementsOnceWarm(put);
    expect(listened).toHaveLength(without);
    const rows = await environment.database.query('SELECT FROM tenant_events WHERE tenant_id = $1', [
      other.orgId,
    ]);
    // Two changes after the registration.
    expect(rows).toHaveLength(2);
  });

  it('is dropped when its job is paused or deleted before it becomes a run', async () => {
    await change('one');
    await client.send('PATCH', '/jobs/v1/jobs/watch', { paused: true });
    await relayAll();
    await client.send('PATCH', '/jobs/v1/jobs/watch', { paused: false });
    await change('two');
    await client.send('DELETE', '/jobs/v1/jobs/watch');
    await relayAll();
    expect([await captured(), await paths()]).toEqual([[], []]);
  });
});
