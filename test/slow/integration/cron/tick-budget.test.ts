import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CronSchedule } from '../../../../src/scheduler/cron/index.js';
import { SchedulerTick } from '../../../../src/scheduler/index.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ScheduleClock } from '../../../support/schedule-clock.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';

const TICK_MS = 100;
const JOBS = 100_000;

/** Jobs of many tenants, each with a daily schedule. */
const ADD_JOBS = `
  WITH job AS (
    INSERT INTO jobs (tenant_id, id, name, handler, timeout_ms, retries, retry_backoff, triggers)
    SELECT ('00000000-0000-7000-8000-' || lpad((number % 1000)::text, 12, '0'))::uuid, 'job-' || number, 'Job', 'echo',
           1000, 0, '{}', '[]'
    FROM generate_series(1, $1::int) AS number
    RETURNING tenant_id, id
  ), queue AS (
    INSERT INTO tenant_queues (tenant_id) SELECT DISTINCT tenant_id FROM job
  )
  INSERT INTO cron_triggers (tenant_id, job_id, position, schedule, timezone, misfire, payload, settled_until, next_fire_at)
  SELECT tenant_id, id, 0, '0 12 * * *', 'UTC', 'once', '{}', '2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z' FROM job`;

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(plan: PlanNode | undefined): PlanNode[] {
  return plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap((below) => nodesOf(below))];
}

