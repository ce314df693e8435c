import { makeKey } from '../../support/api-keys.js';
import { jobAuditOf } from '../../support/audit.js';
import { Client, signUpOwner } from '../../support/client.js';
import type { Answer, RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { answer, HandlerServer, silent } from '../../support/handler-server.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { endedRun, registerJobs, runIn, showRun, trigger, triggerMany } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { itInOrganizations } from '../../support/profile.js';

type Refusal = Answer<{ error: { code: string; details?: { path: string }[] } }>;
type Owner = Awaited<ReturnType<typeof signUpOwner>>;

/** A run as it is put into the database, where the API would have to wait for it. */
interface MadeRun {
  readonly id: string;
  readonly job: string;
  readonly status?: string;
  readonly trigger?: Readonly<Record<string, unknown>>;
  readonly createdAt?: string;
}

const BY_KEY = { type: 'manual', key_id: 'k' };
const BY_CRON = { type: 'cron', position: 0, schedule: '0 6 * * *', timezone: 'UTC' };

/** An id as the program makes it, of the first instant of this day of 2026 and the given place within it. */
function idAt(day: string, place: number): string {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  let bits = (BigInt(Date.parse(`${day}T00:00:00Z`)) << 80n) + BigInt(place);
  let text = '';
  for (; text.length < 26; bits >>= 5n) text = (digits[Number(bits & 31n)] ?? '') + text;
  return `run_${text}`;
}

describe('runs', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({ ...variables, SERVICE_JOBS__MAX_PAYLOAD_BYTES: '2000' });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function make(orgId: string, runs: readonly MadeRun[]): Promise<void> {
    for (const { id, job, status = 'completed', trigger = BY_KEY, createdAt } of runs) {
      const at = createdAt ?? new Date().toISOString();
      const isFinal = ['completed', 'failed', 'cancelled'].includes(status);
      await environment.database.query(
        `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                           max_attempts, due_at, created_at, completed_at)
         VALUES ($1, $2, $3, $4, $5, '{}', 'h', 1000, '{}', 1, '2999-01-01', $6, $7)`,
        [id, orgId, job, status, JSON.stringify(trigger), at, isFinal ? at : null],
      );
    }
  }

  async function idsOf(client: Client, query: string): Promise<string[]> {
    const { status, body } = await client.get<RunBody[]>(`/jobs/v1/runs?limit=100&${query}`);
    expect(status).toBe(200);
    return body.map(({ id }) => id);
  }

  describe('a payload', () => {
    async function triggerRaw({ client }: Owner, body: string): Promise<RunBody> {
      const headers = Object.entries(client.headers).map(([name, value]) => `${name}: ${value}`);
      const request = rawRequest(
        'POST',
        '/jobs/v1/jobs/echo/trigger',
        ['Content-Type: application/json', ...headers],
        body,
      );
      const { status, text } = await sendRaw(service.url, request);
      if (status !== 202) throw new Error(`${status}: ${text}`);
      return JSON.parse(text) as RunBody;
    }

    async function textOf({ client }: Owner, id: string): Promise<string> {
      const response = await fetch(`${service.url}/jobs/v1/runs/${id}`, { headers: client.headers });
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      return await response.text();
    }

    it.each([
      ['digits that no double has', '{"n":12345678901234567890}'],
      ['a number beyond any double', '{"n":[1e400,-1E-400,1.0,0.10,-0]}'],
      ['its own spacing and order', '{ "b" : 1,\n\t"a":{ } ,"1":[ ] }'],
      ['escapes as they were', String.raw`{"\u0061":"\u00e9\/\ud800\u0000","é":"é"}`],
      ['a name twice', '{"a":1,"a":2}'],
      ['braces and quotes in text', String.raw`{"a":"}\"],{","b":"\\"}`],
    ])('with %s reaches the handler as it was written, and is shown so', async (_title, payload) => {
      const owner = await signUpOwner(service.url);
      await registerJobs(owner.client, { echo: {} });
      handlers.on('echo', (response, _nth, call) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(call.body);
      });
      const { id } = await triggerRaw(owner, `{"delay_ms":0, "payload" : ${payload} }`);
      await endedRun(owner.client, id);
      expect(handlers.callsOf(id).map(({ body }) => body)).toEqual([payload]);
      const shown = await textOf(owner, id);
      expect(shown).toContain(`"payload":${payload},"result":${payload},`);
    });

    it('is named once, however its name is spelled', async () => {
      const owner = await signUpOwner(service.url);
      await registerJobs(owner.client, { echo: {} });
      const body = String.raw`{"payload":{"payload":{"n":1}},"pay\u006coad":{"n":2.0}}`;
      await expect(triggerRaw(owner, body)).rejects.toThrow(/^400: .*names payload twice/);
    });

    it('that differs in digits which no double has is another body under an Idempotency-Key', async () => {
      const owner = await signUpOwner(service.url);
      await registerJobs(owner.client, { echo: {} });
      const keyed = { ...owner, client: owner.client.with({ 'idempotency-key': 'digits' }) };
      const first = await triggerRaw(keyed, '{"payload":{"n":12345678901234567890}}');
      expect((await triggerRaw(keyed, '{"payload":{"n":12345678901234567890}}')).id).toBe(first.id);
      await expect(triggerRaw(keyed, '{"payload":{"n":12345678901234567891}}')).rejects.toThrow(
        /^409: .*idempotency_mismatch/,
      );
    });

    it('in a body over jobs.max_payload_bytes is refused with 413 payload_too_large, and is taken up to it', async () => {
      const owner = await signUpOwner(service.url);
      await registerJobs(owner.client, { echo: {} });
      const body = (length: number): string => `{"payload":{"a":"${'x'.repeat(length - 20)}"}}`;
      await triggerRaw(owner, body(2000));
      await expect(triggerRaw(owner, body(2001))).rejects.toThrow(/^413: .*payload_too_large/);
    });
  });

  describe('GET /jobs/v1/runs', () => {
    let owner: Owner;
    const [old, mid, late] = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => ({
      completed: { id: idAt(day, 1), createdAt: `${day}T00:00:00.123456Z` },
      failed: { id: idAt(day, 2), createdAt: `${day}T00:00:01Z` },
      cancelled: { id: idAt(day, 3), createdAt: `${day}T00:00:02Z` },
      queued: { id: idAt(day, 4), createdAt: `${day}T00:00:03Z` },
    }));

    beforeAll(async () => {
      owner = await signUpOwner(service.url);
      const triggers = {
        completed: BY_KEY,
        failed: BY_CRON,
        cancelled: { type: 'webhook', path: '/hooks/orders', method: 'POST' },
        queued: { type: 'data', table: 'public.orders', event: 'insert' },
      } as const;
      for (const [job, day] of [
        ['a', old],
        ['b', mid],
        ['a', late],
      ] as const) {
        const runs = Object.entries(day ?? {}).map(([status, run]) => ({
          ...run,
          job,
          status,
          trigger: triggers[status as keyof typeof triggers],
        }));
        await make(owner.orgId, runs);
      }
      const stranger = await signUpOwner(service.url);
      await make(stranger.orgId, [{ id: idAt('2026-01-02', 9), job: 'a', status: 'failed' }]);
    });

    function all(day: typeof old): string[] {
      return day === undefined ? [] : [day.queued.id, day.cancelled.id, day.failed.id, day.completed.id];
    }

    it('filters by job_id', async () => {
      expect(await idsOf(owner.client, 'job_id=a')).toEqual([...all(late), ...all(old)]);
      expect(await idsOf(owner.client, 'job_id=none')).toEqual([]);
    });

    it.each(['completed', 'failed', 'cancelled', 'queued'] as const)(
      'filters by the status %s',
      async (status) => {
        expect(await idsOf(owner.client, `status=${status}`)).toEqual(
          [late, mid, old].map((day) => day?.[status].id),
        );
      },
    );

    it.each([
      ['manual', 'completed'],
      ['cron', 'failed'],
      ['webhook', 'cancelled'],
      ['data', 'queued'],
    ] as const)('filters by the trigger %s', async (kind, status) => {
      expect(await idsOf(owner.client, `trigger=${kind}`)).toEqual(
        [late, mid, old].map((day) => day?.[status].id),
      );
    });

    it('filters by since, that instant included, and by until, that instant excluded', async () => {
      expect(await idsOf(owner.client, 'since=2026-01-02T00:00:00.123Z')).toEqual([
        ...all(late),
        ...all(mid),
      ]);
      expect(await idsOf(owner.client, 'since=2026-01-03T00:00:02Z')).toEqual(all(late).slice(0, 2));
      expect(await idsOf(owner.client, 'until=2026-01-01T00:00:02Z')).toEqual(all(old).slice(2));
      expect(await idsOf(owner.client, 'until=2026-01-02T02:00:00%2B02:00')).toEqual(all(old));
      expect(await idsOf(owner.client, 'since=2026-01-02T00:00:00Z&until=2026-01-03T00:00:00Z')).toEqual(
        all(mid),
      );
    });

    it('finds runs by time although the clock that made their ids was half an hour off', async () => {
      const { client, orgId } = await signUpOwner(service.url);
      const id = idAt('2026-02-01', 1);
      await make(orgId, [{ id, job: 'a', createdAt: '2026-02-01T00:30:00Z' }]);
      expect(await idsOf(client, 'since=2026-02-01T00:20:00Z')).toEqual([id]);
      const later = idAt('2026-02-02', 1);
      await make(orgId, [{ id: later, job: 'a', createdAt: '2026-02-01T23:30:00Z' }]);
      expect(await idsOf(client, 'until=2026-02-01T23:40:00Z')).toEqual([later, id]);
    });

    it('holds all filters together, over all pages', async () => {
      const query =
        'job_id=a&status=failed&trigger=cron&since=2025-01-01T00:00:00Z&until=2027-01-01T00:00:00Z';
      const first = await owner.client.get<RunBody[]>(`/jobs/v1/runs?limit=1&${query}`);
      expect(first.body.map(({ id }) => id)).toEqual([late?.failed.id]);
      const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      const second = await owner.client.get<RunBody[]>(next);
      expect(second.body.map(({ id }) => id)).toEqual([old?.failed.id]);
      expect(second.headers.has('link')).toBe(false);
    });

    it.each([
      ['job_id', '-'],
      ['job_id', ''],
      ['status', 'done'],
      ['status', 'Failed'],
      ['trigger', 'timer'],
      ['since', 'yesterday'],
      ['since', '2026-01-01'],
      ['since', '2026-02-30T00:00:00Z'],
      ['since', '2026-W01-1T00:00:00Z'],
      ['since', '2026-123T00:00:00Z'],
      ['until', '2026-01-01T00:00:00'],
      ['until', '2026-01-01T25:00:00Z'],
    ])('refuses %s=%s with its path', async (name, value) => {
      const refused: Refusal = await owner.client.get(`/jobs/v1/runs?${name}=${value}`);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
      expect(refused.body.error.details?.map(({ path }) => path)).toEqual([name]);
    });

    it('asks the database once for each page, and finds rare runs among many by an index', async () => {
      const { client, orgId } = await signUpOwner(service.url);
      await environment.database.query(
        `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                           max_attempts, due_at, created_at, completed_at)
         SELECT 'run_019' || lpad(n::text, 23, '0'), CASE WHEN n % 20 = 0 THEN $1 ELSE gen_random_uuid() END, 'busy', 'completed',
                '{"type":"cron"}', '{}', 'h', 1000, '{}', 1, now(), now(), now()
         FROM generate_series(1, 40000) n`,
        [orgId],
      );
      await make(orgId, [{ id: `run_019${'0'.repeat(23)}`, job: 'rare', status: 'failed' }]);
      await environment.database.query('ANALYZE runs');
      for (const [query, filter, index] of [
        ['job_id=rare', ['rare'], 'runs_ended_by_job'],
        ['status=failed', ['failed'], 'runs_ended_unsuccessful'],
        ['trigger=manual', ['manual'], 'runs_ended_by_trigger'],
      ] as const) {
        const statements = await service.statementsOf(() => client.get(`/jobs/v1/runs?${query}`));
        const asked = statements.filter((sql) => /FROM runs WHERE tenant_id = \$1[^]*LIMIT/.test(sql));
        expect(asked).toHaveLength(1);
        const plan = await environment.database.query<Record<string, string>>(`EXPLAIN ${asked[0] ?? ''}`, [
          orgId,
          ...filter,
          20,
        ]);
        const text = plan.flatMap((row) => Object.values(row)).join('\n');
        expect(text).toContain(index);
        // Runs that have not ended are few, and what is found of both may be sorted.
        expect(text).not.toMatch(/Seq Scan on runs_ended|Filter: .*runs_ended/);
      }
    });
  });

  describe('POST /jobs/v1/runs/{id}/retry', () => {
    itInOrganizations(
      'answers 202 and a new run of an ended one, with retry_of, the same trigger and the same payload to the digit',
      async () => {
        const { client, orgId, userId } = await signUpOwner(service.url);
        await registerJobs(client, { fails: {} });
        handlers.on('fails', answer(422, { error: 'no' }));
        const payload = '{ "n": 12345678901234567890.10 }';
        const response = await fetch(`${service.url}/jobs/v1/jobs/fails/trigger`, {
          method: 'POST',
          headers: { ...client.headers, 'content-type': 'application/json' },
          body: `{"payload":${payload}}`,
        });
        const failed = await endedRun(client, ((await response.json()) as RunBody).id);
        expect(failed.status).toBe('failed');
        handlers.on('fails', answer(200, { ok: true }));
        const stranger = await makeKey(client, orgId, ['jobs:jobs:trigger', 'jobs:runs:read']);
        const retried = await new Client(service.url)
          .as(stranger.key)
          .post<RunBody>(`/jobs/v1/runs/${failed.id}/retry`);
        expect(retried).toMatchObject({
          status: 202,
          body: {
            retry_of: failed.id,
            status: 'queued',
            attempt: 0,
            trigger: { type: 'manual', user_id: userId },
          },
        });
        expect(retried.body.id).not.toBe(failed.id);
        expect(await endedRun(client, retried.body.id)).toMatchObject({ status: 'completed' });
        expect(handlers.callsOf(retried.body.id).map(({ body }) => body)).toEqual([payload]);
        expect(await showRun(client, failed.id)).toEqual(failed);
        const [entry] = (await jobAuditOf(environment.database, orgId)).slice(-1);
        expect(entry).toMatchObject({
          actor_type: 'api_key',
          action: 'run.retried',
          target_type: 'run',
          target_id: failed.id,
          details: { retry: retried.body.id },
        });
      },
    );

    it('takes handler, time limit and retries from the job as it is now', async () => {
      const { client } = await signUpOwner(service.url);
      await registerJobs(client, { first: {} });
      handlers.on('first', answer(200));
      handlers.on('second', answer(200));
      const ended = await endedRun(client, (await trigger(client, 'first')).id);
      const moved = { id: 'first', name: 'first', handler: 'second', retries: 4 };
      await client.post('/jobs/v1/jobs', { jobs: [moved] });
      const { body } = await client.post<RunBody>(`/jobs/v1/runs/${ended.id}/retry`);
      expect(body.max_attempts).toBe(5);
      await endedRun(client, body.id);
      expect(handlers.callsOf(body.id).map(({ handler }) => handler)).toEqual(['second']);
    });

    it('repeats what a schedule set going, for the instant that it stood for, also while the job is paused', async () => {
      const { client, orgId } = await signUpOwner(service.url);
      await registerJobs(client, { report: { paused: true } });
      handlers.on('report', answer(200));
      const id = idAt('2026-03-01', 1);
      await make(orgId, [{ id, job: 'report', trigger: BY_CRON, status: 'failed' }]);
      await environment.database.query(
        `UPDATE runs SET scheduled_for = '2026-03-01T06:00:00Z' WHERE id = $1`,
        [id],
      );
      const { status, body } = await client.post<RunBody>(`/jobs/v1/runs/${id}/retry`);
      expect(status).toBe(202);
      expect(body).toMatchObject({
        trigger: BY_CRON,
        scheduled_for: '2026-03-01T06:00:00.000Z',
        retry_of: id,
      });
      await endedRun(client, body.id);
      expect(handlers.callsOf(body.id)[0]?.headers['x-service-scheduled-for']).toBe(
        '2026-03-01T06:00:00.000Z',
      );
    });

    it('refuses a run that has not ended with 409 run_unfinished', async () => {
      const { client } = await signUpOwner(service.url);
      await registerJobs(client, { later: {}, stuck: { timeout_ms: 60_000 } });
      handlers.on('stuck', silent);
      const queued = await trigger(client, 'later', { delay_ms: 60_000 });
      const running = await runIn(client, (await trigger(client, 'stuck')).id, ['running']);
      for (const { id } of [queued, running])
        expect(await client.post(`/jobs/v1/runs/${id}/retry`)).toMatchObject({
          status: 409,
          body: { error: { code: 'run_unfinished' } },
        });
      expect((await client.get<RunBody[]>('/jobs/v1/runs')).body).toHaveLength(2);
    });

    it('refuses a run whose job was deleted with 409 job_deleted', async () => {
      const { client } = await signUpOwner(service.url);
      await registerJobs(client, { gone: {} });
      handlers.on('gone', answer(200));
      const { id } = await endedRun(client, (await trigger(client, 'gone')).id);
      await client.send('DELETE', '/jobs/v1/jobs/gone');
      expect(await client.post(`/jobs/v1/runs/${id}/retry`)).toMatchObject({
        status: 409,
        body: { error: { code: 'job_deleted' } },
      });
    });

    it("answers 404 for a run that does not exist or is another organization's", async () => {
      const [mine, theirs] = [await signUpOwner(service.url), await signUpOwner(service.url)];
      const id = idAt('2026-04-01', 1);
      await make(theirs.orgId, [{ id, job: 'a' }]);
      for (const wanted of [id, idAt('2026-04-01', 2), 'run_x'])
        expect(await mine.client.post(`/jobs/v1/runs/${wanted}/retry`)).toMatchObject({
          status: 404,
          body: { error: { code: 'run_not_found' } },
        });
    });

    itInOrganizations('needs the permission jobs:jobs:trigger, and no more', async () => {
      const { client, orgId, slug } = await signUpOwner(service.url);
      await registerJobs(client, { a: {} });
      const id = idAt('2026-05-01', 1);
      await make(orgId, [{ id, job: 'a' }]);
      const attempt = async (permissions: string[]): Promise<number> => {
        const { key } = await makeKey(client, slug, permissions);
        return (await new Client(service.url).as(key).post(`/jobs/v1/runs/${id}/retry`)).status;
      };
      expect(await attempt(['jobs:jobs:read', 'jobs:jobs:write', 'jobs:runs:*'])).toBe(403);
      expect(await attempt(['jobs:jobs:trigger'])).toBe(202);
    });
  });

  describe('of a job that is deleted while one is at work', () => {
    it('all end, however the deletion falls among the claims of the workers', async () => {
      const { client } = await signUpOwner(service.url);
      handlers.on('busy', answer(200));
      for (let round = 0; round < 5; round += 1) {
        await registerJobs(client, { busy: {} });
        const ids = await triggerMany(client, 'busy', 20);
        expect((await client.send('DELETE', '/jobs/v1/jobs/busy')).status).toBe(204);
        for (const id of ids) {
          const { status, attempt } = await endedRun(client, id);
          expect([status, attempt]).toEqual(status === 'cancelled' ? ['cancelled', 0] : ['completed', 1]);
        }
      }
    });

    it('ends the running one and cancels those that wait', async () => {
      const { client } = await signUpOwner(service.url);
      await registerJobs(client, { slow: {} });
      let finish = (): void => undefined;
      handlers.on('slow', (response, nth, call) => {
        finish = () => {
          answer(200, { done: true })(response, nth, call);
        };
      });
      const running = await runIn(client, (await trigger(client, 'slow')).id, ['running']);
      const waiting = await trigger(client, 'slow', { delay_ms: 60_000 });
      expect((await client.send('DELETE', '/jobs/v1/jobs/slow')).status).toBe(204);
      expect((await showRun(client, waiting.id)).status).toBe('cancelled');
      expect((await showRun(client, running.id)).status).toBe('running');
      finish();
      expect(await endedRun(client, running.id)).toMatchObject({
        status: 'completed',
        result: { done: true },
      });
    });
  });
});
