import { randomBytes } from 'node:crypto';
import { FailingEndpoints } from '../../../src/jobs/endpoints/failing-endpoints.js';
import { RunStats } from '../../../src/jobs/runs/stats/run-stats.js';
import { makeKey } from '../../support/api-keys.js';
import { jobAuditOf } from '../../support/audit.js';
import { signUpOwner } from '../../support/client.js';
import type { Answer, Client, RunBody } from '../../support/client.js';
import { HandlerProgram } from '../../support/handler-program.js';
import { answer, isSignedWith } from '../../support/handler-server.js';
import type { HandlerCall, HandlerServer } from '../../support/handler-server.js';
import { itInOrganizations } from '../../support/profile.js';
import { endedRun, trigger } from '../../support/runs.js';
import { until } from '../../support/until.js';

const PATH = 'endpoints/acme';
const RETRIED = {
  retries: 1,
  retry_backoff: { type: 'exponential', initial_ms: 1, max_ms: 1, multiplier: 1 },
};

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

describe('endpoints', () => {
  let program: HandlerProgram;
  let handlers: HandlerServer;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let client: Client;
  let secret: string;

  beforeAll(async () => {
    program = await HandlerProgram.start({
      SERVICE_JOBS__PRIVATE_ENDPOINTS: 'true',
      // The tests roll up.
      SERVICE_TIMING__RUNS__STATS_PENDING_SECS: '3600',
    });
    ({ handlers } = program);
  });

  afterAll(async () => {
    await program.stop();
  });

  beforeEach(async () => {
    owner = await signUpOwner(program.service.url);
    ({ client } = owner);
    handlers.on('hook', answer(200, { ok: true }));
    secret = newSecret();
  });

  async function keep(value: string): Promise<void> {
    expect((await client.send('PUT', `/vault/v1/secrets/${PATH}`, { value })).status).toBe(204);
  }

  async function register(more: Record<string, unknown> = {}, path = 'hook'): Promise<Answer<unknown>> {
    const url = handlers.urlOf(path);
    const job = { id: 'acme', name: 'Acme', handler: url, signing_secret: `vault:${PATH}`, ...more };
    return await client.post('/jobs/v1/jobs', { jobs: [job] });
  }

  async function registered(more: Record<string, unknown> = {}, path = 'hook'): Promise<void> {
    const { status, body } = await register(more, path);
    expect([status, body]).toEqual([200, expect.anything()]);
  }

  async function callOf(run: RunBody, nth = 1): Promise<HandlerCall> {
    await endedRun(client, run.id);
    const call = handlers.callsOf(run.id)[nth - 1];
    if (call === undefined) throw new Error('the endpoint was not called');
    return call;
  }

  it('get the payload, signed with their own secret, and nothing that is for handlers', async () => {
    await keep(secret);
    await registered(RETRIED);
    handlers.on('hook', (response, nth, call) => {
      answer(nth === 1 ? 503 : 200, { got: true })(response, nth, call);
    });
    const run = await trigger(client, 'acme', { payload: { text: 'Grüße 🌍' } });
    const ended = await endedRun(client, run.id);
    expect(ended).toMatchObject({ status: 'completed', attempt: 2, result: { got: true } });
    for (const call of handlers.callsOf(run.id)) {
      expect(JSON.parse(call.body)).toEqual({ text: 'Grüße 🌍' });
      expect(isSignedWith(secret, call)).toBe(true);
      expect(Object.keys(call.headers).sort()).toEqual([
        'connection',
        'content-length',
        'content-type',
        'host',
        'user-agent',
        'webhook-id',
        'webhook-signature',
        'webhook-timestamp',
      ]);
      expect(call.headers['webhook-id']).toBe(run.id);
    }
  });

  it('get the events that they listen to', async () => {
    await keep(secret);
    await registered({ triggers: [{ type: 'event', events: ['secret.changed'] }] });
    await client.send('PUT', '/vault/v1/secrets/other', { value: 'changed' });
    let call: HandlerCall | undefined;
    await until(() => {
      call = handlers.calls.find(({ body }) => body.includes(owner.orgId) && body.includes('other'));
      return call !== undefined;
    });
    expect(call !== undefined && isSignedWith(secret, call)).toBe(true);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      type: 'secret.changed',
      data: { path: 'other', change: 'created' },
    });
  });

  it('show as they were declared, and an unchanged manifest changes nothing', async () => {
    await registered();
    const job = await client.get('/jobs/v1/jobs/acme');
    expect(job.body).toMatchObject({ handler: handlers.urlOf('hook'), signing_secret: `vault:${PATH}` });
    expect((await register()).body).toEqual({ jobs: [{ id: 'acme', change: 'unchanged' }] });
    await registered({ handler: 'greet', signing_secret: undefined });
    expect((await client.get<object>('/jobs/v1/jobs/acme')).body).not.toHaveProperty('signing_secret');
  });

  it('are a filter of runs', async () => {
    await keep(secret);
    await registered();
    const { id } = await trigger(client, 'acme');
    await endedRun(client, id);
    const handler = encodeURIComponent(handlers.urlOf('hook'));
    const found = await client.get<RunBody[]>(`/jobs/v1/runs?handler=${handler}`);
    expect(found.body.map((run) => run.id)).toEqual([id]);
  });

  itInOrganizations(
    'are registered by who may send webhooks, and by no other who may register jobs',
    async () => {
      const { key } = await makeKey(client, owner.slug, ['jobs:jobs:write']);
      const handler = handlers.urlOf('hook');
      const jobs = [{ id: 'theirs', name: 'Theirs', handler, signing_secret: `vault:${PATH}` }];
      expect(await client.as(key).post('/jobs/v1/jobs', { jobs })).toMatchObject({
        status: 403,
        body: {
          error: { code: 'permission_not_held', hint: expect.stringContaining('jobs:endpoints:write') },
        },
      });
      const sender = await makeKey(client, owner.slug, ['jobs:jobs:write', 'jobs:endpoints:write']);
      expect((await client.as(sender.key).post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    },
  );

  describe('whose secret', () => {
    it('is missing or no signing secret are not called until there is one', async () => {
      await registered(RETRIED);
      const run = await endedRun(client, (await trigger(client, 'acme')).id);
      expect(run).toMatchObject({
        status: 'failed',
        attempt: 2,
        error: {
          code: 'signing_secret_missing',
          message: `there is no secret ${PATH}, which signs the calls`,
        },
      });
      for (const value of ['hunter2', 'whsec_c2hvcnQ=']) {
        await keep(value);
        const { error } = await endedRun(client, (await trigger(client, 'acme')).id);
        expect(error).toMatchObject({ code: 'signing_secret_missing' });
      }
      expect(handlers.callsOf(run.id)).toEqual([]);
      await keep(secret);
      const retry = await client.post<RunBody>(`/jobs/v1/runs/${run.id}/retry`);
      expect(isSignedWith(secret, await callOf(retry.body))).toBe(true);
    });

    it('is replaced can verify with the former one as long as both are kept', async () => {
      const next = newSecret();
      await keep(secret);
      await registered();
      await keep(`${next} ${secret}`);
      const both = await callOf(await trigger(client, 'acme'));
      expect([isSignedWith(secret, both), isSignedWith(next, both)]).toEqual([true, true]);
      await keep(next);
      const one = await callOf(await trigger(client, 'acme'));
      expect([isSignedWith(secret, one), isSignedWith(next, one)]).toEqual([false, true]);
    });

    it('is in use keep it from being deleted', async () => {
      await keep(secret);
      await registered();
      const remove = async (): Promise<Answer<unknown>> =>
        await client.send('DELETE', `/vault/v1/secrets/${PATH}`);
      expect(await remove()).toMatchObject({ status: 409, body: { error: { code: 'secret_in_use' } } });
      expect((await client.send('DELETE', '/jobs/v1/jobs/acme')).status).toBe(204);
      expect((await remove()).status).toBe(204);
    });
  });

  it('have no way to report an end later, so that an answer of 202 completes the run', async () => {
    await keep(secret);
    await registered();
    handlers.on('hook', answer(202, {}, { 'Service-Defer': 'true' }));
    expect((await endedRun(client, (await trigger(client, 'acme')).id)).status).toBe('completed');
  });

  it.each([
    ['https://me:word@example.com/', 'handler', 'must be a URL without a user name and a password'],
    ['https://169.254.169.254/latest', 'handler', 'must be a URL with a public host'],
    ['https://[fe80::1]/', 'handler', 'must be a URL with a public host'],
    ['https://:1/', 'handler', 'is not a URL'],
    ['ftp://example.com/', 'handler', 'must be the name of a function'],
    ['https://example.com/#part', 'handler', 'must be the name of a function'],
    [`https://example.com/${'a'.repeat(500)}`, 'handler', 'must be the name of a function'],
  ])('cannot have the URL %s', async (handler, field, message) => {
    expect(await register({ handler })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: `jobs[0].${field}`, message: expect.stringContaining(message) }] } },
    });
  });

  it('need a reference to a secret and have no rights, and only endpoints have a secret', async () => {
    const problems = async (more: Record<string, unknown>): Promise<unknown> => {
      const { status, body } = await register(more);
      expect(status).toBe(400);
      const { details } = (body as { error: { details: { path: string }[] } }).error;
      return details.map(({ path }) => path);
    };
    expect(await problems({ signing_secret: undefined })).toEqual(['jobs[0].signing_secret']);
    expect(await problems({ signing_secret: secret })).toEqual(['jobs[0].signing_secret']);
    expect(await problems({ acts_as: 'caller' })).toEqual(['jobs[0].acts_as']);
    expect(await problems({ permissions: [] })).toEqual(['jobs[0].permissions']);
    expect(await problems({ handler: 'greet' })).toEqual(['jobs[0].signing_secret']);
  });

  describe('that have failed for a week', () => {
    const failing = async (): Promise<void> => {
      await program.service.application.get(FailingEndpoints).runOnce();
    };

    /** As though all of it had happened so many days earlier. */
    async function shift(days: number): Promise<void> {
      const { database } = program.environment;
      await database.query(
        `UPDATE jobs SET updated_at = updated_at - make_interval(days => $2) WHERE tenant_id = $1`,
        [owner.orgId, days],
      );
      await database.query(
        `UPDATE run_stats SET at = at - make_interval(days => $2) WHERE tenant_id = $1 AND minutes = 60`,
        [owner.orgId, days],
      );
    }

    async function run(status: 200 | 500): Promise<void> {
      handlers.on('hook', answer(status));
      await endedRun(client, (await trigger(client, 'acme')).id);
      await program.service.application.get(RunStats).doSome();
    }

    async function isPaused(): Promise<boolean> {
      return (await client.get<{ paused: boolean }>('/jobs/v1/jobs/acme')).body.paused;
    }

    beforeEach(async () => {
      await keep(secret);
      await registered();
      await shift(1);
    });

    it('are paused, which is recorded and told as of any other pause', async () => {
      await client.post('/jobs/v1/jobs', {
        jobs: [
          {
            id: 'told',
            name: 'Told',
            handler: 'told',
            triggers: [{ type: 'event', events: ['job.paused'] }],
          },
        ],
      });
      await run(500);
      await shift(8);
      await failing();
      expect(await isPaused()).toBe(false);
      await run(500);
      await failing();
      expect(await isPaused()).toBe(true);
      await until(() =>
        handlers.calls.some(({ handler, body }) => handler === 'told' && body.includes(owner.orgId)),
      );
      const found = (await jobAuditOf(program.environment.database, owner.orgId)).slice(-1);
      expect(found).toMatchObject([
        { actor_type: 'system', target_id: 'acme', details: { failed_for_days: 7 } },
      ]);
    });

    it('are left alone once they have completed a run, or have been resumed', async () => {
      await run(500);
      await shift(4);
      await run(200);
      await shift(4);
      await run(500);
      await failing();
      expect(await isPaused()).toBe(false);
      await shift(8);
      await run(500);
      await failing();
      expect(await isPaused()).toBe(true);
      expect((await client.send('PATCH', '/jobs/v1/jobs/acme', { paused: false })).status).toBe(200);
      await run(500);
      await failing();
      expect(await isPaused()).toBe(false);
    });
  });
});

