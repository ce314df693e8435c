import { randomUUID } from 'node:crypto';
import { makeKey } from '../../../support/api-keys.js';
import { jobAuditOf } from '../../../support/audit.js';
import { Client, signUpOwner } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { answer, HandlerServer, silent } from '../../../support/handler-server.js';
import { registerJobs, runIn, trigger } from '../../../support/runs.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';

interface Begun {
  readonly matched: number;
  readonly operation_id: string;
  readonly at?: string;
}

interface OperationBody {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly errors: Record<string, number>;
  readonly completed_at: string | null;
}

type Refusal = Answer<{ error: { code: string; details?: { path: string }[] } }>;

const QUOTA = 4;

describe('an operation on runs', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({ ...variables, SERVICE_LIMITS__WAITING_RUNS: String(QUOTA) });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function makeEnded(orgId: string, job: string, count: number, status = 'failed'): Promise<void> {
    await environment.database.query(
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff, max_attempts,
                         due_at, completed_at)
       SELECT 'run_' || upper(substr(md5(random()::text), 1, 26)), $1, $2, $3, '{"type":"cron"}', json_build_object('n', n),
              'h', 1000, '{}', 1, now(), now() FROM generate_series(1, $4::int) n`,
      [orgId, job, status, count],
    );
  }

  async function begun(client: Client, body: Record<string, unknown>): Promise<Begun> {
    const { status, body: accepted } = await client.post<Begun>('/jobs/v1/runs/bulk', body);
    expect({ status, accepted }).toMatchObject({ status: 202 });
    return accepted;
  }

  async function completed(client: Client, id: string): Promise<OperationBody> {
    let operation: OperationBody | undefined;
    await until(
      async () => {
        operation = (await client.get<OperationBody>(`/jobs/v1/operations/${id}`)).body;
        return operation.completed_at !== null;
      },
      30_000,
      () => JSON.stringify(operation),
    );
    if (operation === undefined) throw new Error('there is no operation');
    return operation;
  }

  it('retries every ended run that matches once, says how many in a dry run, and is on record', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    handlers.on('fails', answer(200));
    await registerJobs(client, { fails: {}, other: {} });
    await makeEnded(orgId, 'fails', 3);
    await makeEnded(orgId, 'fails', 2, 'completed');
    await makeEnded(orgId, 'other', 1);
    const request = { action: 'retry', filter: { job_id: 'fails', status: 'failed,cancelled,queued' } };
    expect(await begun(client, { ...request, dry_run: true })).toEqual({
      matched: 3,
      at: expect.any(String) as string,
    });
    const { matched, operation_id: id } = await begun(client, request);
    expect(matched).toBe(3);
    expect(await completed(client, id)).toMatchObject({ total: 3, done: 3, failed: 0, errors: {} });
    const retries = await environment.database.query<{ job: string; payload: string; actor: string }>(
      `SELECT retry.job_id AS job, retry.payload::text, retry.trigger ->> 'repeated_by' AS actor
       FROM runs retry JOIN runs ended ON ended.id = retry.retry_of
       WHERE retry.tenant_id = $1 AND ended.status = 'failed' ORDER BY 2`,
      [orgId],
    );
    expect(retries.map(({ job, payload }) => [job, payload.replaceAll(' ', '')])).toEqual([
      ['fails', '{"n":1}'],
      ['fails', '{"n":2}'],
      ['fails', '{"n":3}'],
    ]);
    for (const { actor } of retries) expect(actor).toMatch(/^(?:user|key):/);
    const filter = { job_id: ['fails'], status: ['failed', 'cancelled', 'queued'] };
    expect((await jobAuditOf(environment.database, orgId)).slice(-1)).toMatchObject([
      { action: 'runs.retried', target_id: id, details: { filter, matched: 3 } },
    ]);
  });

  it('cancels waiting and running runs by the way of a single cancellation', async () => {
    const { client } = await signUpOwner(service.url);
    handlers.on('stuck', silent);
    await registerJobs(client, { stuck: { timeout_ms: 60_000 } });
    const running = await trigger(client, 'stuck');
    await runIn(client, running.id, ['running']);
    const waiting = await trigger(client, 'stuck', { delay_ms: 60_000 });
    const { matched, operation_id: id } = await begun(client, {
      action: 'cancel',
      filter: { job_id: 'stuck' },
    });
    expect(matched).toBe(2);
    expect(await completed(client, id)).toMatchObject({ done: 2, failed: 0 });
    for (const run of [running, waiting])
      expect(await runIn(client, run.id, ['cancelled'])).toMatchObject({ error: { code: 'cancelled' } });
    expect(handlers.callsOf(waiting.id)).toEqual([]);
  });

  it('never exceeds the quota of waiting runs, and retries the rest when others have started', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    handlers.on('held', silent);
    await registerJobs(client, { held: { max_concurrent_runs: 1, timeout_ms: 60_000 } });
    await makeEnded(orgId, 'held', QUOTA + 3);
    const { operation_id: id } = await begun(client, { action: 'retry', filter: { job_id: 'held' } });
    const show = async (): Promise<OperationBody> =>
      (await client.get<OperationBody>(`/jobs/v1/operations/${id}`)).body;
    await until(async () => (await show()).done >= QUOTA);
    const [{ waiting } = { waiting: -1 }] = await environment.database.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM runs WHERE tenant_id = $1 AND status = 'queued'`,
      [orgId],
    );
    expect(waiting).toBeLessThanOrEqual(QUOTA);
    expect(await show()).toMatchObject({ total: QUOTA + 3, failed: 0, completed_at: null });
    handlers.on('held', answer(200));
    await client.post('/jobs/v1/runs/bulk', { action: 'cancel', filter: { status: 'running' } });
    expect(await completed(client, id)).toMatchObject({ done: QUOTA + 3, failed: 0 });
    const retries = await environment.database.query(
      'SELECT retry_of FROM runs WHERE tenant_id = $1 AND retry_of IS NOT NULL GROUP BY 1 HAVING count(*) = 1',
      [orgId],
    );
    expect(retries).toHaveLength(QUOTA + 3);
  });

  it('counts runs whose job was deleted as failed', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await makeEnded(orgId, 'gone', 2);
    const { operation_id: id } = await begun(client, { action: 'retry', filter: {} });
    expect(await completed(client, id)).toMatchObject({ done: 2, failed: 2, errors: { job_deleted: 2 } });
  });

  it('is refused for more than 10,000 runs with 400 too_many_runs', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await makeEnded(orgId, 'many', 10_001);
    const refused: Refusal = await client.post('/jobs/v1/runs/bulk', { action: 'retry', filter: {} });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'too_many_runs' } } });
    const filter = { payload: { n: 7 } };
    const { matched, at } = await begun(client, { action: 'retry', filter, dry_run: true });
    expect(matched).toBe(1);
    await makeEnded(orgId, 'later', 1);
    const since = { action: 'retry', filter: { job_id: 'later', until: at }, dry_run: true };
    expect(await begun(client, since)).toMatchObject({ matched: 0 });
  });

  it('needs the permission to read runs and that of its action', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    for (const [action, permission, other] of [
      ['retry', 'jobs:jobs:trigger', 'jobs:runs:cancel'],
      ['cancel', 'jobs:runs:cancel', 'jobs:jobs:trigger'],
    ] as const) {
      const request = { action, filter: {}, dry_run: true };
      for (const [permissions, status] of [
        [[permission, 'jobs:runs:read'], 202],
        [[other, 'jobs:runs:read'], 403],
        [[permission], 403],
      ] as const) {
        const { key } = await makeKey(client, orgId, [...permissions]);
        expect((await new Client(service.url).as(key).post('/jobs/v1/runs/bulk', request)).status).toBe(
          status,
        );
      }
    }
  });

  it('is unknown to other organizations, and ends with its own', async () => {
    const [mine, other] = [await signUpOwner(service.url), await signUpOwner(service.url)];
    await makeEnded(mine.orgId, 'gone', 1);
    const { operation_id: id } = await begun(mine.client, { action: 'retry', filter: {} });
    expect(await completed(mine.client, id)).toMatchObject({ total: 1, failed: 1 });
    for (const unknown of [id, randomUUID(), 'x'])
      expect(await other.client.get(`/jobs/v1/operations/${unknown}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'operation_not_found' } },
      });
    await mine.client.send('DELETE', `/auth/v1/orgs/${mine.orgId}`);
    await until(
      async () =>
        (await environment.database.query('SELECT FROM run_operations WHERE id = $1', [id])).length === 0,
    );
  });

  it.each([
    [{ filter: {} }, 'action'],
    [{ action: 'delete', filter: {} }, 'action'],
    [{ action: 'retry' }, 'filter'],
    [{ action: 'retry', filter: { status: 'done' } }, 'filter.status'],
    [{ action: 'retry', filter: { status: ['failed', 'done'] } }, 'filter.status'],
    [{ action: 'retry', filter: { payload: '{}' } }, 'filter.payload'],
    [{ action: 'retry', filter: { limit: 1 } }, 'filter.limit'],
  ])('refuses %j with the path %s', async (body, path) => {
    const { client } = await signUpOwner(service.url);
    const refused: Refusal = await client.post('/jobs/v1/runs/bulk', body);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
    expect(refused.body.error.details?.map((problem) => problem.path)).toEqual([path]);
  });

  describe('PATCH /jobs/v1/jobs', () => {
    it('pauses and resumes all jobs or those of ids, with one audit entry for what changed', async () => {
      const { client, orgId } = await signUpOwner(service.url);
      await registerJobs(client, { a: {}, b: {}, c: {} });
      const patch = async (body: Record<string, unknown>): Promise<unknown> =>
        (await client.send<{ jobs: unknown }>('PATCH', '/jobs/v1/jobs', body)).body.jobs;
      expect(await patch({ paused: true, ids: ['b'] })).toEqual([{ id: 'b', change: 'updated' }]);
      expect(await patch({ paused: true })).toEqual([
        { id: 'a', change: 'updated' },
        { id: 'b', change: 'unchanged' },
        { id: 'c', change: 'updated' },
      ]);
      expect(await patch({ paused: false })).toHaveLength(3);
      expect(await patch({ paused: false })).toHaveLength(3);
      expect((await jobAuditOf(environment.database, orgId)).slice(1)).toMatchObject([
        { action: 'jobs.paused', details: { jobs: ['b'] } },
        { action: 'jobs.paused', details: { jobs: ['a', 'c'] } },
        { action: 'jobs.resumed', details: { jobs: ['a', 'b', 'c'] } },
      ]);
    });

    it('changes nothing if one of the ids is unknown', async () => {
      const { client } = await signUpOwner(service.url);
      await registerJobs(client, { a: {} });
      const refused: Refusal = await client.send('PATCH', '/jobs/v1/jobs', { paused: true, ids: ['a', 'x'] });
      expect(refused).toMatchObject({ status: 404, body: { error: { code: 'job_not_found' } } });
      expect(refused.body.error.details?.map(({ path }) => path)).toEqual(['ids[1]']);
      expect((await client.get<{ paused: boolean }>('/jobs/v1/jobs/a')).body.paused).toBe(false);
    });
  });
});
