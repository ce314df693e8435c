import { signIn } from '../../../support/accounts.js';
import { Client, PASSWORD, signUp } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import { createProject } from '../../../support/project-environment.js';
import { programRoutes } from '../../../support/routes.js';
import type { Route } from '../../../support/routes.js';
import { sharedProgram } from '../../../support/shared-program.js';
import type { SharedProgram } from '../../../support/shared-program.js';
import { createOperator } from './operator-accounts.js';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

function refusalOf({ status, body }: Answer<unknown>): [number, string | undefined] {
  return [status, (body as { error?: { code: string } } | null)?.error?.code];
}

async function operatorRoutes(profile: 'organization' | 'project'): Promise<Route[]> {
  return (await programRoutes(profile)).filter(({ access }) => access === 'operator');
}

/** Calls a route as it is written, with no body, of something that does not exist. */
async function call(caller: Client, { method, path }: Route): Promise<Answer<unknown>> {
  const named = path.replaceAll(/\{\w+\}/g, UNKNOWN_ID);
  return await caller.send(method, named, method === 'GET' ? undefined : {});
}

describe('an operator', () => {
  let program: SharedProgram;

  beforeAll(async () => {
    program = await sharedProgram();
  });

  const as = (accessToken: string): Client => new Client(program.url).as(accessToken);

  it('learns at the sign-in and at each renewal what the account may do', async () => {
    const { browser } = await createOperator(program, 'organization', 'read_only');
    expect((await browser.post('/refresh')).body.operator).toBe('read_only');
    const full = await createOperator(program, 'organization');
    expect((await full.browser.post('/refresh')).body.operator).toBe('full');
  });

  it('operates the deployment by an access token, with account and address in the audit trail', async () => {
    const { accessToken, userId, email } = await createOperator(program, 'organization');
    const user = await signUp(program.url);
    const path = `/admin/v1/users/${user.userId}`;
    expect(await as(accessToken).get(path)).toMatchObject({ status: 200, body: { email: user.email } });
    expect((await as(accessToken).send('PATCH', path, { disabled: true })).status).toBe(200);
    const entries = await program.database.query(
      `SELECT actor_type, actor_id, details ->> 'operator' AS operator FROM audit_entries
       WHERE user_id = $1 AND action = 'user.disabled'`,
      [user.userId],
    );
    expect(entries).toEqual([{ actor_type: 'operator', actor_id: userId, operator: email }]);
  });

  it('is not named to the person whose account they changed', async () => {
    const { accessToken, userId, email } = await createOperator(program, 'organization');
    const user = await signUp(program.url);
    for (const disabled of [true, false])
      await as(accessToken).send('PATCH', `/admin/v1/users/${user.userId}`, { disabled });
    const { body: session } = await signIn(new Client(program.url), user.email, PASSWORD);
    const { body } = await as(session.access_token).get<{ actor: { type: string } }[]>('/auth/v1/user/audit');
    expect(body.find(({ actor }) => actor.type === 'operator')).toMatchObject({
      actor: { type: 'operator', id: null, name: null },
      ip: null,
      user_agent: null,
    });
    expect(JSON.stringify(body)).not.toContain(email);
    expect(JSON.stringify(body)).not.toContain(userId);
  });

  it('without an account, by admin.token, is in the audit trail as before', async () => {
    const user = await signUp(program.url);
    const path = `/admin/v1/users/${user.userId}`;
    await as(program.adminToken).send('PATCH', path, { disabled: true });
    const entries = await program.database.query(
      `SELECT actor_type, actor_id, details ? 'operator' AS named FROM audit_entries
       WHERE user_id = $1 AND action = 'user.disabled'`,
      [user.userId],
    );
    expect(entries).toEqual([{ actor_type: 'operator', actor_id: null, named: false }]);
  });

  it('has no authority in organizations', async () => {
    const { accessToken } = await createOperator(program, 'organization');
    const answer = await as(accessToken).in(UNKNOWN_ID).get('/jobs/v1/jobs');
    expect(refusalOf(answer)).toEqual([403, 'not_a_member']);
  });

  it('is refused as soon as the session has ended', async () => {
    const { accessToken, browser } = await createOperator(program, 'organization');
    expect((await as(accessToken).get('/admin/v1/orgs')).status).toBe(200);
    await browser.send('DELETE', '');
    expect(refusalOf(await as(accessToken).get('/admin/v1/orgs'))).toEqual([401, 'session_revoked']);
  });

  it('is refused as soon as the account is disabled, or an operator no more', async () => {
    const disabled = await createOperator(program, 'organization');
    await as(program.adminToken).send('PATCH', `/admin/v1/users/${disabled.userId}`, { disabled: true });
    const removed = await createOperator(program, 'organization');
    await program.database.query('DELETE FROM operators WHERE user_id = $1', [removed.userId]);
    expect(refusalOf(await as(disabled.accessToken).get('/admin/v1/orgs'))).toEqual([401, 'session_revoked']);
    expect(refusalOf(await as(removed.accessToken).get('/admin/v1/orgs'))).toEqual([
      401,
      'invalid_admin_token',
    ]);
  });

  it.each(['organization', 'project'] as const)(
    'who may only read changes nothing on any route of the %s profile',
    async (profile) => {
      const served = await sharedProgram(profile);
      const { accessToken } = await createOperator(served, profile, 'read_only');
      const caller = new Client(served.url).as(accessToken);
      const routes = await operatorRoutes(profile);
      for (const route of routes.filter(({ method }) => method !== 'GET'))
        expect([route.handler, ...refusalOf(await call(caller, route))]).toEqual([
          route.handler,
          403,
          'operator_read_only',
        ]);
      for (const route of routes.filter(({ method }) => method === 'GET'))
        expect([200, 404]).toContain((await call(caller, route)).status);
      expect(routes.filter(({ method }) => method !== 'GET').length).toBeGreaterThan(1);
    },
  );

  it('is no member: a member is refused on every route of operators', async () => {
    const member = await signUp(program.url);
    for (const route of await operatorRoutes('organization'))
      expect([route.handler, ...refusalOf(await call(member.client, route))]).toEqual([
        route.handler,
        401,
        'invalid_admin_token',
      ]);
  });
});