describe('a scheduler over 100,000 cron jobs', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let clock: ScheduleClock;

  beforeAll(async () => {
    environment = await createEnvironment();
    clock = await ScheduleClock.takeOver(environment.database, '2026-03-02T11:59:30Z');
    await environment.database.query(ADD_JOBS, [JOBS]);
    await environment.database.query('ANALYZE');
    const variables: Record<string, string> = { ...environment.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({
      ...variables,
      SERVICE_ROLE: 'scheduler',
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: String(TICK_MS),
    });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  /** Statements of the tick; the sweeper's and the metrics' own are about other tables. */
  function ofTheTick(statements: readonly string[]): string[] {
    return statements.filter((sql) => /\bschedulers\b|\bcron_triggers\b|exchange_runs_1/.test(sql));
  }

  /** Waits until the scheduler has ticked more than so many times. */
  async function beats(count: number): Promise<void> {
    const seen = new Set<number>();
    await until(async () => {
      const [beat] = await environment.database.query<{ at: Date }>('SELECT ticked_at AS at FROM schedulers');
      return seen.add(beat?.at.getTime() ?? 0).size > count;
    });
  }

  it('executes only its heartbeat in an idle tick', async () => {
    const statements = await service.statementsOf(() => beats(10));
    const ofTick = ofTheTick(statements);
    expect(ofTick.length).toBeGreaterThanOrEqual(10);
    expect(ofTick.filter((sql) => !sql.includes('INSERT INTO schedulers'))).toEqual([]);
  });

  it('answers an idle tick from a few pages of an index, however many jobs there are', async () => {
    const statements = await service.statementsOf(() => beats(1));
    const [heartbeat] = statements.filter((sql) => sql.includes('INSERT INTO schedulers'));
    const [explained] = await environment.database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${heartbeat ?? ''}`,
      [randomUUID()],
    );
    const scans = nodesOf(explained?.['QUERY PLAN'][0].Plan).filter(
      (node) => node['Relation Name'] === 'cron_triggers',
    );
    expect(scans.map((node) => node['Index Name'])).toEqual(['cron_triggers_due', 'cron_triggers_due']);
    const pages = scans.map((node) => node['Shared Hit Blocks'] + node['Shared Read Blocks']);
    expect(Math.max(...pages)).toBeLessThanOrEqual(5);
  });

  it('computes the next instant once for all triggers that share a schedule', async () => {
    const next = jest.spyOn(CronSchedule.prototype, 'firstAfter');
    await environment.database.query(
      `UPDATE cron_triggers SET settled_until = '2026-03-01T12:00:00Z', next_fire_at = '2026-03-02T11:59:35Z'
       WHERE job_id IN (SELECT 'job-' || number FROM generate_series(50001, 50300) AS number)`,
    );
    await clock.set('2026-03-02T11:59:36Z');
    await clock.settled();
    const calls = next.mock.calls.length;
    next.mockRestore();
    const fired = await environment.database.query(
      `SELECT FROM runs WHERE scheduled_for = '2026-03-02T11:59:35Z'`,
    );
    expect(fired).toHaveLength(300);
    expect(calls).toBeLessThan(20);
  });

  it('executes four statements for each 500 due triggers', async () => {
    const due = 2600;
    await environment.database.query(
      `UPDATE cron_triggers SET next_fire_at = '2026-03-03T12:00:00Z'
       WHERE job_id NOT IN (SELECT 'job-' || number FROM generate_series(1, $1::int) AS number)`,
      [due],
    );
    const statements = await service.statementsOf(async () => {
      await clock.set('2026-03-02T12:00:05Z');
      await clock.settled();
    });
    const [counted] = await environment.database.query<{ runs: string; once: string }>(
      `SELECT count(*) AS runs, count(DISTINCT job_id) AS once FROM runs
       WHERE scheduled_for = '2026-03-02T12:00:00Z'`,
    );
    expect(counted).toEqual({ runs: String(due), once: String(due) });
    const ofTick = ofTheTick(statements);
    const batches = Math.ceil(due / 500);
    expect(ofTick.filter((sql) => sql.includes('SKIP LOCKED'))).toHaveLength(batches);
    expect(ofTick.filter((sql) => sql.includes('exchange_runs_1'))).toHaveLength(batches);
    expect(ofTick.filter((sql) => sql.includes('UPDATE cron_triggers'))).toHaveLength(batches);
  });

  it('finds other work with the same statement, and a failure there does not delay anything else', async () => {
    let failures = 0;
    service.application.get(SchedulerTick).lookFor({
      name: 'failing',
      isDue: 'EXISTS (SELECT FROM schedulers)',
      doSome: () => {
        failures += 1;
        return Promise.reject(new Error('not today'));
      },
    });
    await environment.database.query(
      `UPDATE cron_triggers SET next_fire_at = '2026-03-03T12:00:00Z' WHERE job_id = 'job-1'`,
    );
    const statements = await service.statementsOf(async () => {
      await clock.set('2026-03-03T11:59:59Z');
      await until(() => failures > 2);
    });
    expect(ofTheTick(statements).every((sql) => sql.includes('INSERT INTO schedulers'))).toBe(true);
    await environment.database.query(
      `UPDATE cron_triggers SET next_fire_at = '2026-03-04T12:00:00Z' WHERE job_id <> 'job-1'`,
    );
    await clock.set('2026-03-03T12:00:01Z');
    await clock.settled();
    const found = await environment.database.query(
      `SELECT job_id FROM runs WHERE scheduled_for = '2026-03-03T12:00:00Z'`,
    );
    expect(found).toEqual([{ job_id: 'job-1' }]);
  });
});

describe('a scheduler that ticks once a minute', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let clock: ScheduleClock;

  beforeAll(async () => {
    environment = await createEnvironment();
    clock = await ScheduleClock.takeOver(environment.database, '2026-03-02T11:59:59.700Z');
    await environment.database.query(ADD_JOBS, [1]);
    const variables: Record<string, string> = { ...environment.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({
      ...variables,
      SERVICE_ROLE: 'scheduler',
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '60000',
    });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('ticks at the instant of a schedule as well, instead of creating its run at the next minute', async () => {
    await clock.set('2026-03-02T12:00:00Z');
    await clock.settled();
    const fired = await environment.database.query('SELECT scheduled_for AS at FROM runs');
    expect(fired).toEqual([{ at: new Date('2026-03-02T12:00:00Z') }]);
  });
});
