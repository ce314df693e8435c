import { createRemoteJWKSet, jwtVerify } from 'jose';
import { Client, PASSWORD, signUp, signUpOwner } from '../support/client.js';
import type { RunBody } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

describe('from sign-up to a finished run', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy(
      'echo',
      'export default async (request) => Response.json({ ok: true, got: await request.text() })',
    );
    service = await ServiceProcess.start(environment.variables);
    url = service.url ?? '';
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('signs in with the password of the sign-up', async () => {
    const { email } = await signUp(url);
    const answer = await new Client(url).post('/auth/v1/token?grant_type=password', {
      email,
      password: PASSWORD,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      user: { email, email_verified: false },
    });
  });

  it('gives an access token that jose verifies by the published JWKS', async () => {
    const { accessToken, userId, email } = await signUp(url);
    const jwks = createRemoteJWKSet(new URL(`${url}/auth/v1/keys`));
    const { payload, protectedHeader } = await jwtVerify(accessToken, jwks, {
      issuer: 'service',
      audience: 'service',
      typ: 'at+jwt',
      algorithms: ['RS256'],
    });
    expect(payload).toMatchObject({ sub: userId, email, email_verified: false, aal: 1, amr: ['pwd'] });
    expect(Object.keys(payload).sort()).toEqual(
      'aal amr aud auth_time client_id email email_verified exp iat iss jti sid sub'.split(' '),
    );
    expect(protectedHeader.alg).toBe('RS256');
  });

  it('shows all permissions to the owner of an organization, named by slug or by id', async () => {
    const owner = await signUpOwner(url);
    for (const reference of [owner.slug, owner.orgId]) {
      const { status, body } = await owner.client.in(reference).get('/auth/v1/permissions');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        org: { id: owner.orgId, slug: owner.slug },
        role: 'owner',
        permissions: ['*'],
      });
    }
    const profile = await owner.client.get('/auth/v1/user');
    expect(profile.body).toMatchObject({ orgs: [{ id: owner.orgId, slug: owner.slug, role: 'owner' }] });
  });

  it('calls the function of a triggered job with exactly the payload and completes the run', async () => {
    const { client } = await signUpOwner(url);
    const registered = await client.post('/jobs/v1/jobs', {
      jobs: [{ id: 'echo', name: 'Echo', handler: 'echo' }],
    });
    expect(registered.body).toEqual({ jobs: [{ id: 'echo', change: 'created' }] });
    const payload = { b: [1, 'zwei', null], a: { nested: true } };
    const { status, body: run } = await client.post<RunBody>('/jobs/v1/jobs/echo/trigger', { payload });
    expect(status).toBe(202);
    let shown = await client.get<RunBody>(`/jobs/v1/runs/${run.id}`);
    await until(async () => {
      shown = await client.get<RunBody>(`/jobs/v1/runs/${run.id}`);
      return shown.body.status === 'completed';
    });
    expect(shown.body.result).toEqual({ ok: true, got: JSON.stringify(payload) });
    expect(shown.body.duration_ms).toEqual(expect.any(Number));
    let metrics = await client.get<string>('/metrics');
    // Others may see the end before the process that wrote it has counted it.
    await until(async () => {
      metrics = await client.get<string>('/metrics');
      return metrics.body.includes('service_jobs_runs_total{status="completed"} 1');
    });
    expect(metrics.body).toMatch(/^service_jobs_runs_total\{status="completed"\} 1$/m);
    expect(metrics.body).toMatch(/^service_jobs_queue_depth 0$/m);
    expect(metrics.body).toMatch(/^service_jobs_run_duration_seconds_count 1$/m);
  });
});