describe('an operator of projects', () => {
  let program: SharedProgram;

  beforeAll(async () => {
    program = await sharedProgram('project');
  });

  const as = (accessToken: string): Client => new Client(program.url).as(accessToken);

  it('operates the deployment by an access token, with account and address in the audit trail', async () => {
    const { accessToken, userId, email } = await createOperator(program, 'project');
    const project = await createProject(program.url, accessToken);
    expect((await as(accessToken).get(`/admin/v1/projects/${project.ref}`)).status).toBe(200);
    const entries = await program.database.query(
      `SELECT actor_type, actor_id, details ->> 'operator' AS operator FROM audit_entries
       WHERE org_id = $1 AND action = 'project.created'`,
      [project.id],
    );
    expect(entries).toEqual([{ actor_type: 'operator', actor_id: userId, operator: email }]);
  });

  it('keeps the session while tabs renew it at once, and loses it when the cookie is stolen', async () => {
    const { browser, userId } = await createOperator(program, 'project');
    const [tab, thief] = [browser.twin(), browser.twin()];
    const answers = await Promise.all([browser.post('/refresh'), tab.post('/refresh')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(browser.cookie).toBe(tab.cookie);
    await program.database.query(
      `UPDATE refresh_tokens SET rotated_at = rotated_at - interval '31 seconds'
       WHERE rotated_at IS NOT NULL AND session_id IN (SELECT id FROM sessions WHERE user_id = $1)`,
      [userId],
    );
    expect(refusalOf(await thief.post('/refresh'))).toEqual([401, 'refresh_token_reused']);
    expect(refusalOf(await browser.post('/refresh'))).toEqual([401, 'session_revoked']);
  });

  it('is refused as soon as the session has ended', async () => {
    const { accessToken, browser } = await createOperator(program, 'project');
    await browser.send('DELETE', '');
    expect((await as(accessToken).get('/admin/v1/projects')).status).toBe(401);
  });

  it('is nobody in a project: neither access token, refresh token nor password counts there', async () => {
    const { accessToken, browser, email } = await createOperator(program, 'project');
    const project = await createProject(program.url, program.adminToken);
    const inProject = project.anon.with({ authorization: `Bearer ${accessToken}` });
    expect(refusalOf(await inProject.get('/auth/v1/user'))).toEqual([401, 'invalid_access_token']);
    expect(refusalOf(await inProject.get('/jobs/v1/jobs'))).toEqual([401, 'invalid_access_token']);
    expect((await as(accessToken).get('/auth/v1/user')).status).toBe(401);
    const refreshed = await project.anon.post('/auth/v1/token', {
      refresh_token: browser.cookie?.split('.')[1],
    });
    expect(refusalOf(refreshed)).toEqual([401, 'invalid_refresh_token']);
    const signedIn = await project.anon.post('/auth/v1/token', { email, password: PASSWORD });
    expect(refusalOf(signedIn)).toEqual([401, 'invalid_credentials']);
    expect((await browser.post('/refresh')).status).toBe(200);
  });

  it('is no user of a project: neither access token, refresh token nor password counts for the deployment', async () => {
    const { browser } = await createOperator(program, 'project');
    const project = await createProject(program.url, program.adminToken);
    const email = `user-${project.ref}@example.com`;
    const { body } = await project.anon.post<{ access_token: string; refresh_token: string }>(
      '/auth/v1/signup',
      { email, password: PASSWORD },
    );
    for (const token of [body.access_token, project.anonKey, project.serviceKey])
      for (const route of await operatorRoutes('project'))
        expect([route.handler, ...refusalOf(await call(as(token), route))]).toEqual([
          route.handler,
          401,
          'invalid_admin_token',
        ]);
    browser.cookie = `account.${body.refresh_token}`;
    expect(refusalOf(await browser.post('/refresh'))).toEqual([401, 'invalid_refresh_token']);
    const signedIn = await browser.post('', { email, password: PASSWORD });
    expect(refusalOf(signedIn)).toEqual([401, 'invalid_credentials']);
    const renewed = await project.anon.post('/auth/v1/token', { refresh_token: body.refresh_token });
    expect(renewed.status).toBe(200);
  });
});
