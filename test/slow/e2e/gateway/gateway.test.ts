import { addMember, makeKey } from '../../../support/api-keys.js';
import type { MadeKey } from '../../../support/api-keys.js';
import { Client, signUpOwner } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { fetch } from '../../../support/fetch.js';
import { freePort } from '../../../support/free-port.js';
import { answer, HandlerServer } from '../../../support/handler-server.js';
import { rawRequest, sendRaw } from '../../../support/raw-http.js';
import { endedRun, registerJobs, trigger } from '../../../support/runs.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { startApplication } from './application.js';
import type { Application, Echo } from './application.js';
import { startEnvoy } from './envoy.js';
import type { Gateway } from './example.js';
import { startCaddy, startNginx } from './programs.js';
import { startTraefik } from './traefik.js';

const FORGED = {
  'x-service-user-id': 'forged',
  'X-Service-Role': 'forged',
  'x-service-key-id': 'forged',
  'X-SERVICE-RUN-ID': 'forged',
  'x-service-org-id': 'forged',
  X_Service_User_Id: 'forged',
  'X-Service_Role': 'forged',
};
const IDENTITY = ['user-id', 'role', 'key-id', 'run-id', 'org-id'].map((name) => `x-service-${name}`);
const CREDENTIALS = ['authorization', 'x-api-key', 'x-service-org'];

const BEARER = 'Bearer realm="service"';

/** Statuses that differ: of a path without a permission, a method without one, a bad request, and while Service is away. */
const GATEWAYS = [
  { name: 'nginx', start: startNginx, unnamed: 500, unlisted: 500, bad: 500, away: 500 },
  { name: 'Caddy', start: startCaddy, unnamed: 400, unlisted: 400, bad: 400, away: 502 },
  { name: 'Traefik', start: startTraefik, unnamed: 404, unlisted: 404, bad: 400, away: 500 },
  { name: 'Envoy', start: startEnvoy, unnamed: 400, unlisted: 404, bad: 400, away: 503 },
];

let environment: TestEnvironment;
let handlers: HandlerServer;
let service: ServiceProcess;
let application: Application;
let owner: Awaited<ReturnType<typeof signUpOwner>>;
let member: SignedUp & { role: string };
let key: MadeKey;
let gateways: Gateway[];

beforeAll(async () => {
  [environment, handlers, application] = await Promise.all([
    createEnvironment(),
    HandlerServer.start(),
    startApplication(),
  ]);
  service = await ServiceProcess.start({ ...environment.variables, ...handlers.variables });
  const ports = { service: Number(new URL(service.url ?? '').port), application: application.port };
  gateways = await Promise.all(
    GATEWAYS.map(async ({ start }) => await start({ ...ports, gateway: await freePort() })),
  );
  owner = await signUpOwner(service.url ?? '');
  const held = ['data:orders:read', 'data:orders:create', 'data:reports:read'];
  member = await addMember(service.url ?? '', environment.database, owner.orgId, held);
  key = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
  await registerJobs(owner.client, { held: {} });
});

afterAll(async () => {
  await Promise.all(
    gateways.map(async (gateway) => {
      await gateway.stop();
    }),
  );
  application.stop();
  await service.stop();
  await handlers.stop();
  await environment.dispose();
});

beforeEach(() => {
  application.received.length = 0;
});

function keyForms(anonymous: Client): [Client, Client] {
  return [anonymous.as(key.key), anonymous.with({ 'x-api-key': key.key })];
}

