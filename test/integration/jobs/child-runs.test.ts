import pg from 'pg';
import type { TenantId } from '../../../src/http/index.js';
import { toRunFilters } from '../../../src/jobs/runs/http/dto/run-query.js';
import { RunConditions } from '../../../src/jobs/runs/search/run-filters.js';
import { Client, signUpOwner } from '../../support/client.js';
import type { Answer, RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { endedRun, registerJobs, runIn, showRun, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

type Refusal = Answer<{ error: { code: string } }>;

const DAY_MS = 86_400_000;

describe('the children of a run', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let other: ServiceProcess;
  let held: HeldCalls;
  let client: Client;
  let orgId: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    const slots = { SERVICE_JOBS__WORKER_COUNT: '20', SERVICE_JOBS__MAX_ORG_WORKER_SHARE: '1' };
    service = await ServiceInProcess.start({ ...variables, ...slots });
    other = await ServiceProcess.start({ ...variables, SERVICE_ROLE: 'api' });
  });

  afterAll(async () => {
    await Promise.all([service.stop(), other.stop()]);
    await handlers.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    held = new HeldCalls();
    handlers.on('held', held.behaviour);
    handlers.on('failing', answer(422, {}));
    ({ client, orgId } = await signUpOwner(service.url));
    await registerJobs(client, { held: {}, failing: {} });
  });

  afterEach(() => {
    held.releaseAll();
  });

  /** Whoever holds the token of this run, once its handler is called. */
  async function asRun(runId: string, url = service.url): Promise<Client> {
    await until(() => handlers.callsOf(runId).length > 0);
    const { authorization = '' } = handlers.callsOf(runId).at(-1)?.headers ?? {};
    // A project is known by the token already.
    const headers = Object.entries(client.headers).filter(
      ([name]) => !/^(?:authorization|apikey)$/i.test(name),
    );
    return new Client(url).with(Object.fromEntries(headers)).as(authorization.replace('Bearer ', ''));
  }

  async function cancel(runId: string, query = '?children=true', by = client): Promise<Answer<RunBody>> {
    return await by.post<RunBody>(`/jobs/v1/runs/${runId}/cancel${query}`);
  }

  async function statusOf(...runIds: string[]): Promise<string[]> {
    return await Promise.all(runIds.map(async (id) => (await showRun(client, id)).status));
  }

  async function idsOf(query: string): Promise<string[]> {
    const { status, body } = await client.get<RunBody[]>(`/jobs/v1/runs?limit=100&${query}`);
    expect(status).toBe(200);
    return body.map(({ id }) => id);
  }

  it('name it, singly or in a batch, and are listed by it, together with other filters', async () => {
    const parent = await trigger(client, 'held');
    const stranger = await trigger(client, 'held');
    const run = await asRun(parent.id);
    const single = await trigger(run, 'failing');
    const { status, body } = await run.post<{ runs: RunBody[] }>('/jobs/v1/jobs/held/trigger/batch', {
      items: [{ delay_ms: DAY_MS }, { delay_ms: DAY_MS }],
    });
    expect(status).toBe(202);
    const [first, second] = body.runs.map(({ id }) => id);
    const ofStranger = await trigger(await asRun(stranger.id), 'failing');
    expect(single.parent_run_id).toBe(parent.id);
    expect((await showRun(client, first ?? '')).parent_run_id).toBe(parent.id);
    expect(await showRun(client, parent.id)).not.toHaveProperty('parent_run_id');
    const children = [single.id, first, second].sort();
    expect((await idsOf(`parent_run_id=${parent.id}`)).sort()).toEqual(children);
    expect(await idsOf(`parent_run_id=${stranger.id}`)).toEqual([ofStranger.id]);
    expect((await idsOf(`parent_run_id=${parent.id},${stranger.id}`)).sort()).toEqual(
      [...children, ofStranger.id].sort(),
    );
    await endedRun(client, single.id);
    expect(await idsOf(`parent_run_id=${parent.id}&status=failed`)).toEqual([single.id]);
    expect((await client.get<Refusal['body']>('/jobs/v1/runs?parent_run_id=nothing')).status).toBe(400);
  });

  it('are found by an index, one parent or several', async () => {
    const parent = `run_${'0'.repeat(25)}1`;
    await environment.database.query(
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff, max_attempts,
                         due_at, completed_at)
       SELECT 'run_' || upper(substr(md5(random()::text), 1, 26)), $1, 'held', 'completed',
              CASE WHEN n <= 3 THEN json_build_object('type', 'manual', 'run_id', $2::text)
                   ELSE '{"type":"manual","key_id":"x"}' END, '{}', 'h', 1000, '{}', 1, now(), now()
       FROM generate_series(1, 20000) n`,
      [orgId, parent],
    );
    await environment.database.query('ANALYZE runs');
    for (const parents of [[parent], [parent, 'run_x']]) {
      const conditions = new RunConditions();
      const filters = { ...toRunFilters({}, null), parentRunIds: parents };
      const plan = await environment.database.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT id FROM runs WHERE ${conditions.indexed(orgId as TenantId, filters, null)}
         ORDER BY id DESC LIMIT 20`,
        [...conditions.parameters],
      );
      const text = plan.map((line) => line['QUERY PLAN']).join('\n');
      expect(text).toContain('runs_ended_by_parent');
      expect(text).not.toMatch(/Seq Scan on runs_ended/);
    }
    expect(await idsOf(`parent_run_id=${parent}`)).toHaveLength(3);
  });

  it('keep their parent when they are retried, and name it when it is deleted', async () => {
    const parent = await trigger(client, 'held');
    const child = await trigger(await asRun(parent.id), 'failing');
    await endedRun(client, child.id);
    const { status, body: retry } = await client.post<RunBody>(`/jobs/v1/runs/${child.id}/retry`);
    expect([status, retry.parent_run_id, retry.retry_of]).toEqual([202, parent.id, child.id]);
    held.releaseAll();
    await endedRun(client, parent.id);
    await environment.database.query('DELETE FROM runs WHERE id = $1', [parent.id]);
    expect((await showRun(client, retry.id)).parent_run_id).toBe(parent.id);
    expect((await idsOf(`parent_run_id=${parent.id}`)).sort()).toEqual([child.id, retry.id].sort());
  });

  it('end with it when it is cancelled with children, however deep, whether they wait or run', async () => {
    const parent = await trigger(client, 'held');
    const child = await trigger(await asRun(parent.id), 'held');
    const waiting = await trigger(await asRun(parent.id), 'held', { delay_ms: DAY_MS });
    const grandchild = await trigger(await asRun(child.id), 'held');
    const ended = await trigger(await asRun(child.id), 'failing');
    const unrelated = await trigger(client, 'held');
    await asRun(grandchild.id);
    await endedRun(client, ended.id);
    const { status, body } = await cancel(parent.id);
    expect([status, body.id, body.status]).toEqual([200, parent.id, 'cancelled']);
    expect(await statusOf(child.id, waiting.id, grandchild.id, ended.id)).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
      'failed',
    ]);
    expect((await showRun(client, grandchild.id)).attempts).toMatchObject([{ outcome: 'cancelled' }]);
    expect(await statusOf(unrelated.id)).not.toEqual(['cancelled']);
    // All of their slots are free, and nothing counts as waiting.
    held.releaseAll();
    await endedRun(client, unrelated.id);
    let counts: unknown;
    await until(
      async () => {
        const [row] = await environment.database.query<{ running: number; waiting: number }>(
          'SELECT running, queued + retrying AS waiting FROM tenant_queues WHERE tenant_id = $1',
          [orgId],
        );
        counts = row;
        return row?.running === 0 && row.waiting === 0;
      },
      60_000,
      () => JSON.stringify(counts),
    );
  });

  it('go on when it is cancelled alone, and can still be ended with it', async () => {
    const parent = await trigger(client, 'held');
    const child = await trigger(await asRun(parent.id), 'held');
    await asRun(child.id);
    expect((await cancel(parent.id, '')).status).toBe(200);
    expect(await statusOf(parent.id, child.id)).toEqual(['cancelled', 'running']);
    expect((await cancel(parent.id)).status).toBe(200);
    expect(await statusOf(child.id)).toEqual(['cancelled']);
    const { status, body }: Refusal = (await cancel(parent.id)) as unknown as Refusal;
    expect([status, body.error.code]).toEqual([409, 'run_finished']);
  });

  it('are not those of another tenant', async () => {
    const parent = await trigger(client, 'held');
    const child = await trigger(await asRun(parent.id), 'held');
    const { client: stranger } = await signUpOwner(service.url);
    const { status, body }: Refusal = (await cancel(
      parent.id,
      '?children=true',
      stranger,
    )) as unknown as Refusal;
    expect([status, body.error.code]).toEqual([404, 'run_not_found']);
    expect((await stranger.get<RunBody[]>(`/jobs/v1/runs?parent_run_id=${parent.id}`)).body).toEqual([]);
    expect(await statusOf(child.id)).not.toEqual(['cancelled']);
  });

  it('cannot be added after the cancellation, and none that was added before it starts afterwards', async () => {
    for (let round = 0; round < 6; round += 1) {
      const parent = await trigger(client, 'held');
      const [run, beside] = [await asRun(parent.id), await asRun(parent.id, other.url ?? '')];
      const add = async (by: Client, nth: number): Promise<Answer<RunBody>> => {
        return nth % 2 === 0
          ? await by.post<RunBody>('/jobs/v1/jobs/held/trigger', nth % 4 === 0 ? {} : { delay_ms: DAY_MS })
          : await by.post<RunBody>('/jobs/v1/jobs/held/trigger/batch', { items: [{}, { delay_ms: DAY_MS }] });
      };
      const adding = Array.from({ length: 16 }, (_none, nth) => add(nth % 3 === 0 ? beside : run, nth));
      if (round > 0) await Promise.race(adding);
      const cancelled = await cancel(
        parent.id,
        '?children=true',
        round % 2 === 0 ? client : new Client(other.url ?? '').with(client.headers),
      );
      expect(cancelled.status).toBe(200);
      const answers = await Promise.all(adding);
      expect(answers.filter(({ status }) => status !== 202 && status !== 401)).toEqual([]);
      const left = await environment.database.query(
        `SELECT id, status FROM runs WHERE trigger ->> 'run_id' = $1 AND status <> 'cancelled'`,
        [parent.id],
      );
      expect(left).toEqual([]);
    }
  });

  it('cannot be added by a trigger that is under way while its run ends', async () => {
    const late = new HeldCalls();
    handlers.on('late', late.behaviour);
    await registerJobs(client, { held: {}, late: {} });
    const root = await trigger(client, 'held');
    const child = await trigger(await asRun(root.id), 'late');
    await asRun(child.id);
    const added = await trigger(client, 'held', { delay_ms: DAY_MS });
    const connection = new pg.Client({ connectionString: environment.database.url });
    await connection.connect();
    try {
      // What a trigger of the child does: it holds the queue of its tenant, and makes another run with its own as the parent.
      await connection.query('BEGIN');
      await connection.query('SELECT FROM tenant_queues WHERE tenant_id = $1 FOR UPDATE', [orgId]);
      late.releaseAll();
      const cancelled = cancel(root.id);
      await until(async () => {
        const waiting = await environment.database.query(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length > 1;
      });
      await connection.query(
        `UPDATE runs SET trigger = trigger || jsonb_build_object('run_id', $2::text) WHERE id = $1`,
        [added.id, child.id],
      );
      await connection.query('COMMIT');
      expect((await cancelled).status).toBe(200);
      const [ofRoot, ofChild, ofAdded] = await statusOf(root.id, child.id, added.id);
      expect([ofRoot, ofAdded]).toEqual(['cancelled', 'cancelled']);
      // The end of its handler and the cancellation wait for the same lock.
      expect(['completed', 'cancelled']).toContain(ofChild);
    } finally {
      await connection.end();
    }
  });

  it('of its retries by a cancelled run are refused as well', async () => {
    const parent = await trigger(client, 'held');
    const run = await asRun(parent.id);
    const failed = await trigger(client, 'failing');
    await endedRun(client, failed.id);
    await cancel(parent.id);
    expect((await run.post(`/jobs/v1/runs/${failed.id}/retry`)).status).toBe(401);
    await runIn(client, parent.id, ['cancelled']);
  });
});
