import { randomBytes } from 'node:crypto';
import { signIn } from '../../../support/accounts.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../../../support/client.js';
import type { Answer, SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { fetch } from '../../../support/fetch.js';
import { MailServer, tokenOf } from '../../../support/mail-server.js';
import { startMailingProjects } from '../../../support/mailing-project.js';
import type { MailingProjects, ProjectSession } from '../../../support/mailing-project.js';
import type { TestProject } from '../../../support/project-environment.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';

const ADMIN_TOKEN = 'the-operator-of-this-deployment';

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

function codeOf({ status, body }: Answer<unknown>): [number, string?] {
  const code = (body as { error?: { code: string } } | null)?.error?.code;
  return code === undefined ? [status] : [status, code];
}

describe('an organization deployment', () => {
  let environment: TestEnvironment;
  let mailServer: MailServer;
  let service: ServiceInProcess;
  let anonymous: Client;

  beforeAll(async () => {
    [environment, mailServer] = await Promise.all([createEnvironment(), MailServer.start()]);
  });

  afterEach(async () => {
    await service.stop();
  });

  afterAll(async () => {
    await mailServer.down();
    await environment.dispose();
  });

  async function start(settings: Record<string, string>): Promise<void> {
    service = await ServiceInProcess.start({
      ...environment.variables,
      ...mailServer.variables,
      SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
      ...settings,
    });
    anonymous = new Client(service.url);
  }

  /** The same deployment with other settings; access tokens hold on. */
  async function restart(settings: Record<string, string>): Promise<void> {
    await service.stop();
    await start(settings);
  }

  async function invite(owner: SignedUp & { orgId: string }, email: string): Promise<string> {
    const path = `/auth/v1/orgs/${owner.orgId}/invitations`;
    const client = owner.client.at(service.url);
    expect((await client.post(path, { email, role: 'member' })).status).toBe(201);
    return tokenOf(await mailServer.mailTo(email));
  }

  it('creates accounts only for invited people with sign_up invited, and for no one with closed', async () => {
    await start({});
    const owner = await signUpOwner(service.url);
    await restart({ SERVICE_IDENTITY__SIGN_UP: 'invited' });
    for (const email of [freshAddress(), owner.email]) {
      const refused = await anonymous.post('/auth/v1/signup', { email, password: PASSWORD });
      expect(codeOf(refused)).toEqual([403, 'sign_up_closed']);
    }
    const invited = freshAddress();
    const accepted = await anonymous.post('/auth/v1/invitations/accept', {
      token: await invite(owner, invited),
      password: PASSWORD,
    });
    expect(accepted.status).toBe(200);

    await restart({ SERVICE_IDENTITY__SIGN_UP: 'closed' });
    expect((await signIn(anonymous, invited, PASSWORD)).status).toBe(200);
    const email = freshAddress();
    const token = await invite(owner, email);
    const attempts = [
      await anonymous.post('/auth/v1/invitations/accept', { token, password: PASSWORD }),
      await anonymous.post('/auth/v1/signup', { email, password: PASSWORD }),
    ];
    expect(attempts.map(codeOf)).toEqual([
      [403, 'sign_up_closed'],
      [403, 'sign_up_closed'],
    ]);
    const form = new URLSearchParams({ token, password: PASSWORD, repeat: PASSWORD });
    const page = await fetch(`${service.url}/auth/v1/pages/invitation`, { method: 'POST', body: form });
    expect(page.status).toBe(403);
    expect(await environment.database.query('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
  });

  it('leaves organizations to the operator with organization_creation operator', async () => {
    await start({ SERVICE_IDENTITY__ORGANIZATION_CREATION: 'operator' });
    const ada = await signUp(service.url);
    const operator = anonymous.as(ADMIN_TOKEN);
    const slug = `org-${randomBytes(6).toString('hex')}`;
    const refused = await ada.client.post('/auth/v1/orgs', { slug, name: 'Acme' });
    expect(codeOf(refused)).toEqual([403, 'permission_denied']);
    expect(refused.body).toMatchObject({
      error: { hint: expect.stringContaining('identity.organization_creation') },
    });
    expect(codeOf(await ada.client.post('/admin/v1/orgs', { slug, name: 'Acme' }))).toEqual([
      401,
      'invalid_admin_token',
    ]);
    for (const owner of [{}, { owner_id: ada.userId, owner_email: ada.email }]) {
      const unclear = await operator.post('/admin/v1/orgs', { slug, name: 'Acme', ...owner });
      expect(codeOf(unclear)).toEqual([400, 'validation_failed']);
    }
    const nobodys = { slug, name: 'Acme', owner_email: freshAddress() };
    expect(codeOf(await operator.post('/admin/v1/orgs', nobodys))).toEqual([404, 'user_not_found']);

    await environment.database.query('UPDATE users SET email_verified = true WHERE id = $1', [ada.userId]);
    const made = await operator.post<{ id: string }>('/admin/v1/orgs', {
      slug,
      name: 'Acme',
      owner_email: ada.email.toUpperCase(),
    });
    expect(made).toMatchObject({ status: 201, body: { slug, name: 'Acme', members: 1 } });
    const { body } = await ada.client.in(slug).get('/auth/v1/permissions');
    expect(body).toMatchObject({ role: 'owner', org: { id: made.body.id } });
    const byId = { slug: `${slug}-2`, name: 'Second', owner_id: ada.userId };
    expect((await operator.post('/admin/v1/orgs', byId)).status).toBe(201);
    expect(codeOf(await operator.post('/admin/v1/orgs', byId))).toEqual([409, 'slug_taken']);
    const entries = await environment.database.query(
      `SELECT actor_type, details FROM audit_entries WHERE action = 'org.created' AND org_id = $1`,
      [made.body.id],
    );
    expect(entries).toEqual([{ actor_type: 'operator', details: { slug, name: 'Acme', owner: ada.userId } }]);
  });

  it('keeps an unverified user to their own account with require_verified_email, until they confirm', async () => {
    await start({});
    const owner = await signUpOwner(service.url);
    const ownToken = tokenOf(await mailServer.mailTo(owner.email));
    await restart({ SERVICE_IDENTITY__REQUIRE_VERIFIED_EMAIL: 'true' });
    const ada = await signUp(service.url);
    const { client } = ada;
    const own: [string, string, unknown?][] = [
      ['GET', '/auth/v1/user'],
      ['PATCH', '/auth/v1/user', { metadata: { name: 'Ada' } }],
      ['GET', '/auth/v1/user/audit'],
      ['GET', '/auth/v1/sessions'],
      ['POST', '/auth/v1/verify/resend'],
    ];
    for (const [method, path, body] of own)
      expect([path, (await client.send(method, path, body)).status < 300]).toEqual([path, true]);
    const beyond: [string, string, unknown?][] = [
      ['GET', '/auth/v1/orgs'],
      ['POST', '/auth/v1/orgs', { slug: 'unverified', name: 'Unverified' }],
      ['GET', '/auth/v1/permissions'],
      ['GET', '/auth/v1/gate?permission=data:orders:read'],
      ['GET', '/jobs/v1/jobs'],
    ];
    for (const [method, path, body] of beyond) {
      const answer = await client.send(method, path, body);
      expect([path, ...codeOf(answer)]).toEqual([path, 403, 'email_not_verified']);
    }
    const asOwner = owner.client.at(service.url);
    expect(codeOf(await asOwner.get('/auth/v1/permissions'))).toEqual([403, 'email_not_verified']);

    expect((await anonymous.post('/auth/v1/verify', { token: ownToken })).status).toBe(200);
    // The access token is the one from before.
    expect((await asOwner.get('/auth/v1/permissions')).status).toBe(200);
    await mailServer.down();
    const path = `/auth/v1/orgs/${owner.orgId}/invitations`;
    const { body: shown } = await asOwner.post<{ link: string }>(path, { email: ada.email, role: 'member' });
    await mailServer.up();
    const token = new URL(shown.link).searchParams.get('token');
    expect(codeOf(await client.post('/auth/v1/invitations/accept', { token }))).toEqual([
      403,
      'email_not_verified',
    ]);
    expect((await client.post('/auth/v1/logout')).status).toBe(204);
  });
});

describe('a project deployment', () => {
  let running: MailingProjects;
  let project: TestProject;

  beforeAll(async () => {
    running = await startMailingProjects({
      SERVICE_IDENTITY__SIGN_UP: 'closed',
      SERVICE_IDENTITY__REQUIRE_VERIFIED_EMAIL: 'true',
    });
    project = await running.project();
  });

  afterAll(async () => {
    await running.stop();
  });

  it('with sign_up closed makes accounts by the service key alone, and answers magic links as ever', async () => {
    const email = freshAddress();
    const refused = await project.anon.post('/auth/v1/signup', { email, password: PASSWORD });
    expect(codeOf(refused)).toEqual([403, 'sign_up_closed']);
    expect(await project.anon.post('/auth/v1/magic-link', { email })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    const { database } = running.environment;
    await until(async () => (await database.query('SELECT FROM outgoing_mails')).length === 0);
    expect(running.mailServer.received.filter(({ to }) => to === email)).toEqual([]);
    expect(await database.query('SELECT FROM users WHERE email = $1', [email])).toEqual([]);

    expect((await project.service.post('/auth/v1/invite', { email })).status).toBe(201);
    const token = tokenOf(await running.mailServer.mailTo(email));
    expect((await project.anon.post('/auth/v1/invite/accept', { token, password: PASSWORD })).status).toBe(
      200,
    );
    const made = { email: freshAddress(), password: PASSWORD };
    expect((await project.service.post('/auth/v1/signup', made)).status).toBe(201);
  });

  it('with require_verified_email keeps an unverified user from jobs, until a magic link proves the address', async () => {
    const email = freshAddress();
    const signedUp = await project.service.post<ProjectSession>('/auth/v1/signup', {
      email,
      password: PASSWORD,
    });
    const by = (token: string): Client => new Client(running.service.url).as(token);
    const unverified = by(signedUp.body.access_token);
    expect((await unverified.get('/auth/v1/user')).status).toBe(200);
    expect(codeOf(await unverified.get('/jobs/v1/runs'))).toEqual([403, 'email_not_verified']);
    await project.anon.post('/auth/v1/magic-link', { email });
    const token = tokenOf(await running.mailServer.mailTo(email));
    const { body } = await project.anon.post<ProjectSession>('/auth/v1/verify', { token });
    expect((await by(body.access_token).get('/jobs/v1/runs')).status).toBe(200);
    expect((await project.service.get('/jobs/v1/jobs')).status).toBe(200);
    expect((await unverified.post('/auth/v1/logout')).status).toBe(401);
  });
});
