import { Client, signUp, signUpOwner } from '../../support/client.js';
import type { Answer, SignedUp } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { programRoutes } from '../../support/routes.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';
import { Team } from '../orgs/team.js';

interface Refusal {
  readonly error: { code: string; hint?: string; details?: { path: string; message: string }[] };
}

const JSON_TYPE = 'Content-Type: application/json';
/** Whoever asks these adds fields that mean nothing to the program. */
const OF_OTHERS =
  /^\/(?:health|metrics|\.well-known|auth\/v1\/keys|auth\/v1\/gate|auth\/v1\/pages|auth\/v1\/token|jobs\/v1\/hooks)(?:\/|$)/;

describe('what a route does not read of a request', () => {
  let program: SharedProgram;
  let owner: SignedUp & { slug: string };

  beforeAll(async () => {
    program = await sharedProgram();
    owner = await signUpOwner(program.url);
  });

  function refusalOf({ status, body }: Answer<Refusal>): [number, string, unknown] {
    return [status, body.error.code, body.error.details];
  }

  it('in the body keeps a member from being removed without what it asks for, and the hint says where that belongs', async () => {
    const team = await Team.found(program.url, program.database);
    const maker = await team.take('admin');
    const path = `${team.path}/members/${maker.userId}`;
    const answer = await team.owner.client.send<Refusal>('DELETE', path, { revoke_keys: true });
    expect(refusalOf(answer)).toEqual([
      400,
      'validation_failed',
      [{ path: 'revoke_keys', message: 'is in the body, which this route does not read' }],
    ]);
    expect(answer.body.error.hint).toBe('This route reads no body, and of the query revoke_keys.');
    const { body: members } = await team.owner.client.get<{ user_id: string }[]>(`${team.path}/members`);
    expect(members.map(({ user_id: id }) => id)).toContain(maker.userId);
  });

  it.each([
    ['POST', '/jobs/v1/signing-secret/rotate', '{"immediate":true}'],
    ['DELETE', '/auth/v1/sessions/x', '"all"'],
    ['DELETE', '/auth/v1/sessions/x', '[]'],
    ['GET', '/jobs/v1/runs', '{"status":"failed"}'],
    ['GET', '/auth/v1/user', '{"fields":["email"]}'],
  ])('in the body is refused: %s %s %s', async (method, path, body) => {
    const headers = [
      `Authorization: Bearer ${owner.accessToken}`,
      JSON_TYPE,
      `Content-Length: ${body.length}`,
    ];
    const answer = await sendRaw(program.url, rawRequest(method, path, headers, body));
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('does not read')]);
  });

  it.each(['', '{}', 'null'])('may be nothing: the body %j', async (body) => {
    const headers = [
      `Authorization: Bearer ${owner.accessToken}`,
      JSON_TYPE,
      `Content-Length: ${body.length}`,
    ];
    const { status, text } = await sendRaw(
      program.url,
      rawRequest('DELETE', '/auth/v1/sessions/x', headers, body),
    );
    expect([status, text]).toEqual([404, expect.stringContaining('session_not_found')]);
  });

  it.each([
    ['/auth/v1/user?fields=email', 'fields', 'neither a body nor a query'],
    ['/auth/v1/permissions?organisation=x', 'organisation', 'neither a body nor a query'],
    ['/jobs/v1/queue?limit=5', 'limit', 'neither a body nor a query'],
    ['/jobs/v1/queue?', null, ''],
  ])('in the query is refused, and told what is read: %s', async (path, field, reads) => {
    const answer = await owner.client.get<Refusal>(path);
    if (field === null) {
      expect(answer.status).toBe(200);
      return;
    }
    expect(refusalOf(answer)).toEqual([
      400,
      'validation_failed',
      [{ path: field, message: 'is in the query, of which this route does not read it' }],
    ]);
    expect(answer.body.error.hint).toBe(`This route reads ${reads}.`);
  });

  it('in the query of a sign-out is refused, whose scope belongs into the body', async () => {
    const user = await signUp(program.url);
    const answer = await user.client.send<Refusal>('POST', '/auth/v1/logout?scope=global');
    expect(answer.body.error.hint).toBe('This route reads a body and no query.');
    expect((await user.client.get('/auth/v1/user')).status).toBe(200);
  });

  it('is judged after who is calling', async () => {
    expect((await new Client(program.url).get('/auth/v1/user?fields=email')).status).toBe(401);
  });

  it.each([
    ['/health/live?probe=1', 200],
    ['/metrics?name[]=up', 200],
    ['/auth/v1/keys?_=1700000000', 200],
    ['/.well-known/openid-configuration?v=2', 200],
  ])('is ignored where others ask in their own words: %s', async (path, status) => {
    expect((await new Client(program.url).get(path)).status).toBe(status);
  });

  it('is ignored in links, to which mail clients add', async () => {
    const { status, headers } = await new Client(program.url).get(
      '/auth/v1/pages/verify?token=x&utm_source=mail',
    );
    // The page of a link that is no longer good.
    expect([status, headers.get('content-type')]).toEqual([400, expect.stringContaining('text/html')]);
  });

  it('is ignored by the token endpoint, as OAuth requires (RFC 6749, section 3.2)', async () => {
    const path = '/auth/v1/token?grant_type=refresh_token&audience=orders';
    const refreshed = await new Client(program.url).post(path, { refresh_token: owner.refreshToken });
    expect(refreshed.status).toBe(200);
  });

  it.each([
    // Its body is judged at the same time, and lacks everything.
    ['organization', ['PUT /admin/v1/templates/{name}']],
    ['project', []],
  ] as const)('is refused by every other route of the profile %s', async (profile, judgedByBody) => {
    const { url, adminToken } = await sharedProgram(profile);
    const headers = { authorization: `Bearer ${adminToken}`, 'x-service-console': '1' };
    const open = new Set(['public', 'operator']);
    const routes = (await programRoutes(profile)).filter(
      // Of an import the type of the body is judged first.
      ({ access, path }) => open.has(access ?? '') && !OF_OTHERS.test(path) && !path.endsWith('/import'),
    );
    expect(routes.length).toBeGreaterThan(20);
    for (const { method, path } of routes) {
      const target = `${url}${path.replaceAll(/\{\w+\}/g, 'x')}?unread_field=1`;
      const response = await fetch(target, { method, headers });
      const isOther = (judgedByBody as readonly string[]).includes(`${method} ${path}`);
      expect([method, path, response.status, await response.text()]).toEqual([
        method,
        path,
        400,
        expect.stringContaining(isOther ? 'validation_failed' : 'unread_field'),
      ]);
    }
  });
});
