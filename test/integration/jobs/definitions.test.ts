import pg from 'pg';
import { makeKey } from '../../support/api-keys.js';
import { jobAuditOf } from '../../support/audit.js';
import { Client, signUpOwner } from '../../support/client.js';
import type { Answer, RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { itInOrganizations, OWNER_TYPE } from '../../support/profile.js';

interface JobBody {
  id: string;
  paused: boolean;
  next_fire_at: string | null;
  last_run: RunBody | null;
  triggers: unknown[];
  created_at: string;
  updated_at: string;
}

interface Registered {
  jobs: { id: string; change: string }[];
}

type Refusal = Answer<{ error: { code: string; details?: { path: string; message: string }[] } }>;
type Owner = Awaited<ReturnType<typeof signUpOwner>>;

const MINUTELY = { type: 'cron', schedule: '* * * * *' };
const YEARLY = { type: 'cron', schedule: '0 0 1 1 *' };

function job(id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, name: id, handler: 'handler', ...more };
}

describe('job definitions', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;

  beforeAll(async () => {
    environment = await createEnvironment();
    const variables: Record<string, string> = { ...environment.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    // No worker: what is queued stays so.
    service = await ServiceInProcess.start({
      ...variables,
      SERVICE_ROLE: 'api',
      SERVICE_FUNCTIONS__URL: 'http://127.0.0.1:1/{handler}',
    });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function register(
    client: Client,
    jobs: readonly Record<string, unknown>[],
    query = '',
  ): Promise<Answer<Registered>> {
    return await client.post<Registered>(`/jobs/v1/jobs${query}`, { jobs });
  }

  async function idsOf(client: Client): Promise<string[]> {
    return (await client.get<JobBody[]>('/jobs/v1/jobs?limit=100')).body.map(({ id }) => id);
  }

  async function show(client: Client, id: string): Promise<JobBody> {
    return (await client.get<JobBody>(`/jobs/v1/jobs/${id}`)).body;
  }

  /** Everything that a registration writes, of one organization. */
  async function traces({ orgId }: Owner): Promise<unknown> {
    const { database } = environment;
    return {
      jobs: await database.query('SELECT * FROM jobs WHERE tenant_id = $1 ORDER BY id', [orgId]),
      schedules: await database.query('SELECT * FROM cron_triggers WHERE tenant_id = $1 ORDER BY job_id', [
        orgId,
      ]),
      runs: await database.query('SELECT * FROM runs WHERE tenant_id = $1 ORDER BY id', [orgId]),
      audit: await database.query('SELECT * FROM audit_entries WHERE org_id = $1 ORDER BY position', [orgId]),
    };
  }

  describe('POST /jobs/v1/jobs', () => {
    it('says of each job whether it was created, updated or is unchanged; the same manifest twice is unchanged', async () => {
      const { client } = await signUpOwner(service.url);
      const first = [job('a', { triggers: [YEARLY] }), job('b')];
      expect((await register(client, first)).body.jobs).toEqual([
        { id: 'a', change: 'created' },
        { id: 'b', change: 'created' },
      ]);
      expect((await register(client, first)).body.jobs).toEqual([
        { id: 'a', change: 'unchanged' },
        { id: 'b', change: 'unchanged' },
      ]);
      expect((await register(client, [job('c'), job('a', { retries: 1 })])).body.jobs).toEqual([
        { id: 'c', change: 'created' },
        { id: 'a', change: 'updated' },
      ]);
      expect(await idsOf(client)).toEqual(['a', 'b', 'c']);
    });

    it('takes a manifest without jobs, and jobs without triggers', async () => {
      const { client } = await signUpOwner(service.url);
      expect(await register(client, [])).toMatchObject({ status: 200, body: { jobs: [] } });
      expect((await register(client, [job('bare')])).status).toBe(200);
      expect((await show(client, 'bare')).triggers).toEqual([]);
    });

    it('changes nothing when anything of the manifest is wrong, and names every problem with its path', async () => {
      const owner = await signUpOwner(service.url);
      await register(owner.client, [job('kept')]);
      const before = await traces(owner);
      const refused = (await register(
        owner.client,
        [job('new'), job('new'), job('bad', { triggers: [{ type: 'cron', schedule: '0 0 31 2 *' }] })],
        '?prune=true',
      )) as unknown as Refusal;
      expect(refused.status).toBe(400);
      expect(refused.body.error.details?.map(({ path }) => path)).toEqual([
        'jobs[1].id',
        'jobs[2].triggers[0].schedule',
      ]);
      expect(await traces(owner)).toEqual(before);
    });

    it('names every problem of a manifest at once, those of its form and those that take a look further, each field once', async () => {
      const owner = await signUpOwner(service.url);
      await register(owner.client, [job('kept')]);
      const before = await traces(owner);
      const verify = { type: 'hmac', header: 'X-Signature', secret: 'plain text', format: 7 };
      const refused = (await owner.client.post('/jobs/v1/jobs', {
        jobs: [
          job('a', { retries: -1, triggers: [{ type: 'cron', schedule: '0 0 31 2 *', misfire: 'twice' }] }),
          'no job',
          job('a', {
            triggers: [
              { type: 'cron', schedule: 5, timezone: 'Nowhere' },
              null,
              { type: 'webhook', path: '/hooks/h', verify },
              { type: 'data', table: 'public.none', events: ['insert'], columns: 1 },
              { type: 'moon' },
            ],
          }),
          { id: '-', name: 'b' },
        ],
        version: 2,
      })) as unknown as Refusal;
      expect(refused.status).toBe(400);
      const paths = refused.body.error.details?.map(({ path }) => path).sort();
      expect(paths).toEqual([
        'jobs[0].retries',
        'jobs[0].triggers[0].misfire',
        'jobs[0].triggers[0].schedule',
        'jobs[1]',
        'jobs[2].id',
        'jobs[2].triggers[0].schedule',
        'jobs[2].triggers[0].timezone',
        'jobs[2].triggers[1]',
        'jobs[2].triggers[2].verify.format',
        'jobs[2].triggers[2].verify.secret',
        'jobs[2].triggers[3].columns',
        'jobs[2].triggers[3].table',
        'jobs[2].triggers[4].type',
        'jobs[3].handler',
        'jobs[3].id',
        'version',
      ]);
      expect(await traces(owner)).toEqual(before);
    });

    it('lists a hundred problems of a manifest, and says how many more there are', async () => {
      const { client } = await signUpOwner(service.url);
      const refused = (await register(
        client,
        Array.from({ length: 150 }, (_, index) =>
          job(`j${index}`, { triggers: [{ type: 'cron', schedule: '60 * * * *' }], ['x'.repeat(2000)]: 1 }),
        ),
      )) as unknown as Refusal;
      const details = refused.body.error.details ?? [];
      expect(details).toHaveLength(101);
      expect(details.at(-1)).toEqual({ path: '', message: '…and 200 more' });
      expect(JSON.stringify(refused.body).length).toBeLessThanOrEqual(65_536);
    });

    it('refuses triggers of one job that take more than 64 KiB of JSON', async () => {
      const { client } = await signUpOwner(service.url);
      const heavy = { ...YEARLY, payload: { text: 'x'.repeat(65_536) } };
      const refused = (await register(client, [job('a', { triggers: [heavy] })])) as unknown as Refusal;
      expect(refused.body.error.details?.map(({ path }) => path)).toEqual(['jobs[0].triggers']);
    });

    it('with prune deletes the jobs that the manifest does not name, and their waiting runs are cancelled', async () => {
      const owner = await signUpOwner(service.url);
      const { client } = owner;
      await register(client, [job('z'), job('keep'), job('old', { triggers: [YEARLY] })]);
      const waiting = await trigger(client, 'old');
      const pruned = await register(client, [job('keep'), job('new')], '?prune=true');
      expect(pruned.body.jobs).toEqual([
        { id: 'keep', change: 'unchanged' },
        { id: 'new', change: 'created' },
        { id: 'old', change: 'deleted' },
        { id: 'z', change: 'deleted' },
      ]);
      expect(await idsOf(client)).toEqual(['keep', 'new']);
      expect((await client.get<RunBody>(`/jobs/v1/runs/${waiting.id}`)).body).toMatchObject({
        status: 'cancelled',
        error: { code: 'cancelled', message: 'the job was deleted' },
      });
      const [last] = (await jobAuditOf(environment.database, owner.orgId)).slice(-1);
      expect(last?.details).toEqual({
        jobs: pruned.body.jobs.filter(({ change }) => change !== 'unchanged'),
      });
      expect((await register(client, [], '?prune=true')).body.jobs.map(({ change }) => change)).toEqual([
        'deleted',
        'deleted',
      ]);
      expect(await idsOf(client)).toEqual([]);
    });

    it('records what was before and after in the fields that differ, and names them alone where that is too long', async () => {
      const owner = await signUpOwner(service.url);
      const long = (letter: string): Record<string, unknown> => ({
        triggers: [{ ...YEARLY, payload: { text: letter.repeat(10_000) } }],
      });
      await register(owner.client, [job('a', { retries: 1 }), job('b', long('x'))]);
      await register(owner.client, [job('a', { triggers: [YEARLY] }), job('b', long('y'))]);
      const [last] = (await jobAuditOf(environment.database, owner.orgId)).slice(-1);
      expect(last?.details).toEqual({
        jobs: [
          {
            id: 'a',
            change: 'updated',
            before: { retries: 1, triggers: [] },
            after: { retries: 0, triggers: [YEARLY] },
          },
          { id: 'b', change: 'updated', fields: ['triggers'] },
        ],
      });
    });

    it('names every job of a large manifest in the audit trail, in several entries that keep their details', async () => {
      const owner = await signUpOwner(service.url);
      const ids = Array.from({ length: 200 }, (_, index) => `${'long'.repeat(30)}-${index}`);
      await register(
        owner.client,
        ids.map((id) => job(id)),
      );
      const entries = await jobAuditOf(environment.database, owner.orgId);
      expect(entries).toHaveLength(3);
      const named = entries.flatMap(({ details }) => details.jobs as { id: string }[]);
      expect(named.map(({ id }) => id)).toEqual(ids);
    });

    it('without prune leaves other jobs alone, also with prune=false', async () => {
      const { client } = await signUpOwner(service.url);
      await register(client, [job('a')]);
      await register(client, [job('b')]);
      await register(client, [job('b')], '?prune=false');
      expect(await idsOf(client)).toEqual(['a', 'b']);
    });

    it('with dry_run answers what would change and changes nothing, neither jobs nor triggers nor runs nor the audit trail', async () => {
      const owner = await signUpOwner(service.url);
      const { client } = owner;
      await register(client, [job('a', { triggers: [MINUTELY] }), job('b', { triggers: [YEARLY] })]);
      await trigger(client, 'b');
      const before = await traces(owner);
      const manifest = [job('a', { triggers: [YEARLY, MINUTELY] }), job('c', { triggers: [MINUTELY] })];
      const rehearsed = await register(client, manifest, '?prune=true&dry_run=true');
      expect(rehearsed).toMatchObject({
        status: 200,
        body: {
          jobs: [
            { id: 'a', change: 'updated' },
            { id: 'c', change: 'created' },
            { id: 'b', change: 'deleted' },
          ],
        },
      });
      expect(await traces(owner)).toEqual(before);
      expect((await register(client, manifest, '?prune=true')).body).toEqual(rehearsed.body);
    });

    it('with dry_run refuses what it would refuse', async () => {
      const { client } = await signUpOwner(service.url);
      const manifest = [
        job('a', { triggers: [{ type: 'cron', schedule: '* * * * *', timezone: 'Nowhere' }] }),
      ];
      const refused = await register(client, manifest, '?dry_run=true');
      expect(refused.status).toBe(400);
      expect(refused.body).toEqual((await register(client, manifest)).body);
    });

    it.each(['prune=1', 'prune=', 'dry_run=yes', 'prune=true&prune=false', 'force=true'])(
      'refuses the query %s',
      async (query) => {
        const { client } = await signUpOwner(service.url);
        const refused = (await register(client, [], `?${query}`)) as unknown as Refusal;
        expect(refused.status).toBe(400);
        expect(refused.body.error.details?.[0]?.path).toBe(query.split('=')[0]);
      },
    );

    it('registers the manifests of one organization one after the other, so that none is lost between', async () => {
      const { client } = await signUpOwner(service.url);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => register(client, [job('same'), job(`own-${index}`)])),
      );
      const changes = answers.map(({ body }) => body.jobs[0]?.change).sort();
      expect(changes).toEqual(['created', ...Array.from({ length: 7 }, () => 'unchanged')]);
      expect(await idsOf(client)).toHaveLength(9);
    });
  });

  describe('GET /jobs/v1/jobs', () => {
    it('lists the jobs in the order of their ids, a page at a time by the Link header', async () => {
      const { client } = await signUpOwner(service.url);
      const ids = Array.from({ length: 7 }, (_, index) => `job-${index}`);
      await register(
        client,
        ids.toReversed().map((id) => job(id)),
      );
      const pages: string[][] = [];
      let path: string | undefined = '/jobs/v1/jobs?limit=3';
      while (path !== undefined) {
        const page: Answer<JobBody[]> = await client.get<JobBody[]>(path);
        expect(page.status).toBe(200);
        pages.push(page.body.map(({ id }) => id));
        path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
      }
      expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
      expect(pages.flat()).toEqual(ids);
    });

    it('shows a job as declared with defaults, its pause and its newest run, in the list as alone', async () => {
      const { client } = await signUpOwner(service.url);
      const declared = { description: 'What it does', max_concurrent_runs: 3, triggers: [YEARLY] };
      await register(client, [job('plain'), job('full', declared)]);
      await trigger(client, 'plain');
      const newest = await trigger(client, 'plain');
      const full = {
        ...job('full', declared),
        timeout_ms: 600_000,
        retries: 0,
        priority: 0,
        acts_as: 'service',
        retry_backoff: { type: 'exponential', initial_ms: 1000, max_ms: 60_000, multiplier: 2, jitter: 0 },
        paused: false,
        last_run: null,
        next_fire_at: `${new Date().getUTCFullYear() + 1}-01-01T00:00:00.000Z`,
        created_at: expect.stringMatching(/Z$/) as unknown,
        updated_at: expect.stringMatching(/Z$/) as unknown,
      };
      expect(await show(client, 'full')).toEqual(full);
      const plain = await show(client, 'plain');
      expect(plain).toMatchObject({
        description: null,
        max_concurrent_runs: null,
        next_fire_at: null,
        last_run: { id: newest.id, job_id: 'plain', status: 'queued' },
      });
      expect(plain.last_run).not.toHaveProperty('payload');
      expect((await client.get('/jobs/v1/jobs')).body).toEqual([full, plain]);
    });

    it('shows as next_fire_at the next instant of all schedules of the job, and none while it is paused', async () => {
      const { client } = await signUpOwner(service.url);
      const nextMinute = (): number => Math.floor(Date.now() / 60_000 + 1) * 60_000;
      const earliest = nextMinute();
      await register(client, [job('often', { triggers: [YEARLY, MINUTELY] })]);
      const next = Date.parse((await show(client, 'often')).next_fire_at ?? '');
      expect(next % 60_000).toBe(0);
      expect(next).toBeGreaterThanOrEqual(earliest);
      expect(next).toBeLessThanOrEqual(nextMinute());
      await client.send('PATCH', '/jobs/v1/jobs/often', { paused: true });
      expect((await show(client, 'often')).next_fire_at).toBeNull();
    });

    it.each(['limit=0', 'limit=x', 'cursor=x%00', 'colour=red'])('refuses %s', async (query) => {
      const { client } = await signUpOwner(service.url);
      expect(await client.get(`/jobs/v1/jobs?${query}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_failed', details: [{ path: query.split('=')[0] }] } },
      });
    });

    it('refuses a cursor that another list gave out', async () => {
      const { client } = await signUpOwner(service.url);
      await register(client, [job(`run_${'0'.repeat(26)}`), job('second')]);
      for (let count = 0; count < 2; count += 1) {
        await trigger(client, 'second');
        await client.send('PUT', `/vault/v1/secrets/secret-${count}`, { value: 'v' });
      }
      const cursors = new Map<string, string>();
      for (const list of ['/jobs/v1/jobs', '/jobs/v1/runs', '/vault/v1/secrets']) {
        const { headers } = await client.get(`${list}?limit=1`);
        cursors.set(list, /[?&]cursor=([^>&]+)/.exec(headers.get('link') ?? '')?.[1] ?? 'none');
      }
      for (const list of ['/jobs/v1/jobs', '/jobs/v1/runs'])
        for (const [source, cursor] of cursors) {
          const answer: Answer<unknown> = await client.get(`${list}?cursor=${cursor}`);
          expect([list, source, answer]).toMatchObject([
            list,
            source,
            list === source
              ? { status: 200 }
              : {
                  status: 400,
                  body: { error: { code: 'validation_failed', details: [{ path: 'cursor' }] } },
                },
          ]);
        }
    });

    it("answers 404 for another organization's job", async () => {
      const [mine, theirs] = [await signUpOwner(service.url), await signUpOwner(service.url)];
      await register(theirs.client, [job('theirs')]);
      const path = '/jobs/v1/jobs/theirs';
      for (const answer of [
        await mine.client.get(path),
        await mine.client.send('PATCH', path, { paused: true }),
        await mine.client.send('DELETE', path),
      ])
        expect(answer).toMatchObject({ status: 404, body: { error: { code: 'job_not_found' } } });
      expect((await mine.client.get('/jobs/v1/jobs')).body).toEqual([]);
      expect(await idsOf(theirs.client)).toEqual(['theirs']);
    });
  });

  describe('PATCH /jobs/v1/jobs/{id}', () => {
    it('pauses and resumes, each with one audit entry; what is so already stays so without one', async () => {
      const { client, orgId, userId } = await signUpOwner(service.url);
      await register(client, [job('a')]);
      for (const paused of [true, true, false, false]) {
        const { status, body } = await client.send<JobBody>('PATCH', '/jobs/v1/jobs/a', { paused });
        expect([status, body.id, body.paused]).toEqual([200, 'a', paused]);
      }
      const entries = await jobAuditOf(environment.database, orgId);
      const common = {
        actor_type: OWNER_TYPE,
        actor_id: userId,
        target_type: 'job',
        target_id: 'a',
        details: {},
      };
      expect(entries.slice(1)).toEqual([
        { ...common, action: 'job.paused' },
        { ...common, action: 'job.resumed' },
      ]);
    });

    it('is left as it is by a manifest that does not say paused, and is changed by one that does', async () => {
      const { client } = await signUpOwner(service.url);
      await register(client, [job('a')]);
      await client.send('PATCH', '/jobs/v1/jobs/a', { paused: true });
      expect((await register(client, [job('a')])).body.jobs[0]?.change).toBe('unchanged');
      await register(client, [job('a', { retries: 2 })]);
      expect((await show(client, 'a')).paused).toBe(true);
      await register(client, [job('a', { retries: 2, paused: false })]);
      expect((await show(client, 'a')).paused).toBe(false);
    });

    it('lets a paused job run by hand', async () => {
      const { client } = await signUpOwner(service.url);
      await register(client, [job('a', { paused: true })]);
      expect(await trigger(client, 'a')).toMatchObject({ status: 'queued' });
    });

    it.each([{}, { paused: null }, { paused: 'true' }, { paused: true, name: 'Other' }])(
      'refuses the body %j',
      async (body) => {
        const { client } = await signUpOwner(service.url);
        await register(client, [job('a')]);
        expect(await client.send('PATCH', '/jobs/v1/jobs/a', body)).toMatchObject({
          status: 400,
          body: { error: { code: 'validation_failed' } },
        });
      },
    );
  });

  describe('DELETE /jobs/v1/jobs/{id}', () => {
    async function cancelledTotal(client: Client): Promise<number> {
      const { body } = await client.get<string>('/metrics');
      return Number(/^service_jobs_runs_total\{status="cancelled"\} (\d+)$/m.exec(body)?.[1]);
    }

    it('cancels the waiting runs, counts them in the metrics, keeps the history and removes the triggers', async () => {
      const { client, orgId, userId } = await signUpOwner(service.url);
      await register(client, [job('a', { triggers: [YEARLY] }), job('other')]);
      const runs = [await trigger(client, 'a'), await trigger(client, 'a', { delay_ms: 60_000 })];
      const spared = await trigger(client, 'other');
      const before = await cancelledTotal(client);
      expect(await client.send('DELETE', '/jobs/v1/jobs/a')).toMatchObject({ status: 204, body: null });
      for (const { id } of runs)
        expect((await client.get<RunBody>(`/jobs/v1/runs/${id}`)).body).toMatchObject({
          status: 'cancelled',
          duration_ms: null,
          error: { code: 'cancelled', message: 'the job was deleted' },
          attempts: [],
        });
      expect((await client.get<RunBody>(`/jobs/v1/runs/${spared.id}`)).body.status).toBe('queued');
      expect((await cancelledTotal(client)) - before).toBe(2);
      expect((await client.get<RunBody[]>('/jobs/v1/runs?job_id=a')).body).toHaveLength(2);
      expect(
        await environment.database.query('SELECT FROM cron_triggers WHERE tenant_id = $1', [orgId]),
      ).toEqual([]);
      expect((await jobAuditOf(environment.database, orgId)).slice(-1)).toEqual([
        {
          actor_type: OWNER_TYPE,
          actor_id: userId,
          action: 'job.deleted',
          target_type: 'job',
          target_id: 'a',
          details: { cancelled_runs: 2 },
        },
      ]);
      for (const answer of [
        await client.get('/jobs/v1/jobs/a'),
        await client.send('DELETE', '/jobs/v1/jobs/a'),
        await client.post('/jobs/v1/jobs/a/trigger'),
      ])
        expect(answer.status).toBe(404);
    });

    it('waits for a run that is about to be committed, and cancels it too', async () => {
      const { client } = await signUpOwner(service.url);
      await register(client, [job('held')]);
      await environment.database.query(
        `CREATE FUNCTION hold_run() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NEW; END $$`,
      );
      await environment.database.query(
        `CREATE TRIGGER held BEFORE INSERT ON runs FOR EACH ROW WHEN (NEW.job_id = 'held') EXECUTE FUNCTION hold_run()`,
      );
      const holder = new pg.Client({ connectionString: environment.database.url });
      await holder.connect();
      const waiting = async (kind: string): Promise<boolean> =>
        (
          await holder.query(
            `SELECT FROM pg_locks WHERE NOT granted AND locktype = $1
             AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
            [kind],
          )
        ).rowCount === 1;
      try {
        await holder.query('SELECT pg_advisory_lock(42)');
        const accepted = trigger(client, 'held');
        await until(() => waiting('advisory'));
        let isDeleted = false;
        const deleted = client.send('DELETE', '/jobs/v1/jobs/held').finally(() => {
          isDeleted = true;
        });
        await until(async () => isDeleted || (await waiting('transactionid')));
        await holder.query('SELECT pg_advisory_unlock(42)');
        expect((await deleted).status).toBe(204);
        const { id } = await accepted;
        expect((await client.get<RunBody>(`/jobs/v1/runs/${id}`)).body.status).toBe('cancelled');
      } finally {
        await holder.end();
      }
    });

    it('leaves no run waiting that is triggered at the same moment', async () => {
      const { client, orgId } = await signUpOwner(service.url);
      await register(client, [job('a')]);
      const [deleted, ...triggered] = await Promise.all([
        client.send('DELETE', '/jobs/v1/jobs/a'),
        ...Array.from({ length: 30 }, () => client.post('/jobs/v1/jobs/a/trigger')),
      ]);
      expect(deleted.status).toBe(204);
      const accepted = triggered.filter(({ status }) => status === 202);
      expect(triggered.filter(({ status }) => ![202, 404].includes(status))).toEqual([]);
      expect(
        await environment.database.query<{ status: string }>('SELECT status FROM runs WHERE tenant_id = $1', [
          orgId,
        ]),
      ).toEqual(accepted.map(() => ({ status: 'cancelled' })));
    });
  });

  itInOrganizations.each([
    ['GET', '/jobs/v1/jobs', 'jobs:jobs:read'],
    ['GET', '/jobs/v1/jobs/a', 'jobs:jobs:read'],
    ['POST', '/jobs/v1/jobs', 'jobs:jobs:write'],
    ['PATCH', '/jobs/v1/jobs/a', 'jobs:jobs:write'],
    ['DELETE', '/jobs/v1/jobs/a', 'jobs:jobs:write'],
  ])('%s %s needs the permission %s, and no more', async (method, path, permission) => {
    const owner = await signUpOwner(service.url);
    await registerJobs(owner.client, { a: {} });
    const bodies: Record<string, unknown> = { POST: { jobs: [] }, PATCH: { paused: true } };
    const attempt = async (permissions: string[]): Promise<number> => {
      const { key } = await makeKey(owner.client, owner.slug, permissions);
      return (await new Client(service.url).as(key).send(method, path, bodies[method])).status;
    };
    const others = ['jobs:jobs:read', 'jobs:jobs:write', 'jobs:jobs:trigger', 'jobs:runs:*'];
    expect(await attempt(others.filter((other) => other !== permission))).toBe(403);
    expect([200, 204]).toContain(await attempt([permission]));
    expect((await new Client(service.url).send(method, path, bodies[method])).status).toBe(401);
  });
});
