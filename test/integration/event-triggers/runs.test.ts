import { Client, signUpOwner } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import type { HandlerCall } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { isInProjects } from '../../support/profile.js';
import { endedRun, trigger, triggerMany } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { job, listener, register, settledRuns } from './listening.js';
import type { EventRun } from './listening.js';

const ENDS = ['run.completed', 'run.failed', 'run.cancelled'];
const DAY_MS = 86_400_000;

interface Refused {
  error: { code: string; details: { path: string; message: string }[] };
}

describe('a trigger on events of runs and jobs', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let held: HeldCalls;
  let client: Client;
  let tenantId: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({ ...variables, SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100' });
    handlers.on('failing', answer(422, { error: 'no "funds" \\ 𝕏' }));
  });

  afterAll(async () => {
    await service.stop();
    await Promise.all([handlers.stop(), environment.dispose()]);
  });

  beforeEach(async () => {
    held = new HeldCalls();
    handlers.on('held', held.behaviour);
    handlers.on('listener', answer(200, {}));
    ({ client, orgId: tenantId } = await signUpOwner(service.url));
  });

  afterEach(() => {
    held.releaseAll();
  });

  async function runs(): Promise<EventRun[]> {
    return await settledRuns(environment.database, tenantId);
  }

  async function events(): Promise<string[]> {
    return (await runs()).map(({ body }) => body.type);
  }

  async function refusals(...triggers: Record<string, unknown>[]): Promise<Refused['error']['details']> {
    const { status, body } = await client.post<Refused>('/jobs/v1/jobs', {
      jobs: [listener('refused', triggers)],
    });
    expect([status, body.error.code]).toEqual([400, 'validation_failed']);
    return body.error.details;
  }

  /** Whoever holds the run token of this call. */
  function callerOf({ headers }: HandlerCall): Client {
    const kept = Object.entries(client.headers).filter(([name]) => !/^(?:authorization|apikey)$/i.test(name));
    return new Client(service.url)
      .with(Object.fromEntries(kept))
      .as((headers.authorization ?? '').replace('Bearer ', ''));
  }

  async function endOf(jobId: string): Promise<RunBody> {
    return await endedRun(client, (await trigger(client, jobId)).id);
  }

  /** All runs of the tenant, once none waits or runs, and no event waits either. */
  async function allEnded(): Promise<{ job_id: string; origin: unknown }[]> {
    await until(async () => {
      // In one snapshot: an event becomes a run in one step.
      const unfinished = await environment.database.query(
        `SELECT 1 FROM runs WHERE tenant_id = $1 AND completed_at IS NULL UNION ALL SELECT 1 FROM tenant_events`,
        [tenantId],
      );
      return unfinished.length === 0;
    });
    return await environment.database.query(
      `SELECT job_id, trigger -> 'origin' AS origin FROM runs WHERE tenant_id = $1 ORDER BY id`,
      [tenantId],
    );
  }

  it('calls the handler once with type, id, time, tenant and what there is to know of the end of a run', async () => {
    await register(client, job('failing'), listener('watch', [{ events: ENDS }]));
    const failed = await endOf('failing');
    const [run] = await runs();
    await until(() => handlers.callsOf(run?.id ?? '').length === 1);
    const [call] = handlers.callsOf(run?.id ?? '');
    expect(JSON.parse(call?.body ?? '')).toEqual({
      type: 'run.failed',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      occurred_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as unknown,
      tenant: tenantId,
      data: {
        run_id: failed.id,
        job_id: 'failing',
        status: 'failed',
        trigger: 'manual',
        attempts: 1,
        parent_run_id: null,
        retry_of: null,
        error: failed.error,
      },
    });
    const shown = await endedRun(client, run?.id ?? '');
    const event = { type: 'run.failed', id: run?.body.id };
    expect(call?.headers).toMatchObject({
      'x-service-trigger': 'event',
      'x-service-actor': `event:${String(event.id)}`,
    });
    expect(shown).toMatchObject({ trigger: { type: 'event', event }, status: 'completed' });
    const listed = await client.get<RunBody[]>('/jobs/v1/runs?trigger=event');
    expect(listed.body).toMatchObject([{ id: run?.id, trigger: { type: 'event', event } }]);
    expect(JSON.stringify([shown, listed.body])).not.toContain('origin');
    expect(await runs()).toHaveLength(1);
  });

  it('fires for each kind of end that it names and no other, for each trigger that names it', async () => {
    await register(
      client,
      job('held'),
      job('failing'),
      listener('watch', [{ events: ['run.completed', 'run.cancelled'] }, { events: ['run.completed'] }]),
    );
    await endOf('failing');
    const cancelled = await trigger(client, 'held', { delay_ms: DAY_MS });
    await client.post(`/jobs/v1/runs/${cancelled.id}/cancel`);
    held.releaseAll();
    const completed = await endOf('held');
    const found = (await runs()).map(({ body }) => [body.type, body.data.run_id]);
    expect(found).toEqual([
      ['run.cancelled', cancelled.id],
      ['run.completed', completed.id],
      ['run.completed', completed.id],
    ]);
    const ids = (await runs()).map(({ body }) => body.id);
    expect([ids[1] === ids[2], ids[0] === ids[1]]).toEqual([true, false]);
  });

  it('fires for the runs of the jobs that it is limited to alone', async () => {
    await register(
      client,
      job('failing'),
      job('other', { handler: 'failing' }),
      listener('watch', [{ events: ['run.failed'], jobs: ['other'] }]),
    );
    await endOf('failing');
    const other = await endOf('other');
    expect((await runs()).map(({ body }) => body.data.run_id)).toEqual([other.id]);
  });

  it('fires once for each run of a flood, whichever statement ends it', async () => {
    held.releaseAll();
    await register(client, job('held'), listener('watch', [{ events: ENDS }]));
    const ids = await triggerMany(client, 'held', 150);
    await Promise.all(ids.map((id) => endedRun(client, id)));
    const found = (await runs()).map(({ body }) => String(body.data.run_id));
    expect(found.sort()).toEqual(ids.sort());
  });

  it('fires for each waiting run that the deletion of its job cancels, and for those of a cancelled tree', async () => {
    await register(client, job('held'), job('failing'), listener('watch', [{ events: ['run.cancelled'] }]));
    const items = Array.from({ length: 50 }, () => ({ delay_ms: DAY_MS }));
    await client.post('/jobs/v1/jobs/failing/trigger/batch', { items });
    expect((await client.send('DELETE', '/jobs/v1/jobs/failing')).status).toBe(204);
    expect(new Set((await runs()).map(({ body }) => body.data.run_id)).size).toBe(50);
    const parent = await trigger(client, 'held');
    await until(() => handlers.callsOf(parent.id).length === 1);
    const call = handlers.callsOf(parent.id)[0] as HandlerCall;
    const child = await trigger(callerOf(call), 'held', { delay_ms: DAY_MS });
    await client.post(`/jobs/v1/runs/${parent.id}/cancel?children=true`);
    const last = (await runs()).slice(50).map(({ body }) => [body.data.run_id, body.data.parent_run_id]);
    expect(last.sort()).toEqual(
      [
        [parent.id, null],
        [child.id, parent.id],
      ].sort(),
    );
  });

  it('fires for a run that ends because it has not started in time', async () => {
    const late = job('held', { max_concurrent_runs: 1, start_within_ms: 1000 });
    await register(client, late, listener('watch', [{ events: ['run.cancelled'] }]));
    const first = await trigger(client, 'held');
    await until(() => handlers.callsOf(first.id).length === 1);
    const second = await trigger(client, 'held');
    await until(async () => (await runs()).length === 1);
    expect((await runs())[0]?.body.data).toMatchObject({ run_id: second.id, error: { code: 'expired' } });
  });

  it('fires for the pause and the resumption of a job, singly, together or by a manifest', async () => {
    const triggers = [{ events: ['job.paused', 'job.resumed'] }];
    await register(client, job('a'), job('b'), listener('watch', triggers));
    await client.send('PATCH', '/jobs/v1/jobs/a', { paused: true });
    await client.send('PATCH', '/jobs/v1/jobs', { paused: true, ids: ['a', 'b'] });
    await register(client, job('a', { paused: false }), job('b'));
    const found = (await runs()).map(({ body: { type, data } }) => [type, data.job_id]);
    expect(found).toEqual([
      ['job.paused', 'a'],
      ['job.paused', 'b'],
      ['job.resumed', 'a'],
    ]);
  });

  it('lets events pass while its job is paused, its own pause included, and hears of its own resumption', async () => {
    await register(client, job('failing'), listener('watch', [{ events: ['job.paused', 'job.resumed'] }]));
    await client.send('PATCH', '/jobs/v1/jobs/watch', { paused: true });
    await client.send('PATCH', '/jobs/v1/jobs/failing', { paused: true });
    expect(await events()).toEqual([]);
    await client.send('PATCH', '/jobs/v1/jobs/watch', { paused: false });
    expect(await events()).toEqual(['job.resumed']);
  });

  it('fires no more once a manifest declares other triggers, or its job is deleted', async () => {
    await register(client, job('failing'), listener('watch', [{ events: ['run.failed'] }]));
    await endOf('failing');
    await register(client, listener('watch', [{ events: ['run.completed'] }]));
    await endOf('failing');
    expect(await events()).toEqual(['run.failed']);
    await register(client, listener('watch', [{ events: ['run.failed'] }]));
    await endOf('failing');
    expect(await events()).toEqual(['run.failed', 'run.failed']);
    await client.send('DELETE', '/jobs/v1/jobs/watch');
    await endOf('failing');
    expect(await events()).toEqual(['run.failed', 'run.failed']);
    expect(
      await environment.database.query('SELECT FROM event_triggers WHERE tenant_id = $1', [tenantId]),
    ).toEqual([]);
  });

  it('hears nothing of another tenant', async () => {
    const other = await signUpOwner(service.url);
    await register(other.client, listener('watch', [{ events: ENDS }]));
    await register(client, job('failing'));
    await endOf('failing');
    expect(await settledRuns(environment.database, other.orgId)).toEqual([]);
  });

  it('makes no event of a run that the end of another set going, of its repetitions and of its descendants', async () => {
    await register(
      client,
      job('failing'),
      job('child', { handler: 'failing' }),
      listener('watch', [{ events: ENDS }]),
    );
    const children: Promise<RunBody>[] = [];
    handlers.on('listener', (response, nth, call) => {
      children.push(trigger(callerOf(call), 'child'));
      void children.at(-1)?.then(() => {
        answer(422, {})(response, nth, call);
      });
    });
    await endOf('failing');
    await allEnded();
    const [run] = await runs();
    // By hand, in bulk, and by the handler of the run itself.
    expect((await client.post(`/jobs/v1/runs/${run?.id ?? ''}/retry`)).status).toBe(202);
    await allEnded();
    await client.post('/jobs/v1/runs/bulk', { action: 'retry', filter: { job_id: 'watch' } });
    await until(async () => (await client.get<RunBody[]>('/jobs/v1/runs?job_id=watch')).body.length === 4);
    const all = await allEnded();
    expect(all.filter(({ job_id: id }) => id === 'child')).toHaveLength(4);
    expect(all.filter(({ job_id: id }) => id !== 'failing').map(({ origin }) => origin)).toEqual(
      Array.from({ length: 8 }, () => ({ depth: 1, run_event: true })),
    );
    expect(await runs()).toHaveLength(1);
  });

  it('makes no event of a run that a handler of a failed run repeats: such a listener ends', async () => {
    await register(client, job('failing'), listener('watch', [{ events: ['run.failed'] }]));
    handlers.on('listener', (response, nth, call) => {
      const { data } = JSON.parse(call.body) as { data: { run_id: string } };
      void callerOf(call)
        .post(`/jobs/v1/runs/${data.run_id}/retry`)
        .then(({ status }) => {
          answer(status === 202 ? 200 : 422, {})(response, nth, call);
        });
    });
    await endOf('failing');
    expect((await allEnded()).map(({ job_id: id }) => id)).toEqual(['failing', 'watch', 'failing']);
  });

  it('ends handlers that cause events for each other with their run tokens after ten', async () => {
    const pauses = listener('pauses', [{ events: ['secret.changed'] }]);
    await register(client, pauses);
    handlers.on('listener', (response, nth, call) => {
      const path = `/vault/v1/secrets/loop-${String(handlers.runIdsOf('listener').length)}`;
      void callerOf(call)
        .send('PUT', path, { value: 'v' })
        .then(({ status }) => {
          answer(status < 300 ? 200 : 422, { status })(response, nth, call);
        });
    });
    expect((await client.send('PUT', '/vault/v1/secrets/loop', { value: 'v' })).status).toBeLessThan(300);
    const all = await allEnded();
    expect(all.map(({ origin }) => origin)).toEqual(
      Array.from({ length: 10 }, (_none, index) => ({ depth: index + 1, run_event: false })),
    );
  });

  it('refuses unknown events by their place, with the list of those that there are', async () => {
    const [problem, ...others] = await refusals({ events: ['run.failed', 'run.exploded'] });
    expect(others).toEqual([]);
    expect(problem?.path).toBe('jobs[0].triggers[0].events[1]');
    expect(problem?.message).toContain('run.completed, run.failed, run.cancelled, job.paused');
  });

  it('refuses what is no text in the list of events, whatever its fields are named', async () => {
    const hostile = { constructor: { name: 1 }, toString: 1, hasOwnProperty: 1, then: 1 };
    const found = await refusals({ events: [hostile, 7, null], jobs: ['a'] });
    expect(found.map(({ path }) => path)).toEqual(
      expect.arrayContaining([0, 1, 2].map((index) => `jobs[0].triggers[0].events[${index}]`)),
    );
  });

  it('refuses a list of jobs beside events that concern none, and empty or repeated lists', async () => {
    expect(await refusals({ events: ['run.failed', 'secret.changed'], jobs: ['a'] })).toEqual([
      {
        path: 'jobs[0].triggers[0].jobs',
        message: 'limits only the events of runs and jobs; declare a trigger of its own for secret.changed',
      },
    ]);
    expect((await refusals({ events: [] })).map(({ path }) => path)).toEqual(['jobs[0].triggers[0].events']);
    expect((await refusals({ events: ['run.failed', 'run.failed'] })).map(({ path }) => path)).toEqual([
      'jobs[0].triggers[0].events',
    ]);
    expect((await refusals({ events: ['run.failed'], jobs: ['a b'] })).map(({ path }) => path)).toEqual([
      'jobs[0].triggers[0].jobs[0]',
    ]);
  });

  it('lets 50 triggers of a tenant listen to an event, and no more', async () => {
    const half = Array.from({ length: 25 }, () => ({ events: ['run.failed'] }));
    await register(client, listener('a', half), listener('b', half));
    const { status, body } = await client.post<{ error: { code: string } }>('/jobs/v1/jobs', {
      jobs: [listener('c', [{ events: ['run.failed'] }])],
    });
    expect([status, body.error.code]).toEqual([403, 'limit_reached']);
    await register(client, listener('c', [{ events: ['run.completed'] }]));
  });

  it('knows events of users in projects alone', async () => {
    const triggers = [{ events: ['user.created'] }];
    if (isInProjects) {
      await register(client, listener('watch', triggers));
      return;
    }
    const [problem] = await refusals(...triggers);
    expect(problem?.path).toBe('jobs[0].triggers[0].events[0]');
    expect(problem?.message).toContain('is not an event of an organization; there are: run.completed');
  });
});
