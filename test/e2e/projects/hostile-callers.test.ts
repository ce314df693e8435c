import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { HandlerServer, silent } from '../../support/handler-server.js';
import { askHost } from '../../support/hosts.js';
import type { HostAnswer } from '../../support/hosts.js';
import { tokenOf } from '../../support/mail-server.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects, ProjectSession } from '../../support/mailing-project.js';
import type { TestProject } from '../../support/project-environment.js';
import { createProjectUser } from '../../support/project-users.js';
import { programRoutes } from '../../support/routes.js';
import type { Route } from '../../support/routes.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { until } from '../../support/until.js';
import { Followed } from '../../slow/e2e/logs/followed.js';

/** What users may do in the jobs that are open to them. */
const OPEN_TO_USERS = ['jobs:jobs:trigger', 'jobs:runs:read'];

type Callers = 'nobody' | 'anon' | 'service' | 'user' | 'run';

type OpenRoute = Route & { readonly access: string };

/** The refusal of a caller at a route, by whom it is open to; null where it is not refused for who calls. */
function refusalOf({ method, path, access, runTokens }: OpenRoute, caller: Callers): string | null {
  if (access === 'operator') return '401 invalid_admin_token';
  const isChange = method !== 'GET' && path.startsWith('/auth/v1');
  if (caller === 'run' && (isChange || runTokens === 'closed')) return '403 run_token_not_allowed';
  if (access === 'project') return null;
  if (caller === 'nobody') return '401 unauthenticated';
  if (access === 'project_user') return caller === 'user' ? null : '401 invalid_access_token';
  if (access === 'anon_key')
    return caller === 'anon' || caller === 'service' ? null : '403 project_key_required';
  if (access === 'service_key') return caller === 'service' ? null : '403 project_key_required';
  if (caller === 'service' || caller === 'run') return null;
  if (caller === 'user' && OPEN_TO_USERS.includes(access)) return null;
  return caller === 'user' && runTokens === 'attempt' ? '403 run_token_required' : '403 permission_denied';
}

