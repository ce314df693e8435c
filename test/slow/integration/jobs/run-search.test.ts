import { signUpOwner } from '../../../support/client.js';
import type { Answer, Client, RunBody } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { answer, HandlerServer } from '../../../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../../../support/runs.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';

type Refusal = Answer<{ error: { code: string; details?: { path: string }[] } }>;

/** Runs that one statement examines for a condition without an index. */
const EXAMINED = 10_000;

/** How a run differs from a completed one of the job "a" that took a second. */
interface Difference {
  readonly job?: string;
  readonly status?: string;
  readonly errorCode?: string;
  readonly handler?: string;
  readonly payload?: string;
  readonly startedAt?: string | null;
  readonly ms?: number;
}

describe('the search of runs', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let made = 0;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start(variables);
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  /** Stores runs in the order of their ids, which it returns. */
  async function make(orgId: string, differences: readonly Difference[]): Promise<string[]> {
    const ids = differences.map(() => `run_01K${String((made += 1)).padStart(23, '0')}`);
    for (const [index, run] of differences.entries()) {
      const { job = 'a', status = 'completed', errorCode = null, handler = 'h', payload = '{}' } = run;
      const { startedAt = '2026-01-01T00:00:00Z', ms = 1000 } = run;
      await environment.database.query(
        `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff, max_attempts,
                           due_at, error_code, started_at, completed_at)
         VALUES ($1, $2, $3, $4, '{"type":"cron"}', $5, $6, 1000, '{}', 1, '2999-01-01', $7, $8::timestamptz,
                 CASE WHEN $4 IN ('completed', 'failed', 'cancelled') THEN $8::timestamptz + $9::int * interval '1 ms' END)`,
        [ids[index], orgId, job, status, payload, handler, errorCode, startedAt, ms],
      );
    }
    return ids;
  }

  async function listed(client: Client, query: string): Promise<string[]> {
    const { status, body } = await client.get<RunBody[]>(`/jobs/v1/runs?${query}`);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.map(({ id }) => id);
  }

  /** The ids of all pages, page by page. */
  async function pages(client: Client, query: string): Promise<string[][]> {
    const found: string[][] = [];
    for (let path: string | undefined = `/jobs/v1/runs?${query}`; path !== undefined;) {
      const { body, headers }: Answer<RunBody[]> = await client.get<RunBody[]>(path);
      found.push(body.map(({ id }) => id));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    return found;
  }

  it('takes lists of statuses, jobs, error codes and handlers, of which a run matches one', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    const ids = await make(orgId, [
      { status: 'failed', errorCode: 'timeout', job: 'a', handler: 'x' },
      { status: 'cancelled', errorCode: 'cancelled', job: 'b', handler: 'y' },
      { status: 'failed', errorCode: 'handler_error', job: 'c', handler: 'z' },
      { status: 'completed', job: 'a', handler: 'x' },
    ]);
    const at = (...places: number[]): (string | undefined)[] => places.map((place) => ids[place]);
    expect(await listed(client, 'status=failed,cancelled')).toEqual(at(2, 1, 0));
    expect(await listed(client, 'job_id=a,b')).toEqual(at(3, 1, 0));
    expect(await listed(client, 'error_code=timeout')).toEqual(at(0));
    expect(await listed(client, 'error_code=timeout,handler_error')).toEqual(at(2, 0));
    expect(await listed(client, 'handler=y,z')).toEqual(at(2, 1));
    expect(await listed(client, 'trigger=cron,manual')).toHaveLength(4);
    expect(await listed(client, 'trigger=webhook,manual')).toEqual([]);
    expect(await listed(client, 'status=failed,completed&job_id=a,b&handler=x&error_code=timeout')).toEqual(
      at(0),
    );
    const pair = await pages(client, 'status=failed,cancelled&limit=2');
    expect(pair).toEqual([at(2, 1), at(0)]);
  });

  it('finds runs whose payload contains an object, also beside payloads that jsonb cannot hold', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    const ids = await make(orgId, [
      { payload: '{"customer":{"id":42,"name":"Ada"},"tags":["a","b"]}' },
      { payload: String.raw`{"text":"\u0000\ud800","customer":{"id":42}}` },
      { payload: '{"customer":{"id":43}}' },
      { payload: '{"n":1e999999,"customer":{"id":42}}' },
      { payload: '{"n":12345678901234567890}' },
    ]);
    const search = (part: string): Promise<string[]> => listed(client, `payload=${encodeURIComponent(part)}`);
    expect(await search('{"customer":{"id":42}}')).toEqual([ids[3], ids[1], ids[0]]);
    expect(await search('{"tags":["b"]}')).toEqual([ids[0]]);
    expect(await search('{"n":12345678901234567890}')).toEqual([ids[4]]);
    expect(await search('{"n":12345678901234567891}')).toEqual([]);
    expect(await search('{"n":null}')).toEqual([]);
  });

  it('finds the run of an Idempotency-Key, in its own organization only', async () => {
    const [mine, other] = [await signUpOwner(service.url), await signUpOwner(service.url)];
    handlers.on('echo', answer(200));
    for (const { client } of [mine, other]) await registerJobs(client, { echo: {} });
    const run = await trigger(mine.client.with({ 'idempotency-key': 'order 7' }), 'echo');
    await trigger(mine.client.with({ 'idempotency-key': 'order 8' }), 'echo');
    await trigger(other.client.with({ 'idempotency-key': 'order 7' }), 'echo');
    await endedRun(mine.client, run.id);
    expect(await listed(mine.client, 'idempotency_key=order%207')).toEqual([run.id]);
    expect(await listed(mine.client, 'idempotency_key=order')).toEqual([]);
  });

  it('sorts by duration and by start, page by page, without runs that have none', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    const ids = await make(orgId, [
      { ms: 5000, startedAt: '2026-01-03T00:00:00Z' },
      { ms: 70_000, startedAt: '2026-01-01T00:00:00Z' },
      { ms: 5000, startedAt: '2026-01-02T00:00:00Z' },
      { status: 'queued', startedAt: null },
      { status: 'retrying', startedAt: '2026-01-04T00:00:00Z' },
      { ms: 0, startedAt: '2026-01-05T00:00:00Z' },
    ]);
    const at = (...places: number[]): (string | undefined)[] => places.map((place) => ids[place]);
    expect(await pages(client, 'sort=duration&limit=2')).toEqual([at(1, 2), at(0, 5)]);
    expect(await pages(client, 'sort=started_at&limit=3')).toEqual([at(5, 4, 0), at(2, 1)]);
    expect(await listed(client, 'sort=created_at')).toEqual(at(5, 4, 3, 2, 1, 0));
    expect(await listed(client, 'min_duration_ms=5000')).toEqual(at(2, 1, 0));
    expect(await listed(client, 'min_duration_ms=5001&sort=duration')).toEqual(at(1));
  });

  it('examines a bounded number of runs for each page, and its pages reach every run that matches', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await environment.database.query(
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff, max_attempts,
                         due_at, started_at, completed_at)
       SELECT 'run_01' || lpad(n::text, 24, '0'), $1, 'busy', 'completed', '{"type":"cron"}', '{}',
              CASE WHEN n IN (1, 2, 15000) THEN 'rare' ELSE 'h' END, 1000, '{}', 1, now(), now(), now()
       FROM generate_series(1, 25000) n`,
      [orgId],
    );
    await environment.database.query('ANALYZE runs');
    const found = await pages(client, 'handler=rare&limit=2');
    expect(found).toHaveLength(Math.ceil(25_000 / EXAMINED));
    expect(found.flat().map((id) => Number(id.slice(6)))).toEqual([15_000, 2, 1]);

    const statements = await service.statementsOf(() => client.get('/jobs/v1/runs?handler=rare'));
    const search = statements.find((sql) => sql.includes('handler ='));
    const plan = await environment.database.query<Record<string, string>>(
      `EXPLAIN (ANALYZE, BUFFERS OFF) ${search ?? ''}`,
      [orgId, 'rare', 21],
    );
    const text = plan.flatMap((row) => Object.values(row)).join('\n');
    expect(text).not.toMatch(/Seq Scan on runs_ended|Sort {2}\(/);
    const read = [...text.matchAll(/Index Scan.*actual .*rows=([\d.]+)/g)].map(([, rows]) => Number(rows));
    expect(read.reduce((sum, rows) => sum + rows)).toBe(EXAMINED);
  });

  it('examines a bounded number of runs for two filters that no index serves together', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await environment.database.query(
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff, max_attempts,
                         due_at, started_at, completed_at)
       SELECT 'run_01' || lpad((100000 + n)::text, 24, '0'), $1, CASE WHEN n % 2 = 0 THEN 'pay' ELSE 'bill' END,
              CASE WHEN n = 1 THEN 'failed' ELSE 'completed' END, '{"type":"cron"}', '{}', 'h', 1000, '{}', 1, now(), now(), now()
       FROM generate_series(1, 25000) n`,
      [orgId],
    );
    await environment.database.query('ANALYZE runs');
    expect((await pages(client, 'job_id=bill&status=failed&limit=2')).flat()).toHaveLength(1);
    expect((await pages(client, 'job_id=pay&status=completed&limit=100')).flat()).toHaveLength(12_500);
    const nothing = await pages(client, 'job_id=pay&status=completed&trigger=manual');
    expect(nothing).toEqual([[], []]);
    expect(await listed(client, 'job_id=pay&status=failed&trigger=cron')).toEqual([]);
  });

  it('looks up a key by its index and never walks the list of runs', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    const statements = await service.statementsOf(() => client.get('/jobs/v1/runs?idempotency_key=k'));
    const search = statements.find((sql) => sql.includes('run_requests'));
    const plan = await environment.database.query<Record<string, string>>(`EXPLAIN ${search ?? ''}`, [
      orgId,
      orgId,
      'k',
      21,
    ]);
    const text = plan.flatMap((row) => Object.values(row)).join('\n');
    expect(text).toContain('run_requests_by_key');
    expect(text).toMatch(/Index Cond: .*\bid = ANY/);
  });

  it.each([
    ['status', 'failed,'],
    ['status', 'failed,done'],
    ['job_id', 'a,-'],
    ['handler', ''],
    ['error_code', 'Timeout'],
    ['idempotency_key', ''],
    ['payload', '[1]'],
    ['payload', '{'],
    ['payload', 'null'],
    ['min_duration_ms', '-1'],
    ['min_duration_ms', '1.5'],
    ['sort', 'up'],
  ])('refuses %s=%s with its path', async (name, value) => {
    const { client } = await signUpOwner(service.url);
    const refused: Refusal = await client.get(`/jobs/v1/runs?${name}=${encodeURIComponent(value)}`);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
    expect(refused.body.error.details?.map(({ path }) => path)).toEqual([name]);
  });

  it('refuses the cursor of a list in another order', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await make(orgId, [{}, {}]);
    const { headers } = await client.get('/jobs/v1/runs?limit=1&sort=duration');
    const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? '';
    for (const query of ['', 'sort=started_at&'])
      expect(await client.get(`/jobs/v1/runs?${query}cursor=${cursor}`)).toMatchObject({ status: 400 });
    expect(await client.get(`/jobs/v1/runs?sort=duration&cursor=${cursor}`)).toMatchObject({ status: 200 });
  });
});
