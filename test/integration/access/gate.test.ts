import { METHODS } from 'node:http';
import { addMember } from '../../support/api-keys.js';
import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import type { RawAnswer } from '../../support/raw-http.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const ORIGIN = 'https://app.example.com';
const GATE = '/auth/v1/gate?permission=data:orders:read';
const READ = '/auth/v1/gate/data:orders:read';
const WRITE = '/auth/v1/gate/data:orders:write';
/** CONNECT asks for a tunnel, which is not made here. */
const ANY = METHODS.filter((method) => method !== 'CONNECT');

/** What a proxy sends of its client's request, byte by byte. */
describe('the gate, asked by a proxy in the words of its client', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let member: Awaited<ReturnType<typeof addMember>>;
  let orgId: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_SERVER__CORS_ORIGINS: ORIGIN,
    });
    const owner = await signUpOwner(service.url);
    ({ orgId } = owner);
    member = await addMember(service.url, environment.database, orgId, ['data:*:read']);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function ask(
    method: string,
    path: string,
    headers: readonly string[] = [],
    body: string | Buffer = '',
  ): Promise<RawAnswer> {
    const credentials = `Authorization: Bearer ${member.accessToken}`;
    return await sendRaw(service.url, rawRequest(method, path, [credentials, ...headers], body));
  }

  it.each([GATE, `${READ}/orders/1?a=b`])('answers any method, and says who is calling: %s', async (path) => {
    const passing = path === GATE ? 204 : 200;
    for (const method of ANY) {
      const { status, headers, text } = await ask(method, path);
      expect([method, status, text]).toEqual([method, passing, '']);
      expect(headers).toMatchObject({ 'x-service-user-id': member.userId, 'x-service-org-id': orgId });
    }
  });

  it.each([GATE, `${READ}/orders/1`])('refuses strangers by any method: %s', async (path) => {
    for (const method of ANY) {
      const { status } = await sendRaw(service.url, rawRequest(method, path));
      expect([method, status]).toEqual([method, 401]);
    }
  });

  it('refuses callers without the permission, whatever the method', async () => {
    for (const method of ANY) {
      const answers = [
        await ask(method, GATE.replace('read', 'write')),
        await ask(method, `${WRITE}/orders/1`),
      ];
      expect([method, answers.map(({ status }) => status)]).toEqual([method, [403, 403]]);
    }
  });

  it('takes no OPTIONS for a preflight of its own, where browsers of another origin may call', async () => {
    const preflight = [`Origin: ${ORIGIN}`, 'Access-Control-Request-Method: DELETE'];
    for (const path of [GATE, `${READ}/orders/1`]) {
      const { status, headers } = await sendRaw(service.url, rawRequest('OPTIONS', path, preflight));
      expect([path, status, headers['access-control-allow-origin']]).toEqual([path, 401, undefined]);
    }
  });

  it.each([
    ['of a type that is not JSON', ['Content-Type: text/csv'], 'a,b'],
    ['of a malformed type', ['Content-Type: ,;'], 'a,b'],
    ['of no type', [], 'a,b'],
    ['that is no JSON', ['Content-Type: application/json'], '{'],
    ['in chunks', ['Content-Type: application/json', 'Transfer-Encoding: chunked'], '1\r\n{\r\n0\r\n\r\n'],
    ['larger than any that is taken', ['Content-Type: application/json'], Buffer.alloc(8 * 1024 * 1024)],
    ['that never comes', ['Content-Type: application/json', 'Content-Length: 100'], ''],
  ])('reads no body: one %s', async (_case, headers, body) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'GET']) {
      expect([method, (await ask(method, GATE, headers, body)).status]).toEqual([method, 204]);
      expect([method, (await ask(method, `${READ}/orders`, headers, body)).status]).toEqual([method, 200]);
    }
  });

  it('answers with 200 whom it lets pass where it is asked to, and refuses as ever', async () => {
    expect((await ask('GET', `${GATE}&status=200`)).status).toBe(200);
    expect((await ask('POST', `${GATE}&status=204`)).status).toBe(204);
    expect((await ask('GET', `${GATE.replace('read', 'write')}&status=200`)).status).toBe(403);
    for (const status of ['status=201', 'status=', 'status=200&status=204'])
      expect([status, (await ask('GET', `${GATE}&${status}`)).status]).toEqual([status, 400]);
  });

  it('makes Envoy remove the identity headers that the caller does not have', async () => {
    for (const path of [`${GATE}&status=200`, `${READ}/orders/1`]) {
      const { headers } = await ask('GET', path);
      expect(headers['x-envoy-auth-headers-to-remove']).toBe('x-service-key-id,x-service-run-id');
    }
    expect((await ask('GET', GATE)).headers).not.toHaveProperty('x-envoy-auth-headers-to-remove');
  });

  it.each([
    '/',
    '/orders/1',
    '/orders//1/',
    '/orders/%2e%2e/..%2f%252e',
    `/${'long/'.repeat(400)}`,
    '/orders?permission=data:orders:write&status=204&permission=*',
  ])('looks at nothing that follows the permission in the path: %s', async (rest) => {
    expect((await ask('GET', `${READ}${rest}`)).status).toBe(200);
    expect((await ask('GET', `${WRITE}${rest}`)).status).toBe(403);
  });

  it.each([
    '/../data:orders:read/1',
    '/../../gate/data:orders:read/1',
    '/..%2fdata:orders:read%2f1',
    '/orders?permission=data:orders:read',
    '//auth/v1/gate/data:orders:read/1',
  ])('is not led to another permission by what its client asks for: %s', async (rest) => {
    expect((await ask('GET', `${WRITE}${rest}`)).status).toBe(403);
  });

  it.each(['*', 'data:*:read', 'data:orders', 'data:orders:read%0d%0a', '%zz'])(
    'refuses an invalid permission in the path with 400: %s',
    async (permission) => {
      expect((await ask('GET', `/auth/v1/gate/${permission}/orders/1`)).status).toBe(400);
    },
  );

  it('knows no path that ends with the permission, to which a prefix and a path never come', async () => {
    expect((await ask('GET', READ)).status).toBe(404);
  });
});
