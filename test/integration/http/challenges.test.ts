import { ERROR_CODES } from '../../../src/http/index.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { passkeyGrant } from '../../support/passkey.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../support/project-environment.js';
import { addFactor } from '../../support/second-factor.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { SoftwareAuthenticator } from '../../support/software-authenticator.js';
import { webhook } from '../hooks/hook-ground.js';

const OPERATOR = 'the-operator-of-the-challenges';
const SIGN_IN = '/auth/v1/token?grant_type=password';
const REFRESH = '/auth/v1/token?grant_type=refresh_token';
const BEARER = 'Bearer realm="service"';
const BODY = 'Body realm="service"';
const SIGNATURE = 'Signature realm="service"';

type ErrorAnswer = Answer<{ error?: { code: string; challenge?: { token: string } } }>;

/** What a refused token is answered with. */
function refused(code: keyof typeof ERROR_CODES): string {
  return `${BEARER}, error="invalid_token", error_description="${ERROR_CODES[code].meaning}"`;
}

function challengeIn({ status, body, headers }: ErrorAnswer): unknown[] {
  return [status, body.error?.code, headers.get('www-authenticate')];
}

const UNAUTHENTICATED = Object.entries(ERROR_CODES).flatMap(([code, { status, meaning }]) =>
  status === 401 ? [{ code, meaning }] : [],
);

