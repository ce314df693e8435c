import { signUpOwner } from '../../support/client.js';
import type { Client, RunBody } from '../../support/client.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HeldCalls } from '../../support/held-calls.js';
import { HandlerProgram } from '../../support/handler-program.js';
import type { HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, runIn, trigger, triggerMany } from '../../support/runs.js';
import type { ServiceInProcess } from '../../support/service-in-process.js';

type Ordered = RunBody & { readonly priority: number; readonly start_before?: string };

/** The cap of one lets runs begin one after the other, so their starts show their order. */
const CAP = { SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: '1' };

describe('the turn of a run', () => {
  let program: HandlerProgram;
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: Client;

  beforeAll(async () => {
    program = await HandlerProgram.start(CAP);
    ({ environment, handlers, service } = program);
  });

  afterAll(async () => {
    await program.stop();
  });

  beforeEach(async () => {
    ({ client } = await signUpOwner(service.url));
  });

  async function startOf(id: string): Promise<number> {
    return Date.parse((await endedRun(client, id)).attempts[0]?.started_at ?? '');
  }

  async function idsInOrderOfStart(runs: readonly RunBody[]): Promise<string[]> {
    const starts = await Promise.all(runs.map(async ({ id }) => ({ id, at: await startOf(id) })));
    return starts.sort((one, other) => one.at - other.at).map(({ id }) => id);
  }

  it('comes by priority, then by due time, whether the trigger or the job gives the priority', async () => {
    const held = new HeldCalls();
    handlers.on('echo', held.behaviour);
    await registerJobs(client, { echo: {}, urgent: { priority: 50 }, spare: { priority: -100 } });
    const first = await trigger(client, 'echo');
    await runIn(client, first.id, ['running']);
    // The run that is woken for the next slot keeps its turn.
    const woken = await trigger(client, 'echo');
    const spare = await trigger(client, 'spare');
    const normal = await trigger(client, 'echo');
    const urgent = await trigger(client, 'urgent');
    const most = (await trigger(client, 'echo', { priority: 100 })) as Ordered;
    const lowered = (await trigger(client, 'urgent', { priority: -1 })) as Ordered;
    expect([most.priority, lowered.priority]).toEqual([100, -1]);
    held.releaseAll();
    const ids = (await idsInOrderOfStart([first, woken, spare, normal, urgent, most, lowered])).filter(
      (id) => id !== woken.id,
    );
    expect(ids).toEqual([first, most, urgent, normal, lowered, spare].map(({ id }) => id));
  });

  it('is part of what an idempotency key stands for', async () => {
    await registerJobs(client, { echo: {} });
    const keyed = client.with({ 'idempotency-key': 'once' });
    const once = await keyed.post<RunBody>('/jobs/v1/jobs/echo/trigger', { priority: 3 });
    const again = await keyed.post<RunBody>('/jobs/v1/jobs/echo/trigger', { priority: 3 });
    const other = await keyed.post('/jobs/v1/jobs/echo/trigger', { priority: 4 });
    expect([once.status, again.body.id, other.status]).toEqual([202, once.body.id, 409]);
  });

  it.each([101, -101, 1.5, '7'])(
    'is refused with the priority %s, of a trigger and of a job',
    async (priority) => {
      await registerJobs(client, { echo: {} });
      const refused = await client.post<{ error: { details: { path: string }[] } }>(
        '/jobs/v1/jobs/echo/trigger/batch',
        { items: [{}, { priority }] },
      );
      expect([refused.status, refused.body.error.details.map(({ path }) => path)]).toEqual([
        400,
        ['items[1].priority'],
      ]);
      const jobs = [{ id: 'echo', name: 'Echo', handler: 'echo', priority }];
      expect((await client.post('/jobs/v1/jobs', { jobs })).status).toBe(400);
    },
  );

  it('passes when it cannot start within its time, and then no attempt begins', async () => {
    const held = new HeldCalls();
    handlers.on('echo', held.behaviour);
    await registerJobs(client, { echo: {}, brief: { start_within_ms: 300 } });
    const first = await trigger(client, 'echo');
    await runIn(client, first.id, ['running']);
    const late = (await trigger(client, 'brief')) as Ordered;
    expect(Date.parse(late.start_before ?? '') - Date.parse(late.due_at ?? '')).toBe(300);
    const ended = await endedRun(client, late.id);
    held.releaseAll();
    expect(ended).toMatchObject({ status: 'cancelled', attempt: 0, error: { code: 'expired' } });
    expect((await endedRun(client, first.id)).status).toBe('completed');
    expect(handlers.callsOf(late.id)).toEqual([]);
    await registerJobs(client, { echo: {}, brief: { start_within_ms: 600_000 } });
    const next = await trigger(client, 'brief');
    expect((await endedRun(client, next.id)).status).toBe('completed');
  });

  it('passes without keeping a freed slot from the runs behind it, however many pass', async () => {
    const held = new HeldCalls();
    handlers.on('echo', held.behaviour);
    await registerJobs(client, { echo: {}, brief: { start_within_ms: 1, priority: 10 } });
    const first = await trigger(client, 'echo');
    await runIn(client, first.id, ['running']);
    const late = await triggerMany(client, 'brief', 60);
    const behind = await trigger(client, 'echo');
    held.releaseAll();
    const started = Date.parse((await endedRun(client, behind.id)).attempts[0]?.started_at ?? '');
    const freed = Date.parse((await endedRun(client, first.id)).attempts[0]?.completed_at ?? '');
    expect(started).toBeGreaterThanOrEqual(freed);
    for (const id of late) expect((await endedRun(client, id)).error?.code).toBe('expired');
  });

  it('matters for the first start only: a retry is in time whenever it is due', async () => {
    handlers.on('brief', (response, nth, { runId }) => {
      // The time to start is over by the end of the first attempt.
      void environment.database
        .query(`UPDATE runs SET start_before = now() - interval '1 s' WHERE id = $1`, [runId])
        .then(() => response.writeHead(nth === 1 ? 500 : 200).end());
    });
    const backoff = { type: 'exponential', initial_ms: 1, max_ms: 1, multiplier: 1 };
    await registerJobs(client, { brief: { start_within_ms: 600_000, retries: 1, retry_backoff: backoff } });
    const run = await trigger(client, 'brief');
    expect(await endedRun(client, run.id)).toMatchObject({ status: 'completed', attempt: 2 });
  });

  it('is counted from the instant when a delayed run is due', async () => {
    await registerJobs(client, { brief: { start_within_ms: 30_000 } });
    const run = (await trigger(client, 'brief', { delay_ms: 3_600_000 })) as Ordered;
    expect(Date.parse(run.start_before ?? '') - Date.parse(run.due_at ?? '')).toBe(30_000);
  });
});