describe('a hostile caller of a project', () => {
  let running: MailingProjects;
  let handlers: HandlerServer;
  let project: TestProject;
  let routes: OpenRoute[];
  let tokens: Record<Exclude<Callers, 'nobody'>, string>;

  beforeAll(async () => {
    handlers = await HandlerServer.start();
    running = await startMailingProjects(handlers.variables);
    project = await running.project();
    routes = (await programRoutes('project')).flatMap((route) =>
      route.access === undefined || ['public', 'addressed', 'optional'].includes(route.access)
        ? []
        : [{ ...route, access: route.access }],
    );
    await registerJobs(project.service, { endless: { timeout_ms: 3_600_000 } });
    handlers.on('endless', silent);
    const { id } = await trigger(project.service, 'endless');
    await until(() => handlers.callsOf(id).length > 0);
    tokens = {
      anon: project.anonKey,
      service: project.serviceKey,
      user: (await createProjectUser(running.service, project)).accessToken,
      run: String(handlers.callsOf(id)[0]?.headers.authorization).replace('Bearer ', ''),
    };
  });

  afterAll(async () => {
    for (const { id } of (await project.service.get<{ id: string }[]>('/jobs/v1/runs?status=running')).body)
      await project.service.post(`/jobs/v1/runs/${id}/cancel`);
    await running.stop();
    await handlers.stop();
  });

  const ask = async (
    { method, path }: Pick<Route, 'method' | 'path'>,
    headers: Record<string, string>,
  ): Promise<HostAnswer> =>
    await askHost(running.service.url, `${project.ref}.projects.test`, path.replaceAll(/\{\w+\}/g, 'x'), {
      method,
      headers,
    });

  it.each(['nobody', 'anon', 'user', 'run', 'service'] as const)(
    'as %s gets no further than each route is open, whichever header the token is in',
    async (caller) => {
      expect(routes.length).toBeGreaterThan(30);
      for (const route of routes) {
        const refusal = refusalOf(route, caller);
        if (refusal === null) continue;
        const presented: Record<string, string>[] =
          caller === 'nobody'
            ? [{}]
            : [{ authorization: `Bearer ${tokens[caller]}` }, { apikey: tokens[caller] }];
        for (const headers of presented) {
          const { status, code } = await ask(route, headers);
          expect([route.method, route.path, Object.keys(headers), `${status} ${code ?? ''}`]).toEqual([
            route.method,
            route.path,
            Object.keys(headers),
            // The operator's token goes in Authorization alone, where nothing else is one.
            refusal,
          ]);
        }
      }
    },
  );

  it('gains nothing by a second token beside a weak one', async () => {
    const both = { authorization: `Bearer ${tokens.anon}`, apikey: tokens.service };
    for (const route of routes.filter(({ access }) => access === 'service_key' || access.includes(':')))
      expect([route.path, (await ask(route, both)).status]).toEqual([route.path, 403]);
    const user = { authorization: `Bearer ${tokens.service}`, apikey: tokens.user };
    expect((await ask({ method: 'GET', path: '/auth/v1/user' }, user)).status).toBe(401);
  });

  it('is refused with either header twice', async () => {
    for (const name of ['apikey', 'Authorization']) {
      const answer = await askHost(running.service.url, `${project.ref}.projects.test`, '/auth/v1/keys', {
        headers: { [name]: `${tokens.anon}\r\n${name}: ${tokens.anon}` },
      });
      expect([name, answer.status, answer.code]).toEqual([name, 400, 'repeated_header']);
    }
  });

  describe('whose account was disabled', () => {
    let email: string;
    let session: ProjectSession;
    let client: Client;

    beforeEach(async () => {
      email = `${randomBytes(6).toString('hex')}@example.com`;
      client = project.anon;
      session = (await client.post('/auth/v1/signup', { email, password: PASSWORD }))
        .body as unknown as ProjectSession;
    });

    const disable = async (): Promise<void> => {
      const path = `/auth/v1/users/${session.user.id}`;
      expect((await project.service.send('PATCH', path, { disabled: true })).status).toBe(200);
    };

    it.each([
      ['magic-link', 'verify', {}],
      ['recover', 'recover/complete', { password: 'a wholly other password' }],
    ])('comes in by no link of %s that was mailed before', async (request, path, more) => {
      await client.post(`/auth/v1/${request}`, { email });
      const token = tokenOf(await running.mailServer.mailTo(email));
      await disable();
      const refused = await client.post(`/auth/v1/${path}`, { token, ...more });
      expect([400, 401]).toContain(refused.status);
      expect(refused.body).not.toHaveProperty('access_token');
      expect((await client.post('/auth/v1/token', { refresh_token: session.refresh_token })).status).toBe(
        401,
      );
      expect((await client.as(session.access_token).get('/auth/v1/user')).status).toBe(401);
      expect(
        await running.environment.database.query('SELECT FROM sessions WHERE user_id = $1', [
          session.user.id,
        ]),
      ).toEqual([]);
    });

    it('learns nothing: a magic link is answered as always, and signing up again is 409', async () => {
      await disable();
      expect((await client.post('/auth/v1/magic-link', { email })).body).toEqual({ ok: true });
      expect((await client.post('/auth/v1/signup', { email, password: PASSWORD })).status).toBe(409);
      expect(await client.post('/auth/v1/token', { email, password: PASSWORD })).toMatchObject({
        status: 401,
        body: { error: { code: 'invalid_credentials' } },
      });
    });

    it('has no token left that works once the account is deleted', async () => {
      const path = `/auth/v1/users/${session.user.id}`;
      expect((await project.service.send('DELETE', path)).status).toBe(204);
      await until(async () => (await client.as(session.access_token).get('/auth/v1/user')).status === 401);
      expect((await client.post('/auth/v1/token', { refresh_token: session.refresh_token })).status).toBe(
        401,
      );
    });
  });

  it('is invited and signs up instead: the address is taken until the invitation is accepted or over', async () => {
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    await project.service.post('/auth/v1/invite', { email });
    expect((await project.anon.post('/auth/v1/signup', { email, password: PASSWORD })).status).toBe(409);
    expect((await project.anon.post('/auth/v1/token', { email, password: PASSWORD })).status).toBe(401);
  });

  it('follows logs of a project that is deleted, and is cut off', async () => {
    const doomed = await running.project({ mail: false });
    const followed = await Followed.open(doomed.service, '/jobs/v1/logs?follow=true');
    expect(followed.status).toBe(200);
    const operator = project.anon.as(running.environment.adminToken);
    expect((await operator.send('DELETE', `/admin/v1/projects/${doomed.ref}`)).status).toBe(204);
    await until(() => followed.isClosed);
    expect((await doomed.service.get('/jobs/v1/logs')).status).toBe(401);
  });
});