describe('endpoints where the operator allows no private ones', () => {
  let program: HandlerProgram;

  beforeAll(async () => {
    program = await HandlerProgram.start();
  });

  afterAll(async () => {
    await program.stop();
  });

  itInOrganizations('are refused, and one of before is not called', async () => {
    const { client, orgId } = await signUpOwner(program.service.url);
    await client.send('PUT', `/vault/v1/secrets/${PATH}`, { value: newSecret() });
    const job = {
      id: 'acme',
      name: 'Acme',
      handler: 'https://example.com/',
      signing_secret: `vault:${PATH}`,
    };
    for (const [handler, message] of [
      ['http://example.com/', 'must be an https URL'],
      ['https://localhost/', 'must be a URL with a public host'],
      ['https://127.0.0.1/', 'must be a URL with a public host'],
      ['https://0x7f.1/', 'must be a URL with a public host'],
    ] as const)
      expect(await client.post('/jobs/v1/jobs', { jobs: [{ ...job, handler }] })).toMatchObject({
        status: 400,
        body: {
          error: { details: [{ path: 'jobs[0].handler', message: expect.stringContaining(message) }] },
        },
      });
    expect((await client.post('/jobs/v1/jobs', { jobs: [job] })).status).toBe(200);
    // Registered while the operator allowed it.
    await program.environment.database.query('UPDATE jobs SET handler = $2 WHERE tenant_id = $1', [
      orgId,
      program.handlers.urlOf('inside'),
    ]);
    const run = await endedRun(client, (await trigger(client, 'acme')).id);
    expect(run).toMatchObject({
      status: 'failed',
      error: {
        code: 'handler_unreachable',
        message: 'the handler must be an https URL; plain http needs the setting jobs.private_endpoints',
      },
    });
    expect(program.handlers.calls).toEqual([]);
  });
});
