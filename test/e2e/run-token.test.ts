import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { Client, signUpOwner } from '../support/client.js';
import type { SignedUp } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { answer, HandlerServer } from '../support/handler-server.js';
import { endedRun, registerJobs, runIn, trigger } from '../support/runs.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const TIMEOUT_MS = 20_000;

describe('the token that a handler is called with', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;
  let owner: SignedUp & { orgId: string; slug: string };
  let url: string;
  let runId: string;
  let token: string;
  let calledAt: number;
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
  }, 60_000);

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
    calledAt = call?.at ?? 0;
  });

  afterEach(async () => {
    release(422);
    await endedRun(owner.client, runId);
  });

  function asRun(): Client {
    return new Client(url).as(token);
  }

  it('verifies by the key set like any other, and says for what it stands and until when', async () => {
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'run+jwt' });
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(`${url}/auth/v1/keys`)), {
      issuer: 'service',
      audience: 'service',
    });
    expect(payload).toMatchObject({ role: 'service_role', org: owner.orgId, run_id: runId, attempt: 1 });
    expect(payload).not.toHaveProperty('sub');
    expect(typeof payload.jti).toBe('string');
    const endsAt = calledAt + TIMEOUT_MS;
    expect((payload.exp ?? 0) * 1000).toBeGreaterThan(endsAt - 1000);
    expect((payload.exp ?? 0) * 1000).toBeLessThan(endsAt + 1500);
  });

  it('may do everything in the organization of the run, without naming it', async () => {
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

  it('is no one in another organization', async () => {
    const other = await signUpOwner(url);
    expect(await asRun().in(other.slug).get('/jobs/v1/runs')).toMatchObject({
      status: 403,
      body: { error: { code: 'not_a_member' } },
    });
  });

  it.each([
    ['GET', '/auth/v1/user'],
    ['GET', '/auth/v1/orgs'],
    ['POST', '/auth/v1/orgs'],
    ['GET', '/auth/v1/sessions'],
    ['POST', '/auth/v1/orgs/ORG/api-keys'],
    ['POST', '/auth/v1/orgs/ORG/invitations'],
  ])('is no user: %s %s is refused', async (method, path) => {
    const bodies: Record<string, unknown> = {
      '/auth/v1/orgs': { slug: 'of-a-run', name: 'Of a run' },
      '/auth/v1/orgs/ORG/api-keys': { name: 'Outlives it', permissions: ['*'] },
      '/auth/v1/orgs/ORG/invitations': { email: 'somebody@example.com', role: 'owner' },
    };
    const body = method === 'POST' ? bodies[path] : undefined;
    expect(await asRun().send(method, path.replace('ORG', owner.slug), body)).toMatchObject({
      status: 403,
      body: { error: { code: 'user_required' } },
    });
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
    await runIn(owner.client, runId, ['retrying']);
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
