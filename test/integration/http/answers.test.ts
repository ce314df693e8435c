import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { Client, signUpOwner } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { programRoutes } from '../../support/routes.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const MADE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('every answer', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let anonymous: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    anonymous = new Client(service.url);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it.each(['a', 'A1._-', 'x'.repeat(128)])(
    'carries the request id that came with the request: %s',
    async (id) => {
      for (const path of ['/health/live', '/auth/v1/user', '/nowhere', '/jobs/v1/runs/%zz']) {
        const { headers } = await anonymous.with({ 'x-request-id': id }).get(path);
        expect(headers.get('x-request-id')).toBe(id);
      }
    },
  );

  it.each(['', 'x'.repeat(129), 'two words', 'a/b', 'a,b', 'caf\u00e9', '{"$ne":1}'])(
    'carries a request id of our own in place of one that is not sane: %s',
    async (id) => {
      const { headers } = await anonymous.with({ 'x-request-id': id }).get('/health/live');
      expect(headers.get('x-request-id')).toMatch(MADE);
    },
  );

  it('carries a request id of our own in place of two', async () => {
    const answer = await sendRaw(
      service.url,
      rawRequest('GET', '/health/live', ['X-Request-Id: a', 'X-Request-Id: b']),
    );
    expect(answer.headers['x-request-id']).toMatch(MADE);
  });

  const PAGES = ['/', '/docs', '/console', '/auth/v1/pages/verify'];

  it.each([
    '/health',
    '/auth/v1/keys',
    '/auth/v1/user',
    '/nowhere',
    '/metrics',
    '/openapi.json',
    '/console/assets/none.js',
    ...PAGES,
  ])('keeps browsers from guessing and framing, and names no software: %s', async (path) => {
    const { headers } = await anonymous.with({ accept: 'text/html' }).get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
    expect(headers.get('cache-control')).toBe(path === '/auth/v1/keys' ? 'public, max-age=300' : 'no-store');
    expect([...headers.keys()].filter((name) => ['x-powered-by', 'server'].includes(name))).toEqual([]);
  });

  it.each(PAGES)(
    'keeps browsers from telling others and from old habits where it is a page: %s',
    async (path) => {
      const { headers } = await anonymous.with({ accept: 'text/html' }).get(path);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-frame-options')).toBe('DENY');
    },
  );

  it.each([
    ['GET', '*health/live'],
    ['POST', '*health/live'],
    ['GET', 'ftp://localhost/health/live'],
  ])('is 404 for a target that is no path: %s %s', async (method, target) => {
    const answer = await sendRaw(service.url, rawRequest(method, target, []));
    expect([answer.status, answer.headers['x-request-id']]).toEqual([404, expect.stringMatching(MADE)]);
  });

  it('is the same for a path and for the URL of it', async () => {
    const answer = await sendRaw(service.url, rawRequest('GET', `${service.url}/health/live`, []));
    expect(answer.status).toBe(200);
  });

  it('is not to be stored, but for the JWKS and what leads to it', async () => {
    const cacheable = ['/auth/v1/keys', '/.well-known/jwks.json', '/.well-known/openid-configuration'];
    for (const { method, path } of await programRoutes()) {
      const { headers } = await anonymous.send(method, path.replaceAll(/\{\w+\}/g, 'x'));
      const expected = cacheable.includes(path) ? 'public, max-age=300' : 'no-store';
      expect([path, headers.get('cache-control')]).toEqual([path, expected]);
    }
  });

  it('is without its body when the question was HEAD', async () => {
    const owner = await signUpOwner(service.url);
    for (const { method, path, access } of await programRoutes()) {
      if (method !== 'GET') continue;
      const caller = access === 'public' ? anonymous : owner.client;
      const got = await caller.get(path.replaceAll(/\{\w+\}/g, 'x'));
      const headed = await caller.send('HEAD', path.replaceAll(/\{\w+\}/g, 'x'));
      expect([path, headed.status]).toEqual([path, got.status]);
      expect(headed.body).toBeNull();
      expect(headed.headers.get('content-type')).toBe(got.headers.get('content-type'));
    }
    expect((await anonymous.send('HEAD', '/nowhere')).status).toBe(404);
  });

  it('is sent despite an unknown expectation in the request', async () => {
    const answer = await sendRaw(service.url, rawRequest('GET', '/health/live', ['Expect: the-unexpected']));
    expect(answer.status).toBe(200);
  });

  it('is waited for a bounded time while its request does not arrive', () => {
    const { httpAdapter } = service.application.get(HttpAdapterHost<FastifyAdapter>);
    expect(httpAdapter.getInstance().server.requestTimeout).toBe(60_000);
  });

  it('of the JWKS is 304 for a client that already has it', async () => {
    const first = await anonymous.get<{ keys: Record<string, unknown>[] }>('/auth/v1/keys');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const second = await anonymous.with({ 'if-none-match': etag }).get('/auth/v1/keys');
    expect([second.status, second.body, second.headers.get('etag')]).toEqual([304, null, etag]);
    expect((await anonymous.with({ 'if-none-match': '"another"' }).get('/auth/v1/keys')).status).toBe(200);
    const privateParts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];
    expect(first.body.keys).toMatchObject([
      { kty: 'RSA', alg: 'RS256' },
      { kty: 'EC', crv: 'P-256', alg: 'ES256' },
    ]);
    for (const key of first.body.keys) {
      expect(key).toMatchObject({ use: 'sig', kid: expect.any(String) });
      expect(Object.keys(key).filter((name) => privateParts.includes(name))).toEqual([]);
    }
  });

  it.each(['list', 'weak', 'any'])(
    'of the JWKS is confirmed for an If-None-Match with a %s',
    async (kind) => {
      const etag = (await anonymous.get('/auth/v1/keys')).headers.get('etag') ?? '';
      const header = { list: `"another", ${etag}`, weak: `W/${etag}`, any: '*' }[kind] ?? '';
      expect((await anonymous.with({ 'if-none-match': header }).get('/auth/v1/keys')).status).toBe(304);
    },
  );

  it('says nothing of other origins', async () => {
    const { headers } = await anonymous.with({ origin: 'https://app.example.com' }).get('/auth/v1/keys');
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('to a trigger without a body is a run', async () => {
    const { client } = await signUpOwner(service.url);
    await environment.deploy('echo', 'export default () => Response.json({})');
    const jobs = [{ id: 'echo', name: 'Echo', handler: 'echo' }];
    expect((await client.post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    const bare = await client.send<RunBody>('POST', '/jobs/v1/jobs/echo/trigger');
    expect(bare.status).toBe(202);
    expect((await client.get<RunBody>(`/jobs/v1/runs/${bare.body.id}`)).body.payload).toEqual({});
  });

  it('to a trigger keeps a payload exactly, whatever text is in it', async () => {
    const { client } = await signUpOwner(service.url);
    await environment.deploy('echo', 'export default () => Response.json({})');
    const jobs = [{ id: 'echo', name: 'Echo', handler: 'echo' }];
    expect((await client.post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    const payload = { constructor: 1, toString: [null, { then: 'x' }], text: 'ä€😀 \u2028' };
    const { status, body } = await client.post<RunBody>('/jobs/v1/jobs/echo/trigger', { payload });
    expect(status).toBe(202);
    expect((await client.get<RunBody>(`/jobs/v1/runs/${body.id}`)).body.payload).toEqual(payload);
  });
});

describe('answers to a browser of another origin, where one is configured', () => {
  const ORIGIN = 'https://app.example.com';
  let environment: TestEnvironment;
  let service: ServiceInProcess;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_SERVER__CORS_ORIGINS: ORIGIN,
    });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('let that origin in, errors included, and show it the request id and the next page', async () => {
    for (const path of ['/auth/v1/keys', '/auth/v1/user', '/nowhere']) {
      const { headers } = await new Client(service.url, { origin: ORIGIN }).get(path);
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-expose-headers')).toBe(
        'Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
      );
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  it('allow the methods and headers of the API beforehand', async () => {
    const preflight = await new Client(service.url, {
      origin: ORIGIN,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type,x-service-org',
    }).send('OPTIONS', '/auth/v1/orgs');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-service-org');
    expect(preflight.headers.get('x-request-id')).not.toBeNull();
    expect(preflight.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('do not let another origin in', async () => {
    const { headers } = await new Client(service.url, { origin: 'https://evil.example.com' }).get(
      '/auth/v1/keys',
    );
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
