import pg from 'pg';
import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { registerJobs } from '../../support/runs.js';
import { ScheduleClock } from '../../support/schedule-clock.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const MINUTE_MS = 60_000;
const STEP_MS = 20_000;
const MINUTES = 60;
/** Of the schedules' clock: some seconds of ours. */
const MINUTES_BETWEEN_KILLS = 15;
const START = Date.parse('2026-03-29T00:30:00Z');

/** Fifty schedules, each of which fires every minute; Berlin's and Lord Howe's clocks change meanwhile or soon. */
const SCHEDULES = [
  { schedule: '* * * * *' },
  { schedule: '*/1 * * * *', timezone: 'Europe/Berlin' },
  { schedule: '0-59 */1 * * *', timezone: 'Australia/Lord_Howe' },
  { schedule: '*/2,1-59/2 * * * *', misfire: 'skip' },
  { schedule: '0-30,31-59 * * * 0-7', timezone: 'America/New_York' },
];

const HERD = 3000;

/** Jobs of many tenants whose schedules are due at the next minute of the schedules' clock. */
const ADD_HERD = `
  WITH job AS (
    INSERT INTO jobs (tenant_id, id, name, handler, timeout_ms, retries, retry_backoff, triggers)
    SELECT lpad(to_hex(number % 100), 32, '0')::uuid, 'herd-' || number, 'Job', 'tick', 1000, 0, '{}', '[]'
    FROM generate_series(1, $1::int) AS number
    RETURNING tenant_id, id
  ), queue AS (
    INSERT INTO tenant_queues (tenant_id) SELECT DISTINCT tenant_id FROM job
  )
  INSERT INTO cron_triggers (tenant_id, job_id, position, schedule, timezone, misfire, payload, settled_until, next_fire_at)
  SELECT tenant_id, id, 0, '* * * * *', 'UTC', 'once', '{}', service_now(),
         date_trunc('minute', service_now()) + interval '1 minute'
  FROM job`;

describe('three schedulers, one of them killed and started again every few seconds', () => {
  let environment: TestEnvironment;
  let api: ServiceProcess;
  let clock: ScheduleClock;
  let schedulers: ServiceProcess[] = [];

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('tick', 'export default () => Response.json({})');
    clock = await ScheduleClock.takeOver(environment.database, new Date(START).toISOString());
    api = await ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    schedulers = await Promise.all([startScheduler(), startScheduler(), startScheduler()]);
  });

  afterAll(async () => {
    await Promise.all([api, ...schedulers].map((service) => service.stop('SIGKILL')));
    await environment.dispose();
  });

  async function startScheduler(): Promise<ServiceProcess> {
    return await ServiceProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'scheduler',
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '200',
    });
  }

  async function waitingForLocks(): Promise<number> {
    const waiting = await environment.database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length;
  }

  async function expectOneRunEachMinute(minutes: number): Promise<void> {
    const fired = await environment.database.query<{ trigger: string; instants: string[] }>(
      `SELECT job_id || ' ' || (trigger ->> 'position') AS trigger,
              array_agg(extract(epoch FROM scheduled_for)::bigint ORDER BY scheduled_for) AS instants
       FROM runs GROUP BY 1 ORDER BY 1`,
    );
    const everyMinute = Array.from({ length: minutes }, (_, minute) =>
      String((START + (minute + 1) * MINUTE_MS) / 1000),
    );
    expect(fired).toHaveLength(50);
    for (const { trigger, instants } of fired) expect([trigger, instants]).toEqual([trigger, everyMinute]);
  }

  it('give exactly one run for each instant of fifty triggers over an hour', async () => {
    const { client } = await signUpOwner(api.url ?? '');
    const triggers = SCHEDULES.map((own) => ({ type: 'cron', ...own }));
    const jobs = Array.from({ length: 10 }, (_, index) => [`job-${index}`, { handler: 'tick', triggers }]);
    await registerJobs(client, Object.fromEntries(jobs) as Record<string, Record<string, unknown>>);

    let kills = 0;
    let restart: Promise<ServiceProcess> | null = null;
    for (let step = 1; step <= (MINUTES * MINUTE_MS) / STEP_MS; step += 1) {
      await clock.advance(STEP_MS);
      if (clock.now.getTime() % (MINUTES_BETWEEN_KILLS * MINUTE_MS) === 0) {
        if (restart !== null) schedulers.push(await restart);
        // Right after the instant came, when it is about to fire, or firing.
        await schedulers.shift()?.stop('SIGKILL');
        kills += 1;
        restart = startScheduler();
      }
      await clock.settled();
    }
    if (restart !== null) schedulers.push(await restart);

    expect(kills).toBeGreaterThanOrEqual(4);
    await expectOneRunEachMinute(MINUTES);
  });

  it('leave the instants to the others when they die between their claim and its end', async () => {
    const blocker = new pg.Client({ connectionString: environment.database.url });
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE runs IN SHARE ROW EXCLUSIVE MODE');
    await clock.advance(MINUTE_MS);
    await until(async () => (await waitingForLocks()) > 0);
    await Promise.all(schedulers.splice(0).map((scheduler) => scheduler.stop('SIGKILL')));
    await blocker.end();
    await expectOneRunEachMinute(MINUTES);
    schedulers.push(await startScheduler());
    await clock.settled();
    await expectOneRunEachMinute(MINUTES + 1);
  });

  it('create one run for each of 3,000 schedules that are due at once while one of them dies amid the work', async () => {
    schedulers.push(await startScheduler());
    const blocker = new pg.Client({ connectionString: environment.database.url });
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE runs IN SHARE ROW EXCLUSIVE MODE');
    await environment.database.query(ADD_HERD, [HERD]);
    await clock.advance(MINUTE_MS);
    // Each of the two has claimed a part of the schedules; one waits for the table, the other for the tenant that the first has.
    await until(async () => (await waitingForLocks()) === schedulers.length);
    await schedulers.shift()?.stop('SIGKILL');
    await blocker.end();
    await clock.settled();
    const [fired] = await environment.database.query(
      `SELECT count(*)::int AS runs, count(DISTINCT job_id)::int AS jobs FROM runs WHERE job_id LIKE 'herd-%'`,
    );
    expect(fired).toEqual({ runs: HERD, jobs: HERD });
  });
});
