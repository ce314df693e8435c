import { setTimeout as wait } from 'node:timers/promises';
import { withConnection } from '../measuring/database.mjs';
import { HANDLER, ownerWithJob, triggerUrlOf, unfinishedRuns } from './job-subjects.mjs';
import { startService } from './service.mjs';

/** Time to set up an instant before it comes. */
const LEAD_MS = 1_500;
const MARGIN_MS = 50;
const POLL_MS = 20;

/** Jobs of many tenants, which have schedules as people write them and are not due before a year has passed. */
const ADD_JOBS = `
  WITH job AS (
    INSERT INTO jobs (tenant_id, id, name, handler, timeout_ms, retries, retry_backoff, triggers)
    SELECT lpad(to_hex(number % $2::int + 1), 32, '0')::uuid, 'job-' || number, 'Job', $3, 60000, 0, '{}', '[]'
    FROM generate_series(1, $1::int) AS number
    RETURNING tenant_id, id
  ), tenant AS (
    INSERT INTO tenant_queues (tenant_id) SELECT DISTINCT tenant_id FROM job
  )
  INSERT INTO cron_triggers (tenant_id, job_id, position, schedule, timezone, misfire, payload, settled_until, next_fire_at)
  SELECT tenant_id, id, 0, ('{0 * * * *,*/5 * * * *,0 12 * * *,30 6 * * 1-5}'::text[])[number % 4 + 1],
         ('{UTC,Europe/Berlin,America/New_York}'::text[])[number % 3 + 1], 'once',
         json_build_object('number', number), now(), now() + interval '1 year'
  FROM job CROSS JOIN LATERAL (SELECT split_part(id, '-', 2)::int AS number) AS numbered`;

const MAKE_DUE = `
  WITH instant AS (SELECT date_trunc('milliseconds', now()) + interval '${LEAD_MS} ms' AS at)
  UPDATE cron_triggers SET settled_until = now(), next_fire_at = at FROM instant RETURNING at`;

const STILL_DUE = `
  SELECT EXISTS (SELECT FROM cron_triggers WHERE next_fire_at <= $1) AS due,
         extract(epoch FROM clock_timestamp() - $1) * 1000 AS ms`;

/** Service with schedules of many tenants, and an organization that triggers runs meanwhile. */
export async function startHerdService(servers, handler, { schedules, tenants }) {
  const { program, databaseUrl } = await startService(servers, 'service_herd', {
    SERVICE_FUNCTIONS__URL: `${handler.origin}/{handler}`,
  });
  const token = await ownerWithJob(program.url, 'bench');
  await withConnection(databaseUrl, async (client) => {
    await client.query(ADD_JOBS, [schedules, tenants, HANDLER]);
    await client.query('VACUUM (ANALYZE)');
  });

  return {
    program,
    token,
    triggerUrl: triggerUrlOf(program),
    /**
     * Makes all schedules due at one instant, and waits until it is about to come.
     * @returns what resolves with the milliseconds from the instant until all runs are committed
     */
    async startFiring() {
      const at = await withConnection(
        databaseUrl,
        async (client) => (await client.query(MAKE_DUE)).rows[0].at,
      );
      await wait(at.getTime() - Date.now() - MARGIN_MS);
      return { committed: withConnection(databaseUrl, (client) => untilFired(client, at)) };
    },
    unfinished: () => withConnection(databaseUrl, unfinishedRuns),
  };
}

/** The transaction that creates the runs of a schedule sets its next instant. */
async function untilFired(client, at) {
  for (;;) {
    const { rows } = await client.query(STILL_DUE, [at]);
    const [{ due, ms }] = rows;
    if (!due && ms > 0) return Number(ms);
    await wait(POLL_MS);
  }
}
