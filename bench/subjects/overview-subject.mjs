import { setTimeout as wait } from 'node:timers/promises';
import { withConnection } from '../measuring/database.mjs';
import { copyRows } from '../measuring/row-copies.mjs';
import { ownerWithJob, triggerUrlOf } from './job-subjects.mjs';
import { ask, startService } from './service.mjs';

const HOUR_MS = 3_600_000;
const POLL_MS = 5;
/** The ranges that the overview offers, and the intervals of its charts. */
const RANGES = { hour: ['1m', 1], day: ['1h', 24], week: ['1h', 168], month: ['1d', 720] };
const runId = `'run_00' || lpad(number::text, 24, '0')`;
/** Each twentieth run failed; all of them are spread evenly over the days. */
const STATUS = `CASE WHEN number % 20 = 0 THEN 'failed' ELSE 'completed' END`;

/** Service with one tenant whose runs of the last days are in the database, with their figures. */
export async function startOverviewService(servers, handler, { runs, days }) {
  const { program, databaseUrl } = await startService(servers, 'service_overview', {
    SERVICE_FUNCTIONS__URL: `${handler.origin}/{handler}`,
  });
  const token = await ownerWithJob(program.url, 'bench');
  const { id } = await ask(triggerUrlOf(program), { token, body: { payload: {} } });
  while ((await ask(`${program.url}/jobs/v1/runs/${id}`, { token })).completed_at === null)
    await wait(POLL_MS);
  await withConnection(databaseUrl, (client) => fill(client, id, runs, days));
  const read = (path) => ask(program.url + path, { token });

  return {
    ranges: Object.keys(RANGES),
    /** What the overview of the console reads, at once. */
    overview: (range) => {
      const [interval, hours] = RANGES[range];
      const since = new Date(Date.now() - hours * HOUR_MS).toISOString();
      return Promise.all([
        read(`/jobs/v1/stats?interval=${interval}&since=${since}`),
        read('/jobs/v1/runs?status=failed&limit=6'),
        read('/jobs/v1/jobs?limit=100'),
        read('/jobs/v1/queue'),
      ]);
    },
  };
}

async function fill(client, run, runs, days) {
  await client.query(`SET session_replication_role = replica`);
  const at = `now() - number * interval '${days} days' / ${runs}`;
  await copyRows(client, {
    table: 'runs',
    template: `id = '${run}'`,
    changes: `jsonb_build_object('id', ${runId}, 'status', ${STATUS}, 'created_at', ${at}, 'completed_at', ${at})`,
    from: 1,
    to: runs,
  });
  await client.query(
    `INSERT INTO run_stats (tenant_id, job_id, minutes, at, accepted, completed, failed, cancelled, durations, waits)
     SELECT tenant_id, scope.job_id, unit.minutes, date_bin(make_interval(mins => unit.minutes), at, '2000-01-01Z'),
            part.count, part.count * 19 / 20, part.count / 20, 0, part.times, part.times
     FROM runs CROSS JOIN LATERAL (VALUES (runs.job_id), ('')) scope (job_id)
       CROSS JOIN (VALUES (1, 14), (60, $2::int), (1440, $2)) unit (minutes, days)
       CROSS JOIN generate_series(now() - make_interval(days => least(unit.days, $2)), now(),
                                  make_interval(mins => unit.minutes)) at
       CROSS JOIN LATERAL (
         SELECT $3::bigint * unit.minutes / (1440 * $2) AS count,
                array_agg(greatest($3::bigint * unit.minutes / (1440 * $2) / 60, 1) << 8 | bucket) AS times
         FROM generate_series(20, 79) bucket
       ) part
     WHERE runs.id = $1 ON CONFLICT DO NOTHING`,
    [run, days, runs],
  );
  await client.query('VACUUM (ANALYZE)');
}
