import { ANY_METHOD, opensToRuns } from '../../src/http/index.js';
import { isPermission } from '../../src/rbac/index.js';
import { programRoutes } from '../support/routes.js';
import type { Route } from '../support/routes.js';

describe('routes of the project profile', () => {
  let routes: Route[];

  beforeAll(async () => {
    routes = await programRoutes('project');
  });

  it('each declare a permission, or whom in a project they are open to', () => {
    const open = [
      'public',
      'addressed',
      'optional',
      'operator',
      'project',
      'anon_key',
      'service_key',
      'project_user',
    ];
    const others = routes.filter(
      ({ access }) => access === undefined || (!open.includes(access) && !isPermission(access)),
    );
    expect(others).toEqual([]);
  });

  it('are of no organization, its members, roles, invitations or API keys', () => {
    const paths = routes.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/admin/v1/projects', '/auth/v1/keys', '/jobs/v1/runs']));
    expect(paths.filter((path) => /orgs|signing-keys|permissions|gate|api-keys/.test(path))).toEqual([]);
  });
});

describe('routes', () => {
  let routes: Route[];

  beforeAll(async () => {
    routes = await programRoutes();
  });

  it('are found in every controller of the module tree', () => {
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'POST /auth/v1/signup',
        'GET /auth/v1/keys',
        'GET /jobs/v1/runs/{id}',
        'GET /health',
        'GET /metrics',
      ]),
    );
  });

  it('each declare a permission, or whom they are open to', () => {
    expect(routes.filter(({ access }) => access === undefined).map(({ handler }) => handler)).toEqual([]);
    const malformed = routes.filter(
      ({ access }) =>
        access !== undefined &&
        !['public', 'addressed', 'optional', 'user', 'member', 'operator'].includes(access) &&
        (!isPermission(access) || access.includes('*')),
    );
    expect(malformed).toEqual([]);
  });

  it('are public only where a caller cannot have a token yet, or needs none', () => {
    const open = routes.filter(({ access }) => access === 'public' || access === 'addressed');
    expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'DELETE /console/session',
      'DELETE /jobs/v1/hooks/{name}',
      'GET /.well-known/jwks.json',
      'GET /.well-known/openid-configuration',
      'GET /auth/v1/keys',
      'GET /auth/v1/pages/change-email',
      'GET /auth/v1/pages/invitation',
      'GET /auth/v1/pages/recover',
      'GET /auth/v1/pages/verify',
      'GET /console/session/options',
      'GET /health',
      'GET /health/live',
      'GET /health/ready',
      'GET /jobs/v1/hooks/{name}',
      'GET /metrics',
      'PATCH /jobs/v1/hooks/{name}',
      'POST /auth/v1/pages/change-email',
      'POST /auth/v1/pages/invitation',
      'POST /auth/v1/pages/new-link',
      'POST /auth/v1/pages/recover',
      'POST /auth/v1/pages/verify',
      'POST /auth/v1/passkeys/options',
      'POST /auth/v1/recover',
      'POST /auth/v1/recover/complete',
      'POST /auth/v1/signup',
      'POST /auth/v1/token',
      'POST /auth/v1/user/email/complete',
      'POST /auth/v1/verify',
      'POST /console/session',
      'POST /console/session/passkey',
      'POST /console/session/passkey/options',
      'POST /console/session/refresh',
      'POST /console/session/second-factor',
      'POST /console/session/setup',
      'POST /jobs/v1/hooks/{name}',
      'PUT /jobs/v1/hooks/{name}',
    ]);
  });

  it.each(['organization', 'project'] as const)(
    'of the %s profile open no change under /auth/v1 to the tokens of runs',
    async (profile) => {
      const open = (await programRoutes(profile)).filter(
        ({ method, path, access, runTokens }) =>
          method !== 'GET' &&
          path.startsWith('/auth/v1') &&
          access !== 'public' &&
          opensToRuns(method, path, runTokens),
      );
      // Asks, and changes nothing.
      const gates = ['/auth/v1/gate', '/auth/v1/gate/{permission}/{path}'];
      const asking =
        profile === 'organization'
          ? [
              ...gates.flatMap((path) => ANY_METHOD.map((method) => `${method} ${path}`)),
              'POST /auth/v1/permissions/check',
            ]
          : [];
      expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual(
        asking.filter((route) => !route.startsWith('GET ')),
      );
    },
  );
});
