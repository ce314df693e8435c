import type pg from 'pg';
import { DataEventRelay } from '../../../../src/jobs/data-events/data-event-relay.js';
import { DataEventRepository } from '../../../../src/jobs/data-events/data-event.repository.js';
import { RunEnqueuer } from '../../../../src/jobs/runs/enqueue/run-enqueuer.js';
import { CONFIG } from '../../../../src/platform/config/index.js';
import type { Config } from '../../../../src/platform/config/index.js';
import { Database } from '../../../../src/platform/database/index.js';
import { Client } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { HandlerServer } from '../../../support/handler-server.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { ROW_COLUMN } from '../../../support/profile.js';
import { until } from '../../../support/until.js';
import {
  connect,
  dataJob,
  dataRuns,
  forgetRuns,
  newTenant,
  register,
  settledRuns,
} from '../../../integration/data-events/watched.js';
import type { Tenant } from '../../../integration/data-events/watched.js';

const BULK = 10_000;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DEADLOCK_DETECTED = '40P01';

/** Before an event is set aside, another instance takes in hand what is the oldest. */
class Overtaken extends DataEventRepository {
  constructor(private readonly other: pg.Client) {
    super();
  }

  override async setAside(
    ...given: Parameters<DataEventRepository['setAside']>
  ): ReturnType<DataEventRepository['setAside']> {
    await this.other.query(
      'SELECT FROM data_events WHERE refusal IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED',
    );
    return await super.setAside(...given);
  }
}

/** Its first batch cannot be taken, and then there are no events. */
class RefusedOnce extends DataEventRepository {
  resumed = 0;

  override resume(): Promise<void> {
    this.resumed += 1;
    return Promise.resolve();
  }

  override take(): ReturnType<DataEventRepository['take']> {
    return this.resumed === 1
      ? Promise.reject(new Error('no room'))
      : Promise.resolve({ events: [], hasPostponed: false });
  }

  override lockOldest(): Promise<null> {
    return Promise.resolve(null);
  }
}

