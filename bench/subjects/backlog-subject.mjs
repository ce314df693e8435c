import { withConnection } from '../measuring/database.mjs';
import { ask, startService } from './service.mjs';
import { ownerWithJob, triggerUrlOf, unfinishedRuns } from './job-subjects.mjs';

/** Enough that the newest of them waits as any later one would. */
const TRIGGERED = 250;
const PER_STATEMENT = 10_000;
/** The handler holds calls while the backlog grows. */
const JOB = { timeout_ms: 600_000 };

/** Copies the newest waiting run. The ids sort after its own, and the due times follow the order of the ids. */
const COPY = `
  INSERT INTO runs
  SELECT copy.* FROM (
    SELECT * FROM runs WHERE status = 'queued' ORDER BY id DESC LIMIT 1
  ) template
  CROSS JOIN generate_series($1::int, $2::int) number
  CROSS JOIN LATERAL jsonb_populate_record(NULL::runs, to_jsonb(template) || jsonb_build_object(
    'id', left(template.id, 14) || 'Z' || lpad(number::text, 15, '0'),
    'payload', jsonb_build_object('number', number),
    'created_at', clock_timestamp(), 'due_at', clock_timestamp()
  )) copy`;

/** Service with one organization, whose runs wait. */
export async function startBacklogService(servers, { handler, concurrency, poolSize }) {
  const { program, databaseUrl } = await startService(servers, 'service_backlog', {
    SERVICE_JOBS__WORKER_COUNT: String(concurrency),
    SERVICE_DATABASE__POOL_SIZE: String(poolSize),
    SERVICE_FUNCTIONS__URL: `${handler.origin}/{handler}`,
    SERVICE_LIMITS__WAITING_RUNS: '0',
  });
  const token = await ownerWithJob(program.url, 'bench', JOB);
  let number = 0;
  const trigger = async () => {
    number += 1;
    await ask(triggerUrlOf(program), { token, body: { payload: { number } } });
  };

  /**
   * Adds runs until so many are unfinished: the first ones by triggers, the others as copies of the newest one, which
   * takes seconds instead of minutes.
   */
  async function fill(amount) {
    await withConnection(databaseUrl, async (client) => {
      if ((await unfinishedRuns(client)) < TRIGGERED)
        for (let triggered = 0; triggered < TRIGGERED; triggered += 1) await trigger();
      let missing = amount - (await unfinishedRuns(client));
      while (missing > 0) {
        const added = Math.min(missing, PER_STATEMENT);
        await client.query(COPY, [number + 1, number + added]);
        number += added;
        missing -= added;
      }
      await client.query('SELECT recount_runs(tenant_id) FROM tenant_queues');
      // What PostgreSQL would do about the new rows sooner or later does not belong to the measurement.
      await client.query('VACUUM (ANALYZE) runs');
      await client.query('CHECKPOINT');
    });
  }

  return { name: 'Service', program, fill, unfinished: () => withConnection(databaseUrl, unfinishedRuns) };
}
