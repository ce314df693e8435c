import { SchedulerTick } from '../../../src/scheduler/index.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ScheduleClock } from '../../support/schedule-clock.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

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
  )
  INSERT INTO cron_triggers (tenant_id, job_id, position, schedule, timezone, misfire, payload, settled_until, next_fire_at)
  SELECT tenant_id, id, 0, '0 12 * * *', 'UTC', 'once', '{}', '2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z' FROM job`;

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
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  /** Statements of the tick; the sweeper's and the metrics' own are about other tables. */
  function ofTheTick(statements: readonly string[]): string[] {
    return statements.filter((sql) => /\bschedulers\b|\bcron_triggers\b|INSERT INTO runs\b/.test(sql));
  }

  it('executes only its heartbeat in an idle tick', async () => {
    const beats = new Set<number>();
    const statements = await service.statementsOf(() =>
      until(async () => {
        const [beat] = await environment.database.query<{ at: Date }>(
          'SELECT ticked_at AS at FROM schedulers',
        );
        return beats.add(beat?.at.getTime() ?? 0).size > 10;
      }),
    );
    const ofTick = ofTheTick(statements);
    expect(ofTick.length).toBeGreaterThanOrEqual(10);
    expect(ofTick.filter((sql) => !sql.includes('INSERT INTO schedulers'))).toEqual([]);
  });

  it('answers an idle tick from an index, however many jobs there are', async () => {
    const plan = await environment.database.query<{ 'QUERY PLAN': string }>(
      'EXPLAIN SELECT EXISTS (SELECT FROM cron_triggers WHERE next_fire_at <= service_now())',
    );
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index.*Scan using cron_triggers_due/);
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
    expect(ofTick.filter((sql) => sql.includes('INSERT INTO runs'))).toHaveLength(batches);
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