describe('the challenge of a 401', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let anonymous: Client;
  const shown = new Set<unknown>();

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_ADMIN__TOKEN: OPERATOR,
    });
    anonymous = new Client(service.url);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function expectChallenge(
    answer: Promise<ErrorAnswer>,
    code: string,
    challenge: string,
  ): Promise<void> {
    expect(challengeIn(await answer)).toEqual([401, code, challenge]);
    shown.add(code);
  }

  it('names the scheme and nothing else where no token was sent', async () => {
    for (const path of ['/auth/v1/user', '/auth/v1/gate?permission=a:b:c', '/jobs/v1/runs'])
      await expectChallenge(anonymous.get(path), 'unauthenticated', BEARER);
    await expectChallenge(anonymous.post('/auth/v1/logout'), 'unauthenticated', BEARER);
    await expectChallenge(anonymous.get('/admin/v1/users'), 'invalid_admin_token', BEARER);
  });

  it('says that the token is invalid, and why, where one was sent', async () => {
    const token = refused('invalid_access_token');
    for (const client of [anonymous.as('x'), anonymous.with({ authorization: 'Basic YTpi' })])
      await expectChallenge(client.get('/auth/v1/user'), 'invalid_access_token', token);
    for (const client of [anonymous.as('svc_x'), anonymous.with({ 'x-api-key': 'svc_x' })])
      await expectChallenge(client.get('/jobs/v1/runs'), 'invalid_api_key', refused('invalid_api_key'));
    const operator = anonymous.as('not the operator').get('/admin/v1/users');
    await expectChallenge(operator, 'invalid_admin_token', refused('invalid_admin_token'));
  });

  it('names a scheme that no browser prompts for where a password or a refresh token was refused', async () => {
    const user = await signUp(service.url);
    const signIn = anonymous.post(SIGN_IN, { email: user.email, password: 'not this one' });
    await expectChallenge(signIn, 'invalid_credentials', BODY);
    const unknown = anonymous.post(REFRESH, { refresh_token: 'A'.repeat(43) });
    await expectChallenge(unknown, 'invalid_refresh_token', BODY);
    const refresh = { refresh_token: user.refreshToken };
    const { body } = await anonymous.post<{ refresh_token: string }>(REFRESH, refresh);
    await expectChallenge(anonymous.post(REFRESH, refresh), 'refresh_token_reused', BODY);
    const revoked = anonymous.post(REFRESH, { refresh_token: body.refresh_token });
    await expectChallenge(revoked, 'session_revoked', BODY);
  });

  it('says that the token is invalid where its session has ended', async () => {
    const { client, slug } = await signUpOwner(service.url);
    await client.post('/auth/v1/logout');
    const change = client.post(`/auth/v1/orgs/${slug}/roles`, { name: 'custom', permissions: [] });
    await expectChallenge(change, 'session_revoked', refused('session_revoked'));
  });

  it('asks the person who accepts an invitation for the access token of the address', async () => {
    const [{ client, slug }, invited] = await Promise.all([signUpOwner(service.url), signUp(service.url)]);
    const invitation = await client.post<{ link: string }>(`/auth/v1/orgs/${slug}/invitations`, {
      email: invited.email,
      role: 'member',
    });
    const token = new URL(invitation.body.link).searchParams.get('token');
    const accept = anonymous.post('/auth/v1/invitations/accept', { token });
    await expectChallenge(accept, 'sign_in_required', BEARER);
  });

  it('asks a webhook for its signature', async () => {
    const { client } = await signUpOwner(service.url);
    await client.send('PUT', '/vault/v1/secrets/hook', { value: 'the secret of the hook' });
    await environment.deploy('echo', 'export default () => Response.json({})');
    const jobs = [{ id: 'echo', name: 'Echo', handler: 'echo', triggers: [webhook('challenged')] }];
    expect((await client.post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    await expectChallenge(anonymous.post('/jobs/v1/hooks/challenged'), 'invalid_signature', SIGNATURE);
  });

  it('asks for a second factor, a passkey or a fresh challenge in the body', async () => {
    const { client, email } = await signUp(service.url);
    const { recoveryCodes } = await addFactor(client);
    expect(recoveryCodes).toHaveLength(10);
    const first = await anonymous.post<{ error: { code: string; challenge: { token: string } } }>(SIGN_IN, {
      email,
      password: PASSWORD,
    });
    expect(challengeIn(first)).toEqual([401, 'second_factor_required', BODY]);
    shown.add('second_factor_required');
    const second = '/auth/v1/token?grant_type=second_factor';
    const wrong = { challenge_token: first.body.error.challenge.token, code: '000000' };
    await expectChallenge(anonymous.post(second, wrong), 'invalid_second_factor', BODY);
    const unknown = { challenge_token: 'A'.repeat(43), code: '000000' };
    await expectChallenge(anonymous.post(second, unknown), 'invalid_challenge', BODY);
    const grant = await passkeyGrant(anonymous, new SoftwareAuthenticator('https://id.example.com'));
    await expectChallenge(
      anonymous.post('/auth/v1/token?grant_type=passkey', grant),
      'invalid_passkey',
      BODY,
    );
  });

  it('comes with every code that is answered with 401', () => {
    expect([...shown].sort()).toEqual(UNAUTHENTICATED.map(({ code }) => code).sort());
  });

  it('can quote the meaning of each of these codes (RFC 6750, section 3)', () => {
    for (const { meaning } of UNAUTHENTICATED) expect(meaning).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it('comes with no other status', async () => {
    const { client } = await signUpOwner(service.url);
    const strict = await signUpOwner(service.url);
    const { id } = await addFactor(strict.client);
    await strict.client.send('PATCH', `/auth/v1/orgs/${strict.slug}`, { require_second_factor: true });
    await strict.client.send('DELETE', `/auth/v1/factors/${id}`);
    const lacksFactor = strict.client.get(`/auth/v1/orgs/${strict.slug}`);
    expect(challengeIn(await lacksFactor)).toEqual([403, 'second_factor_required', null]);
    const answers = [
      client.get('/auth/v1/orgs/unknown'),
      client.get('/nowhere'),
      client.post('/auth/v1/signup'),
    ];
    for (const { status, headers } of await Promise.all(answers))
      expect([status === 401, headers.get('www-authenticate')]).toEqual([false, null]);
  });
});

describe('the challenge of a 401 in a project', () => {
  let environment: ProjectEnvironment;
  let service: ServiceInProcess;
  let project: TestProject;

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    project = await createProject(service.url, environment.adminToken);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('names what to send, and refuses each credential by its kind', async () => {
    const { anon, ref } = project;
    const byHost = new Client(service.url);
    const token = refused('invalid_access_token');
    const credentials = { email: 'nobody@example.com', password: PASSWORD };
    const byRef = `?ref=${ref}`;
    expect(challengeIn(await anon.as('x').get('/auth/v1/user'))).toEqual([
      401,
      'invalid_access_token',
      token,
    ]);
    // A key is no user's token.
    expect(challengeIn(await anon.get('/auth/v1/user'))).toEqual([401, 'invalid_access_token', token]);
    expect(challengeIn(await byHost.with({ apikey: 'x' }).get(`/auth/v1/keys${byRef}`))).toEqual([
      401,
      'invalid_api_key',
      refused('invalid_api_key'),
    ]);
    expect(challengeIn(await anon.post('/auth/v1/logout'))).toEqual([401, 'unauthenticated', BEARER]);
    expect(challengeIn(await anon.post('/auth/v1/token', credentials))).toEqual([
      401,
      'invalid_credentials',
      BODY,
    ]);
    expect(challengeIn(await anon.post('/auth/v1/token', { refresh_token: 'A'.repeat(43) }))).toEqual([
      401,
      'invalid_refresh_token',
      BODY,
    ]);
    expect(challengeIn(await byHost.get('/admin/v1/projects'))).toEqual([401, 'invalid_admin_token', BEARER]);
  });
});
