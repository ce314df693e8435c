import type { TenantId } from '../../../src/http/index.js';
import { toRunFilters } from '../../../src/jobs/runs/http/dto/run-query.js';
import { isIndexed, RunConditions } from '../../../src/jobs/runs/search/run-filters.js';
import { signUpOwner } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

const FAILS = `export default () => Response.json({ error: 'no' }, { status: 422 });`;

describe('runs that were retried', () => {
  let program: SharedProgram;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  /** The second retries the first, the third the second. */
  let chain: [first: string, second: string, third: string];
  let alone: string;

  beforeAll(async () => {
    program = await sharedProgram();
    await program.deploy('refuses', FAILS);
    owner = await signUpOwner(program.url);
    await registerJobs(owner.client, { refuses: {} });
    const first = await failed((await trigger(owner.client, 'refuses', { payload: {} })).id);
    const second = await failed(await retried(first));
    chain = [first, second, await failed(await retried(second))];
    alone = await failed((await trigger(owner.client, 'refuses', { payload: {} })).id);
  });

  async function failed(id: string): Promise<string> {
    expect((await endedRun(owner.client, id)).status).toBe('failed');
    return id;
  }

  async function retried(id: string): Promise<string> {
    return (await owner.client.post<RunBody>(`/jobs/v1/runs/${id}/retry`)).body.id;
  }

  async function idsOf(query: string): Promise<string[]> {
    const { status, body } = await owner.client.get<RunBody[]>(`/jobs/v1/runs?limit=100&${query}`);
    expect([status, body]).toEqual([200, body]);
    return body.map(({ id }) => id);
  }

  it('are listed with or without those that were not', async () => {
    const [first, second, third] = chain;
    expect(await idsOf('retried=false')).toEqual([alone, third]);
    expect(await idsOf('status=failed&retried=true')).toEqual([second, first]);
    expect(await idsOf('sort=started_at&retried=true')).toEqual([second, first]);
    expect(await idsOf('')).toHaveLength(4);
    const { status, body } = await owner.client.get('/jobs/v1/runs?retried=perhaps');
    expect([status, body]).toMatchObject([400, { error: { code: 'validation_failed' } }]);
  });

  it('lead to their retries', async () => {
    const [first, second, third] = chain;
    expect(await idsOf(`retry_of=${first}`)).toEqual([second]);
    expect(await idsOf(`retry_of=${first},${second}`)).toEqual([third, second]);
    expect(await idsOf(`retry_of=${first}&status=completed`)).toEqual([]);
    expect(await idsOf(`retry_of=${alone}`)).toEqual([]);
  });

  it('are left out of an operation that asks for it, and while their retry is under way', async () => {
    const bulk = async (more: object): Promise<unknown> =>
      (
        await owner.client.post('/jobs/v1/runs/bulk', {
          action: 'retry',
          filter: { status: 'failed' },
          ...more,
        })
      ).body;
    expect(await bulk({ dry_run: true })).toMatchObject({ matched: 4 });
    const last = { status: 'failed', retried: false };
    expect(await bulk({ filter: last, dry_run: true })).toMatchObject({ matched: 2 });
    const waiting = await owner.client.post<RunBody>('/jobs/v1/jobs/refuses/trigger', {
      payload: {},
      delay_ms: 3_600_000,
    });
    await program.database.query('UPDATE runs SET retry_of = $2 WHERE id = $1', [waiting.body.id, alone]);
    expect(await bulk({ filter: last, dry_run: true })).toMatchObject({ matched: 1 });
    expect(await bulk({ filter: { ...last, retry_of: chain[1] } })).toMatchObject({ matched: 1 });
  });

  it('are looked up by an index, each by itself', async () => {
    const { database } = program;
    await database.query(
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff, max_attempts,
                         due_at, completed_at, of_open_job)
       SELECT 'run_' || upper(substr(md5(random()::text), 1, 26)), $1, 'other', 'completed', $2, '{}', 'h',
              1000, '{}', 1, now(), now(), true FROM generate_series(1, 20000) n`,
      [owner.orgId, { type: 'on_demand', user_id: owner.userId }],
    );
    await database.query('ANALYZE runs');
    const planOf = async (
      filters: Parameters<typeof toRunFilters>[0],
      ownerId: string | null,
    ): Promise<string> => {
      const [conditions, all] = [new RunConditions(), toRunFilters(filters, ownerId)];
      const indexed = conditions.indexed(owner.orgId as TenantId, all, null);
      const lines = await database.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT id FROM runs WHERE ${indexed} AND ${conditions.unindexed(all)} ORDER BY id DESC LIMIT 20`,
        [...conditions.parameters],
      );
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    };
    for (const filters of [{ retry_of: [chain[0]] }, { retry_of: [...chain] }, { retried: false }])
      // As a key of an organization reads them, and as a user of a project, who may read their own alone.
      for (const ownerId of [null, owner.userId]) {
        const plan = await planOf(filters, ownerId);
        expect(plan).toContain('runs_ended_retries');
        expect(plan).not.toMatch(/Seq Scan on runs_ended/);
      }
    // So no page ends before the retries of a user's run.
    expect(isIndexed(toRunFilters({ retry_of: [chain[0]] }, owner.userId))).toBe(true);
  });
});
