import pg from 'pg';
import { addMember } from '../support/api-keys.js';
import { Client, signUpOwner } from '../support/client.js';
import type { RunBody, SignedUp } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { answer, HandlerServer, silent } from '../support/handler-server.js';
import type { HandlerCall } from '../support/handler-server.js';
import { endedRun, registerJobs, runIn, showRun, trigger } from '../support/runs.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { itInOrganizations } from '../support/profile.js';

const LATER = { delay_ms: 3_600_000 };

describe('cancelling a run', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let api: ServiceProcess;
  let worker: ServiceProcess;
  let owner: SignedUp & { orgId: string };
  let client: Client;
  /** Runs whose call of `held` was closed. */
  const closed = new Set<string>();
  const answers: ((status: number) => void)[] = [];

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables = {
      ...environment.variables,
      ...handlers.variables,
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: '1',
    };
    [api, worker] = await Promise.all([
      ServiceProcess.start({ ...variables, SERVICE_ROLE: 'api' }),
      ServiceProcess.start({ ...variables, SERVICE_ROLE: 'worker,scheduler' }),
    ]);
    owner = await signUpOwner(api.url ?? '');
    ({ client } = owner);
    handlers.on('held', (response, nth, call: HandlerCall) => {
      response.on('close', () => closed.add(call.runId));
      answers.push((status) => {
        answer(status, { late: true })(response, nth, call);
      });
    });
    handlers.on('fails', answer(503, {}));
    await registerJobs(client, {
      held: {},
      quick: {},
      fails: {
        retries: 5,
        retry_backoff: { type: 'exponential', initial_ms: 60000, max_ms: 60000, multiplier: 1 },
      },
    });
  });

  afterAll(async () => {
    await Promise.all([api.stop(), worker.stop()]);
    await handlers.stop();
    await environment.dispose();
  });

  async function cancel(
    id: string,
    by = client,
  ): Promise<{ status: number; body: RunBody & { error: { code: string } } }> {
    return await by.post(`/jobs/v1/runs/${id}/cancel`);
  }

  async function cancelledByMetrics(): Promise<number> {
    const pages = await Promise.all(
      [api, worker].map((service) => new Client(service.url ?? '').get<string>('/metrics')),
    );
    const counts = pages.map(
      ({ body }) => /^service_jobs_runs_total\{status="cancelled"\} (\d+)$/m.exec(body)?.[1],
    );
    return counts.reduce((sum, count) => sum + Number(count), 0);
  }

  it('ends one that waits at once, counts it once, and says on record who did it', async () => {
    const { id } = await trigger(client, 'quick', LATER);
    const before = await cancelledByMetrics();
    const { status, body } = await cancel(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      status: 'cancelled',
      attempt: 0,
      started_at: null,
      error: { code: 'cancelled' },
    });
    expect(await cancelledByMetrics()).toBe(before + 1);
    expect(handlers.callsOf(id)).toHaveLength(0);
    const entries = await environment.database.query(
      `SELECT actor_id, target_id, details FROM audit_entries WHERE action = 'run.cancelled' AND target_id = $1`,
      [id],
    );
    expect(entries).toEqual([
      { actor_id: owner.userId, target_id: id, details: { job_id: 'quick', from: 'queued' } },
    ]);
  });

  it('takes it out of the depth of the queue, and puts none that never started among the durations', async () => {
    /** By the API, and by the worker. */
    const measured = async (sample: string): Promise<number[]> =>
      await Promise.all(
        [api, worker].map(async (service) => {
          const { body } = await new Client(service.url ?? '').get<string>('/metrics');
          return Number(
            body
              .split('\n')
              .find((line) => line.startsWith(`${sample} `))
              ?.split(' ')[1],
          );
        }),
      );
    const depth = (): Promise<number[]> => measured('service_jobs_queue_depth');
    const durations = async (): Promise<number> =>
      (await measured('service_jobs_run_duration_seconds_count')).reduce((sum, count) => sum + count);
    const [ended, timed] = [await cancelledByMetrics(), await durations()];
    const running = await trigger(client, 'held');
    await until(() => handlers.callsOf(running.id).length === 1);
    // Neither that one nor what is not due is in the queue.
    const later = await trigger(client, 'quick', LATER);
    expect(await depth()).toEqual([0, 0]);
    const waiting = [await trigger(client, 'quick'), await trigger(client, 'quick')];
    expect(await depth()).toEqual([2, 2]);
    for (const { id } of [...waiting, later, running]) expect((await cancel(id)).status).toBe(200);
    answers.splice(0);
    expect(await depth()).toEqual([0, 0]);
    expect([await cancelledByMetrics(), await durations()]).toEqual([ended + 4, timed + 1]);
  });

  it('ends one that is to be tried again', async () => {
    const { id } = await trigger(client, 'fails');
    await runIn(client, id, ['retrying']);
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled', attempt: 1 });
    expect((await showRun(client, id)).attempts).toMatchObject([{ outcome: 'failed' }]);
  });

  it('closes the call of one that runs elsewhere, and gives its capacity to the next', async () => {
    const { id } = await trigger(client, 'held');
    await until(() => handlers.callsOf(id).length === 1);
    const next = await trigger(client, 'quick');
    const before = await cancelledByMetrics();
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled', attempt: 1 });
    await until(() => closed.has(id));
    await endedRun(client, next.id);

    const cancelled = await showRun(client, id);
    expect(cancelled).toMatchObject({ status: 'cancelled', result: null });
    expect(cancelled.attempts).toMatchObject([{ number: 1, outcome: 'cancelled', status_code: null }]);
    expect(cancelled.attempts[0]?.completed_at).not.toBeNull();
    for (const answerLate of answers.splice(0)) answerLate(200);
    await endedRun(client, (await trigger(client, 'quick')).id);
    expect(await showRun(client, id)).toEqual(cancelled);
    expect(await cancelledByMetrics()).toBe(before + 1);
    expect(await environment.database.query('SELECT DISTINCT running FROM tenant_queues')).toEqual([
      { running: 0 },
    ]);
  });

  it('closes the call at the next heartbeat where the announcement was lost', async () => {
    const { id } = await trigger(client, 'held');
    await until(() => handlers.callsOf(id).length === 1);
    await environment.database.query(
      `WITH taken AS (
         UPDATE runs SET status = 'cancelled', completed_at = now(), worker_id = NULL WHERE id = $1 RETURNING *
       )
       UPDATE tenant_queues SET running = running - 1 FROM taken WHERE tenant_queues.tenant_id = taken.tenant_id`,
      [id],
    );
    await until(() => closed.has(id));
    answers.splice(0);
    expect(await showRun(client, id)).toMatchObject({ status: 'cancelled' });
  });

  it('is refused for one that has ended, and that stays as it is', async () => {
    const { id } = await trigger(client, 'quick');
    const ended = await endedRun(client, id);
    expect(await cancel(id)).toMatchObject({ status: 409, body: { error: { code: 'run_finished' } } });
    expect(await showRun(client, id)).toEqual(ended);
  });

  itInOrganizations(
    'is refused without jobs:runs:cancel, and for a run of another organization',
    async () => {
      const { id } = await trigger(client, 'quick', LATER);
      const reader = await addMember(api.url ?? '', environment.database, owner.orgId, ['jobs:runs:read']);
      expect(await cancel(id, reader.client.in(owner.orgId))).toMatchObject({
        status: 403,
        body: { error: { code: 'permission_denied' } },
      });
      const stranger = await signUpOwner(api.url ?? '');
      for (const unknown of [id, 'run_01KAMF3VN0T7V8R0WQ2Z4Y6X8A', 'nonsense'])
        expect(await cancel(unknown, stranger.client)).toMatchObject({
          status: 404,
          body: { error: { code: 'run_not_found' } },
        });
      expect(await showRun(client, id)).toMatchObject({ status: 'queued' });
    },
  );

  it('of two at once is done by one', async () => {
    const { id } = await trigger(client, 'quick', LATER);
    const statuses = (await Promise.all([cancel(id), cancel(id), cancel(id)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409]);
  });

  it('in the moment in which it is claimed ends its attempt and leaves its slots', async () => {
    await registerJobs(client, { fresh: {} });
    handlers.on('fresh', silent);
    const holder = new pg.Client({ connectionString: environment.database.url });
    await holder.connect();
    await environment.database.query(`
      CREATE FUNCTION wait_for_holder() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END $$;
      CREATE TRIGGER wait_for_holder BEFORE UPDATE ON runs_active
      FOR EACH ROW EXECUTE FUNCTION wait_for_holder();`);
    try {
      await holder.query('SELECT pg_advisory_lock(1)');
      const { id } = await trigger(client, 'fresh');
      await until(async () => (await waitingFor('advisory')) === 1);
      const cancelling = cancel(id);
      await until(async () => (await waitingFor('transactionid')) === 1);
      await holder.query('SELECT pg_advisory_unlock(1)');

      expect((await cancelling).body).toMatchObject({ status: 'cancelled', attempt: 1 });
      expect((await showRun(client, id)).attempts).toMatchObject([{ number: 1, outcome: 'cancelled' }]);
      expect(await environment.database.query('SELECT DISTINCT running FROM tenant_queues')).toEqual([
        { running: 0 },
      ]);
    } finally {
      await environment.database.query('DROP FUNCTION wait_for_holder CASCADE');
      await holder.end();
    }
  });

  /** How many statements wait for a lock of this kind. */
  async function waitingFor(lock: string): Promise<number> {
    const [counted] = await environment.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = $1`,
      [lock],
    );
    return counted?.count ?? 0;
  }
});