describe.each(GATEWAYS)('the $name example', ({ name, unnamed, unlisted, bad }) => {
  let gateway: Gateway;
  let anonymous: Client;

  beforeAll(() => {
    gateway = gateways[GATEWAYS.findIndex((each) => each.name === name)] as Gateway;
    anonymous = new Client(gateway.url);
  });

  /** @returns the identity that the application was given; no header of identity or credentials besides */
  function identityOf({ headers }: Echo): Record<string, unknown> {
    const known = Object.entries(headers).filter(([header]) => /^x[-_]service/.test(header));
    for (const header of CREDENTIALS) expect(headers).not.toHaveProperty(header);
    return Object.fromEntries(known);
  }

  it('lets a member pass with the permission, body and query untouched, and tells the application who', async () => {
    const client = anonymous.as(member.accessToken).in(owner.slug).with(FORGED);
    const { status, body } = await client.send<Echo>('POST', '/orders/1?a=b%20c', { total: 3 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ method: 'POST', url: '/orders/1?a=b%20c', body: '{"total":3}' });
    expect(identityOf(body)).toEqual({
      'x-service-user-id': member.userId,
      'x-service-role': member.role,
      'x-service-org-id': owner.orgId,
    });
  });

  it('lets an API key pass by either header, and names the key and no user', async () => {
    for (const client of keyForms(anonymous)) {
      const { status, body } = await client.with(FORGED).get<Echo>('/orders/');
      expect(status).toBe(200);
      expect(identityOf(body)).toEqual({ 'x-service-key-id': key.id, 'x-service-org-id': owner.orgId });
    }
  });

  it('lets the handler of a run pass by its token, and names the run and no user', async () => {
    const released: (() => void)[] = [];
    handlers.on('held', (response, nth, call) => {
      released.push(() => {
        answer(200, {})(response, nth, call);
      });
    });
    const { id } = await trigger(owner.client, 'held');
    await until(() => handlers.callsOf(id).length === 1);
    const { authorization = '' } = handlers.callsOf(id)[0]?.headers ?? {};
    const { status, body } = await anonymous.with({ ...FORGED, authorization }).get<Echo>('/orders/');
    for (const release of released) release();
    expect(status).toBe(200);
    expect(identityOf(body)).toEqual({ 'x-service-run-id': id, 'x-service-org-id': owner.orgId });
    await endedRun(owner.client, id);
  });

  it('gives the application the identity of the gate where its client sends one twice, or names it in Connection', async () => {
    const credentials = `Authorization: Bearer ${member.accessToken}`;
    const forged = IDENTITY.flatMap((header) => [`${header}: forged`, `${header}: forged too`]);
    const named = `Connection: ${IDENTITY.join(', ')}`;
    for (const headers of [forged, [named], [...forged, named]]) {
      const request = rawRequest('GET', '/orders/1', [credentials, ...headers]);
      expect((await sendRaw(gateway.url, request)).status).toBe(200);
      expect(identityOf(application.received.at(-1) as Echo)).toEqual({
        'x-service-user-id': member.userId,
        'x-service-role': member.role,
        'x-service-org-id': owner.orgId,
      });
    }
  });

  it('passes and refuses as the permission of path and method says', async () => {
    const client = anonymous.as(member.accessToken);
    const [byBearer, byHeader] = keyForms(anonymous);
    const expectations: [Client, string, string, number][] = [
      [client, 'GET', '/orders/1', 200],
      [client, 'HEAD', '/orders/1', 200],
      [client, 'POST', '/orders/', 200],
      [client, 'PUT', '/orders/1', 403],
      [client, 'PATCH', '/orders/1', 403],
      [client, 'DELETE', '/orders/1', 403],
      [client, 'GET', '/reports/', 200],
      [client, 'POST', '/reports/', 200],
      [byBearer, 'GET', '/orders/1', 200],
      [byHeader, 'POST', '/orders/', 403],
      [byBearer, 'GET', '/reports/', 403],
      [anonymous.as(owner.accessToken), 'DELETE', '/orders/1', 200],
    ];
    for (const [caller, method, path, status] of expectations) {
      const before = application.received.length;
      const response = await fetch(`${gateway.url}${path}`, { method, headers: caller.headers });
      await response.text();
      expect([method, path, response.status]).toEqual([method, path, status]);
      expect(application.received.length).toBe(status === 200 ? before + 1 : before);
    }
  });

  it('answers 401 with a challenge and 403, in the error body, and never asks the application', async () => {
    const stranger = await signUpOwner(service.url ?? '');
    const invalid = `${BEARER}, error="invalid_token"`;
    const expectations: [Client, number, string | null][] = [
      [anonymous, 401, BEARER],
      [anonymous.as('x'), 401, invalid],
      [anonymous.with({ 'x-api-key': 'svc_x' }), 401, invalid],
      [anonymous.with(FORGED), 401, BEARER],
      [anonymous.as(stranger.accessToken).in(owner.slug), 403, null],
      [anonymous.as(key.key).in(stranger.slug), 403, null],
    ];
    for (const [client, status, challenge] of expectations) {
      const answered = await client.get('/orders/1');
      expect(answered).toMatchObject({
        status,
        body: { error: { code: expect.any(String) as string, status } },
      });
      const challenged = answered.headers.get('www-authenticate');
      expect(challenged?.replace(/, error_description=.*/, '') ?? null).toBe(challenge);
    }
    expect(application.received).toEqual([]);
  });

  it('admits no request without a permission, and none that the gate calls a bad request', async () => {
    const client = anonymous.as(owner.accessToken);
    expect((await client.get('/unfinished/1')).status).toBe(unnamed);
    expect((await client.send('OPTIONS', '/orders/1')).status).toBe(unlisted);
    expect((await client.with({ 'x-api-key': key.key }).get('/orders/1')).status).toBe(bad);
    expect(application.received).toEqual([]);
  });

  it('does not let its client say what it asks the gate', async () => {
    const client = anonymous.as(key.key);
    const asked = '?permission=data:orders:read&status=200';
    expect((await client.get(`/reports/1${asked}`)).status).toBe(403);
    expect((await client.send('DELETE', `/orders/1${asked}`)).status).toBe(403);
    expect(application.received).toEqual([]);
  });

  it('refuses a key at once when it is revoked', async () => {
    const doomed = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
    const client = anonymous.with({ 'x-api-key': doomed.key });
    expect((await client.get('/orders/')).status).toBe(200);
    await owner.client.send('DELETE', `/auth/v1/orgs/${owner.slug}/api-keys/${doomed.id}`);
    expect((await client.get('/orders/')).status).toBe(401);
  });
});

it('nginx logs what the gate answered where it could not decide, and keeps the path of its sub-request to itself', async () => {
  const [nginx] = gateways as [Gateway];
  const client = new Client(nginx.url).as(owner.accessToken);
  expect(await client.get('/unfinished/1')).toMatchObject({
    status: 500,
    body: { error: { code: 'internal_error', status: 500 } },
  });
  await until(() => nginx.log.includes('auth request unexpected status: 400'));
  for (const path of ['/_gate', '/_gate?permission=data:orders:read']) {
    expect((await client.get(path)).status).toBe(404);
  }
});

describe('while Service does not answer', () => {
  beforeAll(async () => {
    await service.stop();
  });

  it.each(GATEWAYS)('the $name example admits no request', async ({ name, away }) => {
    const { url } = gateways[GATEWAYS.findIndex((each) => each.name === name)] as Gateway;
    const anonymous = new Client(url);
    for (const client of [anonymous, anonymous.as(owner.accessToken), ...keyForms(anonymous)]) {
      expect((await client.with(FORGED).get('/orders/1')).status).toBe(away);
    }
    expect(application.received).toEqual([]);
  });
});