describe('the delivery of a row change', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let variables: Record<string, string>;
  let services: ServiceInProcess[] = [];
  let tenant: Tenant;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    variables = {
      ...environment.variables,
      ...handlers.variables,
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100',
    };
    delete variables.SERVICE_FUNCTIONS__DIR;
    await start();
    tenant = await newTenant(url());
    await sql(`CREATE TABLE orders (id int, ${ROW_COLUMN} uuid)`);
    await register(tenant, dataJob('watch', [{ table: 'public.orders', events: ['insert'] }]));
  });

  afterAll(async () => {
    await stopAll();
    await Promise.all([handlers.stop(), environment.dispose()]);
  });

  beforeEach(async () => {
    await forgetRuns(environment.database, tenant.orgId);
  });

  async function sql(text: string): Promise<void> {
    await environment.database.query(text);
  }

  /** Changes `runs` while a program works on it: each may wait for the other, and then either is told of a deadlock. */
  async function alterRuns(text: string): Promise<void> {
    for (;;)
      try {
        await sql(text);
        return;
      } catch (error) {
        if ((error as { code?: unknown }).code !== DEADLOCK_DETECTED) throw error;
      }
  }

  async function start(role = 'all'): Promise<void> {
    services.push(await ServiceInProcess.start({ ...variables, SERVICE_ROLE: role }));
  }

  async function stopAll(): Promise<void> {
    for (const service of services) await service.stop();
    services = [];
  }

  function url(): string {
    return services[0]?.url ?? '';
  }

  /** As the database captures it. */
  async function event(jobId: string, type: string): Promise<void> {
    await environment.database.query(
      `INSERT INTO data_events (tenant_id, job_id, table_name, event, bytes, occurred_at)
       VALUES ($1, $2, 'public.orders', $3, 0, now())`,
      [tenant.orgId, jobId, type],
    );
  }

  function relay(): DataEventRelay {
    const service = services[0];
    if (service === undefined) throw new Error('no instance is up');
    return service.application.get(DataEventRelay);
  }

  it(`creates ${BULK} runs for a bulk insert of ${BULK} rows, one for each row, and all of them end`, async () => {
    await sql(`INSERT INTO orders SELECT g, '${tenant.orgId}' FROM generate_series(1, ${BULK}) g`);
    const runs = await settledRuns(environment.database, tenant.orgId);
    const ids = runs.map(({ body }) => Number(body.record?.id));
    expect(ids).toHaveLength(BULK);
    expect(new Set(ids).size).toBe(BULK);
    await until(async () => {
      const { length } = await environment.database.query(
        `SELECT FROM runs WHERE status = 'completed' LIMIT 200`,
      );
      return length === 200;
    }, 30_000);
  });

  it('creates runs, once the program is running again, for rows that were written while every instance was down', async () => {
    await stopAll();
    await sql(`INSERT INTO orders SELECT g, '${tenant.orgId}' FROM generate_series(1, 20) g`);
    await start();
    tenant = { ...tenant, client: new Client(url(), tenant.client.headers) };
    expect(await settledRuns(environment.database, tenant.orgId)).toHaveLength(20);
  });

  it('loses no change of concurrent writers that commit out of order', async () => {
    const writers = await Promise.all(Array.from({ length: 8 }, () => connect(environment.database.url)));
    for (const [index, writer] of writers.entries()) {
      await writer.query('BEGIN');
      await writer.query(`INSERT INTO orders VALUES (${index}, '${tenant.orgId}')`);
    }
    // The last to take its numbers commits first, and what it wrote is taken before the next one commits.
    for (const [count, writer] of writers.reverse().entries()) {
      await writer.query('COMMIT');
      await until(async () => (await dataRuns(environment.database, tenant.orgId)).length === count + 1);
      await writer.end();
    }
    const runs = await dataRuns(environment.database, tenant.orgId);
    expect(runs.map(({ body }) => body.record?.id)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
  });

  it('gives each change to only one of several instances that fetch changes at the same time', async () => {
    await sql(`UPDATE jobs SET paused = false`);
    const writer = await connect(environment.database.url);
    const taking = { isOver: false };
    const takers = Array.from({ length: 4 }, async () => {
      while (!taking.isOver) await relay().doSome();
    });
    for (let batch = 0; batch < 20; batch += 1)
      await writer.query(
        `INSERT INTO orders SELECT g, '${tenant.orgId}' FROM generate_series(${batch * 100}, ${batch * 100 + 99}) g`,
      );
    await writer.end();
    const runs = await settledRuns(environment.database, tenant.orgId);
    taking.isOver = true;
    await Promise.all(takers);
    expect(new Set(runs.map(({ body }) => body.record?.id)).size).toBe(2000);
    expect(runs).toHaveLength(2000);
  });

  it('drops waiting changes of a job that is paused or deleted, and keeps no trace of them', async () => {
    await sql(`INSERT INTO data_events (tenant_id, job_id, table_name, event, bytes, occurred_at)
               VALUES ('${tenant.orgId}', 'gone', 'public.orders', 'insert', 0, now())`);
    expect(await settledRuns(environment.database, tenant.orgId)).toEqual([]);
  });

  it('does not let a change that cannot become a run delay others, and keeps it with the reason', async () => {
    await alterRuns(`ALTER TABLE runs ADD CONSTRAINT refuses CHECK (payload ->> 'type' <> 'broken')`);
    await sql(`INSERT INTO data_events (tenant_id, job_id, table_name, event, bytes, occurred_at)
               SELECT '${tenant.orgId}', 'watch', 'public.orders', CASE g WHEN 2 THEN 'broken' ELSE 'insert' END, 0, now()
               FROM generate_series(1, 4) g`);
    await until(async () => (await dataRuns(environment.database, tenant.orgId)).length === 3);
    await until(async () => {
      const left = await environment.database.query<{ refusal: string | null }>(
        'SELECT refusal FROM data_events',
      );
      return left.length === 1 && left[0]?.refusal?.includes('refuses') === true;
    });
    await alterRuns('DELETE FROM data_events; ALTER TABLE runs DROP CONSTRAINT refuses');
  });

  it('sets aside only the change that cannot become a run, even if another instance tries it too', async () => {
    await register(
      tenant,
      dataJob('watch', [{ table: 'public.orders', events: ['insert'] }]),
      dataJob('held', [{ table: 'public.orders', events: ['delete'] }]),
    );
    await alterRuns(`ALTER TABLE runs ADD CONSTRAINT refuses CHECK (payload ->> 'type' <> 'broken')`);
    const [deletion, other] = [
      await connect(environment.database.url),
      await connect(environment.database.url),
    ];
    try {
      // Whoever ticks here waits for this job, and leaves what follows to the test.
      await deletion.query('BEGIN');
      await deletion.query(`SELECT FROM jobs WHERE id = 'held' FOR UPDATE`);
      await event('held', 'delete');
      await until(async () => {
        const waiting = await environment.database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
      await event('watch', 'broken');
      await event('watch', 'insert');
      await other.query('BEGIN');
      const { application } = services[0] as ServiceInProcess;
      const elsewhere = new DataEventRelay(
        application.get(Database),
        new Overtaken(other),
        application.get(RunEnqueuer),
        application.get<Config>(CONFIG),
      );
      for (let time = 0; time < 4; time += 1) await elsewhere.doSome();
      expect(
        (await dataRuns(environment.database, tenant.orgId)).map(({ trigger }) => trigger.event),
      ).toEqual(['insert']);
      expect(await environment.database.query('SELECT FROM data_events WHERE refusal IS NOT NULL')).toEqual(
        [],
      );
    } finally {
      await Promise.all([deletion.end(), other.end()]);
    }
    await until(async () => {
      const left = await environment.database.query<{ event: string; isKept: boolean }>(
        'SELECT event, refusal IS NOT NULL AS "isKept" FROM data_events',
      );
      return JSON.stringify(left) === '[{"event":"broken","isKept":true}]';
    });
    await alterRuns('DELETE FROM data_events; ALTER TABLE runs DROP CONSTRAINT refuses');
  });

  it('resumes events that wait for a quota as soon as no others are left, after a batch that was not accepted', async () => {
    const { application } = services[0] as ServiceInProcess;
    const events = new RefusedOnce();
    const elsewhere = new DataEventRelay(
      application.get(Database),
      events,
      application.get(RunEnqueuer),
      application.get<Config>(CONFIG),
    );
    // The batch, the look for its cause, the next batch.
    for (let time = 0; time < 3; time += 1) await elsewhere.doSome();
    expect(events.resumed).toBe(2);
  });

  it('does not fail a change because of concurrent changes by others', async () => {
    await alterRuns(`CREATE SEQUENCE tries;
      CREATE FUNCTION lose_a_deadlock() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('public.tries') <= 3 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER lose_a_deadlock BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION lose_a_deadlock()`);
    await event('watch', 'insert');
    expect(await settledRuns(environment.database, tenant.orgId)).toHaveLength(1);
    await alterRuns('DROP FUNCTION lose_a_deadlock CASCADE; DROP SEQUENCE tries');
  });

  it('starts in the statement of the scheduler’s tick, and costs an idle tick nothing extra', async () => {
    const service = services[0];
    const startedAt = Date.now();
    const statements = await service?.statementsOf(() => until(() => Date.now() - startedAt > 1000));
    const naming = (statements ?? []).filter((text) => text.includes('data_events'));
    expect(naming.length).toBeGreaterThan(3);
    expect(naming.filter((text) => !text.includes('INSERT INTO schedulers'))).toEqual([]);
  });
});
