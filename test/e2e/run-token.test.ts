import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { Client, signUpOwner } from '../support/client.js';
import type { SignedUp } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { answer, HandlerServer } from '../support/handler-server.js';
import { endedRun, registerJobs, showRun, trigger } from '../support/runs.js';
import { programRoutes } from '../support/routes.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { Followed } from '../slow/e2e/logs/followed.js';

/** Longer than any test: an attempt that has timed out has no token. */
const TIMEOUT_MS = 600_000;

describe('the token that a handler is called with', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;
  let owner: SignedUp & { orgId: string; slug: string };
  let url: string;
  let runId: string;
  let token: string;
  let release: (status: number) => void;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    service = await ServiceProcess.start({ ...environment.variables, ...handlers.variables });
    url = service.url ?? '';
    owner = await signUpOwner(url);
    handlers.on('held', (response, nth, call) => {
      release = (status) => {
        if (!response.writableEnded) answer(status, {})(response, nth, call);
      };
    });
    await registerJobs(owner.client, { held: { timeout_ms: TIMEOUT_MS, retries: 1 }, quick: {} });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    ({ id: runId } = await trigger(owner.client, 'held'));
    await until(() => handlers.callsOf(runId).length === 1);
    const [call] = handlers.callsOf(runId);
    token = /^Bearer (\S+)$/.exec(call?.headers.authorization ?? '')?.[1] ?? '';
  });

  afterEach(async () => {
    release(422);
    await endedRun(owner.client, runId);
  });

  function asRun(): Client {
    return new Client(url).as(token);
  }

  it('verifies by the JWKS like any other, and says for what it stands and until when', async () => {
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', typ: 'run+jwt' });
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(`${url}/auth/v1/keys`)), {
      issuer: 'service',
      audience: 'service',
    });
    expect(payload).toMatchObject({ role: 'service_role', org: owner.orgId, run_id: runId, attempt: 1 });
    expect(payload.act).toEqual({ sub: `user:${owner.userId}` });
    expect(payload).not.toHaveProperty('sub');
    expect(typeof payload.jti).toBe('string');
    const { iat = 0, exp = 0 } = payload;
    // Of whole seconds: the beginning is rounded down, and the end up.
    expect([TIMEOUT_MS / 1000, TIMEOUT_MS / 1000 + 1]).toContain(exp - iat);
  });

  it('may use the jobs and the data of the organization of the run, without naming it', async () => {
    const { body: held } = await asRun().get('/auth/v1/permissions');
    expect(held).toMatchObject({ org: { id: owner.orgId }, role: null, permissions: ['*'] });
    const started = await trigger(asRun(), 'quick');
    expect(started).toMatchObject({ trigger: { type: 'manual', run_id: runId } });
    expect(await endedRun(asRun().in(owner.slug), started.id)).toMatchObject({ status: 'completed' });
    const gate = await asRun().get('/auth/v1/gate?permission=data:orders:write');
    expect(gate.status).toBe(204);
    expect(gate.headers.get('x-service-run-id')).toBe(runId);
    expect(gate.headers.get('x-service-org-id')).toBe(owner.orgId);
  });

  it('is on record as the run where it changes something', async () => {
    const jobs = [{ id: 'added', name: 'Added', handler: 'added' }];
    expect((await asRun().post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    const { body } = await owner.client.get<{ action: string; actor: unknown }[]>(
      `/auth/v1/orgs/${owner.slug}/audit?action=jobs.registered`,
    );
    expect(body[0]).toMatchObject({ actor: { type: 'run', id: runId } });
  });

  it('is refused in another organization', async () => {
    const other = await signUpOwner(url);
    expect(await asRun().in(other.slug).get('/jobs/v1/runs')).toMatchObject({
      status: 403,
      body: { error: { code: 'not_a_member' } },
    });
  });

  it.each(['/auth/v1/user', '/auth/v1/orgs', '/auth/v1/sessions'])(
    'is no user: GET %s is refused',
    async (path) => {
      expect(await asRun().get(path)).toMatchObject({
        status: 403,
        body: { error: { code: 'user_required' } },
      });
    },
  );

  it.each(['members', 'roles', 'invitations', 'api-keys', 'audit'])(
    'may read the %s of the organization',
    async (what) => {
      expect((await asRun().get(`/auth/v1/orgs/${owner.slug}/${what}`)).status).toBe(200);
    },
  );

  /** Who may do what in the organization. */
  async function authority(): Promise<unknown[]> {
    return await environment.database.query(
      `SELECT to_jsonb(org) FROM organizations org WHERE id = $1
       UNION ALL SELECT to_jsonb(member) FROM members member WHERE org_id = $1
       UNION ALL SELECT to_jsonb(role) FROM roles role WHERE org_id = $1
       UNION ALL SELECT to_jsonb(key) - 'last_used_at' FROM api_keys key WHERE org_id = $1
       UNION ALL SELECT to_jsonb(invitation) FROM invitations invitation WHERE org_id = $1`,
      [owner.orgId],
    );
  }

  /** Refusals of the run that have no entry of their own yet. */
  async function countedRefusals(): Promise<number> {
    const [counted] = await environment.database.query<{ count: number }>(
      `SELECT coalesce(sum(count), 0)::int AS count FROM audit_refusals WHERE source = $1`,
      [`run:${runId}`],
    );
    return counted?.count ?? 0;
  }

  it('changes nothing under /auth/v1, on whatever route, and each attempt is on record', async () => {
    const changes = (await programRoutes()).filter(
      ({ method, path, access, runTokens }) =>
        method !== 'GET' && path.startsWith('/auth/v1') && access !== 'public' && runTokens !== 'open',
    );
    expect(changes.length).toBeGreaterThan(15);
    const before = await authority();
    const bodies: Record<string, unknown> = {
      '/auth/v1/orgs/{org}/api-keys': { name: 'Outlives it', permissions: ['*'] },
      '/auth/v1/orgs/{org}/invitations': { email: 'somebody@example.com', role: 'owner' },
      '/auth/v1/orgs/{org}/members/{user_id}': { role: 'member' },
      '/auth/v1/orgs/{org}/roles': { name: 'all', permissions: ['*'] },
    };
    for (const { method, path } of changes) {
      const at = path
        .replace('{org}', owner.slug)
        .replace('{user_id}', owner.userId)
        .replaceAll(/\{\w+\}/g, 'member');
      const { status, body } = await asRun().send<{ error?: { code: string } } | null>(
        method,
        at,
        bodies[path],
      );
      expect([method, path, status, body?.error?.code]).toEqual([method, path, 403, 'run_token_not_allowed']);
    }
    expect(await authority()).toEqual(before);
    const { body } = await owner.client.get<{ actor: { id: string } }[]>(
      `/auth/v1/orgs/${owner.slug}/audit?action=run_token.refused&limit=100`,
    );
    const entries = body.filter(({ actor }) => actor.id === runId).length;
    // Past twenty of a kind in a minute they are counted.
    expect(entries).toBeGreaterThanOrEqual(20);
    expect(entries + (await countedRefusals())).toBe(changes.length);
  });

  it('gets the same answer from a permission check and from the gate', async () => {
    const permissions = ['auth:members:read', 'auth:members:update', 'auth:keys:create', 'data:orders:write'];
    expect((await asRun().post('/auth/v1/permissions/check', { permissions })).body).toEqual({
      results: {
        'auth:members:read': true,
        'auth:members:update': false,
        'auth:keys:create': false,
        'data:orders:write': true,
      },
    });
    expect((await asRun().get('/auth/v1/gate?permission=auth:roles:create')).status).toBe(403);
  });

  it('writes and lists secrets, but neither sees nor replaces the one that signs calls', async () => {
    const put = await asRun().send('PUT', '/vault/v1/secrets/of/a/handler', { value: 'of the handler' });
    expect(put.status).toBe(204);
    expect((await asRun().get('/vault/v1/secrets')).status).toBe(200);
    const answers = [
      await asRun().get('/jobs/v1/signing-secret'),
      await asRun().post('/jobs/v1/signing-secret/rotate'),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([403, { error: { code: 'run_token_not_allowed' } }]);
  });

  it('follows logs no longer once the attempt has ended', async () => {
    const followed = await Followed.open(asRun(), '/jobs/v1/logs?follow=true');
    expect(followed.status).toBe(200);
    release(200);
    await endedRun(owner.client, runId);
    await until(() => followed.isClosed);
  });

  async function isRefused(): Promise<void> {
    expect(await asRun().get('/jobs/v1/runs')).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_access_token' } },
    });
  }

  it('is refused as soon as the attempt has completed', async () => {
    expect((await asRun().get('/jobs/v1/runs')).status).toBe(200);
    release(200);
    await endedRun(owner.client, runId);
    await isRefused();
  });

  it('is refused in the next attempt of the same run, which has a token of its own', async () => {
    const first = token;
    release(503);
    // Whether the next attempt has begun or not.
    await until(async () => (await showRun(owner.client, runId)).attempts[0]?.completed_at != null);
    await isRefused();
    await until(() => handlers.callsOf(runId).length === 2);
    await isRefused();
    const second = handlers.callsOf(runId)[1]?.headers.authorization?.slice('Bearer '.length) ?? '';
    expect(second).not.toBe(first);
    expect((await new Client(url).as(second).get('/jobs/v1/runs')).status).toBe(200);
  });

  it('is refused as soon as the run is cancelled', async () => {
    expect((await owner.client.post(`/jobs/v1/runs/${runId}/cancel`)).status).toBe(200);
    await isRefused();
  });

  it('keeps its key published until it expires, where that is later than for any access token', async () => {
    handlers.on('long', answer(200, {}));
    await registerJobs(owner.client, { long: { timeout_ms: 86_400_000 } });
    await endedRun(owner.client, (await trigger(owner.client, 'long')).id);
    const [key] = await environment.database.query<{ hours: number }>(
      `SELECT extract(epoch FROM tokens_until - now())::float8 / 3600 AS hours FROM signing_keys`,
    );
    expect(key?.hours).toBeGreaterThanOrEqual(24);
    expect(key?.hours).toBeLessThan(25.1);
  });
});
