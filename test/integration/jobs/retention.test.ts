import { Retention } from '../../../src/jobs/runs/retention/retention.js';
import { firstRunIdAt } from '../../../src/jobs/runs/model/run-id.js';
import { deleteTenant, signUpOwner } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, runIn, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

const HEARTBEAT = 'INSERT INTO schedulers';
const FINAL = ['completed', 'failed', 'cancelled'];

describe('retention', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    // Old runs that are there before the first pass, which comes with the start.
    await makeRuns('first', 'completed', 40, 3);
    service = await ServiceInProcess.start({ ...variables, SERVICE_JOBS__RETENTION_DAYS: '10' });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  /** Runs of one status that were made, and ended if that is final, so many days ago; each with an attempt. */
  async function makeRuns(
    job: string,
    status: string,
    daysAgo: number,
    count: number,
    orgId = '00000000-0000-7000-8000-000000000001',
  ): Promise<void> {
    await environment.database.query(
      `WITH made AS (
         INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                           max_attempts, due_at, worker_id, created_at, completed_at)
         SELECT 'run_' || $2 || '_' || $3 || '_' || n, $1::uuid, $2, $3, '{"type":"manual"}', '{}', 'h', 1000, '{}', 1,
                'infinity', CASE WHEN $3 = 'running' THEN gen_random_uuid() END, now() - make_interval(days => $4),
                CASE WHEN $3 = ANY ($6) THEN now() - make_interval(days => $4) END
         FROM generate_series(1, $5) n RETURNING id
       ), logged AS (
         INSERT INTO run_logs (tenant_id, run_id, job_id, level, message) SELECT $1::uuid, id, $2, 'info', 'hello' FROM made
       ), kept AS (
         INSERT INTO run_steps (run_id, name, attempt, value, value_bytes) SELECT id, 'charge', 1, '1', 1 FROM made
       )
       INSERT INTO run_attempts (run_id, number, started_at, completed_at, outcome)
       SELECT id, 1, now(), now(), 'failed' FROM made`,
      [orgId, job, status, daysAgo, count, FINAL],
    );
  }

  async function pass(): Promise<void> {
    await service.application.get(Retention).runOnce();
  }

  async function count(table: string, condition: string): Promise<number> {
    const [row] = await environment.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`,
    );
    return row?.count ?? -1;
  }

  it('runs soon after the start', async () => {
    await until(async () => (await count('runs', `job_id = 'first'`)) === 0);
  });

  /** Ended runs of a job, of the ages given in days, with ids as the program makes them. */
  async function makeEnded(orgId: string, job: string, agesInDays: readonly number[]): Promise<void> {
    for (const days of agesInDays) {
      const at = new Date(Date.now() - days * 86_400_000);
      await environment.database.query(
        `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                           max_attempts, due_at, created_at, completed_at)
         VALUES ($1, $2, $3, 'completed', '{"type":"manual"}', '{}', 'h', 1000, '{}', 1, $4, $4, $4)`,
        [firstRunIdAt(at), orgId, job, at],
      );
    }
  }

  async function agesOf(job: string): Promise<number[]> {
    const ages = await environment.database.query<{ days: number }>(
      `SELECT round(extract(epoch FROM now() - completed_at) / 86400)::int AS days FROM runs
       WHERE job_id = $1 ORDER BY days`,
      [job],
    );
    return ages.map(({ days }) => days);
  }

  it('deletes the runs of a job past the retention of the job, whether shorter or longer than that of the deployment', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await registerJobs(client, { short: { retention_days: 3 }, long: { retention_days: 30 }, plain: {} });
    const ages = [2, 4, 9, 11, 29, 31];
    for (const [place, job] of ['short', 'long', 'plain'].entries())
      await makeEnded(
        orgId,
        job,
        ages.map((days) => days + place / 1000),
      );
    await pass();
    expect(await agesOf('short')).toEqual([2]);
    expect(await agesOf('long')).toEqual([2, 4, 9, 11, 29]);
    expect(await agesOf('plain')).toEqual([2, 4, 9]);
    // What a deleted job leaves is kept like everything else.
    await client.send('DELETE', '/jobs/v1/jobs/long');
    await registerJobs(client, { short: {} });
    await pass();
    expect(await agesOf('long')).toEqual([2, 4, 9]);
  });

  it('looks beyond many runs that their job keeps for longer', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await registerJobs(client, { kept: { retention_days: 365 }, plain: {} });
    await environment.database.query(
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff, max_attempts,
                         due_at, completed_at)
       SELECT 'run_kept_' || n, $1, 'kept', 'completed', '{"type":"manual"}', '{}', 'h', 1000, '{}', 1, now(),
              date_trunc('day', now()) - interval '20 days' FROM generate_series(1, 2500) n`,
      [orgId],
    );
    await makeEnded(orgId, 'beyond', [12.5, 15.5]);
    await pass();
    expect(await count('runs', `job_id = 'kept'`)).toBe(2500);
    expect(await agesOf('beyond')).toEqual([]);
    await environment.database.query(`DELETE FROM runs WHERE job_id = 'kept'`);
  });

  it.each([0, 366, 1.5, '7', null])('of a job may not be %p days', async (days) => {
    const { client } = await signUpOwner(service.url);
    const jobs = [{ id: 'a', name: 'a', handler: 'a', retention_days: days }];
    const { status, body } = await client.post<{ error: { details: { path: string }[] } }>('/jobs/v1/jobs', {
      jobs,
    });
    expect([status, body.error.details[0]?.path]).toEqual([400, 'jobs[0].retention_days']);
  });

  it('deletes ended runs past jobs.retention_days with their attempts, steps and lines, and no others', async () => {
    for (const status of FINAL) {
      await makeRuns('old', status, 11, 2);
      await makeRuns('young', status, 9, 2);
    }
    await pass();
    expect(await count('runs', `job_id = 'old'`)).toBe(0);
    expect(await count('runs', `job_id = 'young'`)).toBe(6);
    for (const table of ['run_attempts', 'run_steps', 'run_logs']) {
      expect(await count(table, `run_id LIKE 'run\\_old\\_%'`)).toBe(0);
      expect(await count(table, `run_id LIKE 'run\\_young\\_%'`)).toBe(6);
    }
  });

  it('deletes what says when runs changed with the last of these runs', async () => {
    await makeRuns('left', 'failed', 11, 1);
    await makeRuns('stays', 'failed', 9, 1);
    await environment.database.query(
      `INSERT INTO run_changes (last_line, first_line, tenant_id, at, run_ids, job_ids, levels)
       SELECT n, n, $1, now() - make_interval(days => age), run_ids, '{left}', '{error}'
       FROM (VALUES (1, 11, ARRAY['run_left_failed_1']), (2, 11, ARRAY['run_left_failed_1', 'run_stays_failed_1']),
                    (3, 9, ARRAY['run_stays_failed_1']), (4, 0, ARRAY['run_that_is_gone'])) AS made (n, age, run_ids)`,
      ['00000000-0000-7000-8000-000000000001'],
    );
    await pass();
    expect(await count('run_changes', 'last_line = 1')).toBe(0);
    expect(await count('run_changes', 'last_line IN (2, 3, 4)')).toBe(3);
    await environment.database.query(`DELETE FROM run_changes WHERE last_line IN (2, 3, 4)`);
    await environment.database.query(`DELETE FROM runs WHERE id = 'run_stays_failed_1'`);
  });

  it('never deletes a run that has not ended, however old', async () => {
    for (const status of ['queued', 'retrying']) await makeRuns('unended', status, 4000, 2);
    await pass();
    expect(await count('runs', `job_id = 'unended' AND status IN ('queued', 'retrying')`)).toBe(4);
  });

  it('deletes any number of runs in bounded batches, concurrently with other instances', async () => {
    await makeRuns('many', 'completed', 30, 2_500);
    // Before those of the deleted runs in the order of the pass, and of one run that is gone already.
    await makeRuns('a', 'completed', 1, 1_200);
    await environment.database.query(
      `INSERT INTO run_steps (run_id, name, attempt, value, value_bytes) VALUES ('run_that_is_gone', 'charge', 1, '1', 1)`,
    );
    const statements = await service.statementsOf(() => Promise.all([pass(), pass(), pass()]));
    expect(await count('runs', `job_id = 'many'`)).toBe(0);
    // What one pass skips because another has locked it, a later one deletes.
    await pass();
    expect(await count('run_steps', `run_id LIKE 'run\\_many\\_%' OR run_id = 'run_that_is_gone'`)).toBe(0);
    expect(await count('run_steps', `run_id LIKE 'run\\_a\\_%'`)).toBe(1_200);
    await environment.database.query('DELETE FROM run_steps');
    // The scheduler's heartbeat, which may come meanwhile, deletes schedulers.
    const deletions = statements.filter((sql) => sql.includes('DELETE') && !sql.includes('INTO schedulers'));
    expect(deletions.filter((sql) => sql.includes('DELETE FROM runs')).length).toBeGreaterThanOrEqual(3);
    expect(deletions.filter((sql) => !sql.includes('LIMIT 1000'))).toEqual([]);
  });

  it('needs only a few statements when there is nothing to delete', async () => {
    await pass();
    const statements = await service.statementsOf(pass);
    const deleting = statements.filter((sql) => sql.includes('DELETE') && !sql.includes(HEARTBEAT));
    expect(deleting).toHaveLength(10);
  });

  it('deletes workers without a heartbeat for a day', async () => {
    await environment.database.query(
      `INSERT INTO workers (id, tenant_slots, heartbeat_at)
       SELECT gen_random_uuid(), 1, now() - make_interval(hours => hours) FROM unnest(ARRAY[23, 25, 1000]) hours`,
    );
    await pass();
    expect(await count('workers', "heartbeat_at < now() - interval '1 day'")).toBe(0);
    expect(await count('workers', "heartbeat_at < now() - interval '22 hours'")).toBe(1);
  });

  it('deletes Idempotency-Keys after 24 hours, so that they can be used again', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await registerJobs(client, { keyed: {} });
    handlers.on('keyed', answer(200));
    const triggerWith = async (key: string): Promise<string> =>
      (await client.with({ 'idempotency-key': key }).post<RunBody>('/jobs/v1/jobs/keyed/trigger')).body.id;
    const [old, young] = [await triggerWith('old'), await triggerWith('young')];
    await environment.database.query(
      `UPDATE run_requests SET created_at = now() - CASE key WHEN 'old' THEN interval '25 hours' ELSE interval '23 hours' END
       WHERE tenant_id = $1`,
      [orgId],
    );
    await pass();
    expect(await count('run_requests', `tenant_id = '${orgId}'`)).toBe(1);
    expect(await triggerWith('old')).not.toBe(old);
    expect(await triggerWith('young')).toBe(young);
  });

  describe('of a deleted organization', () => {
    it('deletes its jobs and runs, but running runs only after they have ended', async () => {
      const { client, orgId, slug } = await signUpOwner(service.url);
      await registerJobs(client, {
        quick: {},
        slow: {},
        timed: { triggers: [{ type: 'cron', schedule: '0 0 1 1 *' }] },
      });
      handlers.on('quick', answer(200));
      let finish = (): void => undefined;
      handlers.on('slow', (response, nth, call) => {
        finish = () => {
          answer(200)(response, nth, call);
        };
      });
      await endedRun(client, (await trigger(client, 'quick')).id);
      await trigger(client, 'quick', { delay_ms: 600_000 });
      const running = await runIn(client, (await trigger(client, 'slow')).id, ['running']);
      expect(await deleteTenant({ client, slug })).toBe(204);

      await pass();
      const mine = `tenant_id = '${orgId}'`;
      expect(await count('jobs', mine)).toBe(0);
      expect(await count('cron_triggers', mine)).toBe(0);
      expect(await environment.database.query(`SELECT id, status FROM runs WHERE ${mine}`)).toEqual([
        { id: running.id, status: 'running' },
      ]);
      finish();
      await until(async () => (await count('runs', `${mine} AND status = 'completed'`)) === 1);
      await pass();
      expect(await count('runs', mine)).toBe(0);
      expect(await count('run_attempts', `run_id = '${running.id}'`)).toBe(0);
      // The mark that it is gone stays for a day, in case a request of its is still under way.
      expect(await count('tenant_queues', mine)).toBe(1);
      await environment.database.query(
        `UPDATE tenant_queues SET removed_at = now() - interval '25 hours' WHERE ${mine}`,
      );
      await pass();
      expect(await count('tenant_queues', mine)).toBe(0);
    });

    it('registers no jobs of a manifest that arrives at the same moment', async () => {
      const { client, orgId, slug } = await signUpOwner(service.url);
      const manifest = { jobs: [{ id: 'late', name: 'Late', handler: 'late' }] };
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, async () => (await client.post('/jobs/v1/jobs', manifest)).status),
        deleteTenant({ client, slug }),
        ...Array.from({ length: 5 }, async () => (await client.post('/jobs/v1/jobs', manifest)).status),
      ]);
      expect(answers.filter((status) => ![200, 204, 401, 403].includes(status))).toEqual([]);
      expect(await count('jobs', `tenant_id = '${orgId}'`)).toBe(0);
    });
  });
});
