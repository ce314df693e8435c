import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addMember, makeKey } from '../../support/api-keys.js';
import type { MadeKey } from '../../support/api-keys.js';
import { Client, signUpOwner } from '../../support/client.js';
import type { SignedUp } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { Gateway } from './nginx.js';

interface Echo {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const FORGED = {
  'x-service-user-id': 'forged',
  'x-service-role': 'owner',
  'x-service-key-id': 'forged',
  'x-service-run-id': 'forged',
  'x-service-org-id': 'forged',
  X_Service_User_Id: 'forged',
};

const BEARER = 'Bearer realm="service"';

/** An application that tells what it was asked. */
async function startApplication(): Promise<{ server: Server; received: Echo[] }> {
  const received: Echo[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(received.at(-1)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, received };
}

describe('the nginx example', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let application: Awaited<ReturnType<typeof startApplication>>;
  let gateway: Gateway;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let member: SignedUp & { role: string };
  let key: MadeKey;
  let anonymous: Client;

  beforeAll(async () => {
    [environment, application] = await Promise.all([createEnvironment(), startApplication()]);
    service = await ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    const { port } = application.server.address() as AddressInfo;
    gateway = await Gateway.start({
      service: new URL(service.url ?? '').host,
      application: `127.0.0.1:${port}`,
    });
    anonymous = new Client(gateway.url);
    owner = await signUpOwner(service.url ?? '');
    const held = ['data:orders:read', 'data:orders:create', 'data:reports:read'];
    member = await addMember(service.url ?? '', environment.database, owner.orgId, held);
    key = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
  }, 120_000);

  afterAll(async () => {
    await gateway.stop();
    application.server.closeAllConnections();
    application.server.close();
    await service.stop();
    await environment.dispose();
  });

  beforeEach(() => {
    application.received.length = 0;
  });

  function keyForms(): Client[] {
    return [anonymous.as(key.key), anonymous.with({ 'x-api-key': key.key })];
  }

  it('lets a member pass with the permission, body and query untouched, and tells the application who', async () => {
    const client = anonymous.as(member.accessToken).in(owner.slug).with(FORGED);
    const { status, body } = await client.send<Echo>('POST', '/orders/1?a=b%20c', { total: 3 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ method: 'POST', url: '/orders/1?a=b%20c', body: '{"total":3}' });
    expect(body.headers).toMatchObject({
      'x-service-user-id': member.userId,
      'x-service-role': member.role,
      'x-service-org-id': owner.orgId,
    });
    for (const name of [
      'x-service-key-id',
      'x_service_user_id',
      'authorization',
      'x-api-key',
      'x-service-org',
    ]) {
      expect(body.headers).not.toHaveProperty(name);
    }
    expect(JSON.stringify(application.received)).not.toContain('forged');
  });

  it('lets an API key pass by either header, and names the key and no user', async () => {
    for (const client of keyForms()) {
      const { status, body } = await client.with(FORGED).get<Echo>('/orders/');
      expect(status).toBe(200);
      expect(body.headers).toMatchObject({ 'x-service-key-id': key.id, 'x-service-org-id': owner.orgId });
      for (const name of ['x-service-user-id', 'x-service-role', 'authorization', 'x-api-key']) {
        expect(body.headers).not.toHaveProperty(name);
      }
    }
    expect(JSON.stringify(application.received)).not.toContain('forged');
  });

  it('passes and refuses as the permission of path and method says', async () => {
    const client = anonymous.as(member.accessToken);
    const [byBearer, byHeader] = keyForms() as [Client, Client];
    const expectations: [Client, string, string, number][] = [
      [client, 'GET', '/orders/1', 200],
      [client, 'HEAD', '/orders/1', 200],
      [client, 'POST', '/orders/', 200],
      [client, 'PATCH', '/orders/1', 403],
      [client, 'DELETE', '/orders/1', 403],
      [client, 'GET', '/reports/', 200],
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
    const expectations: [Client, number, string, string | null][] = [
      [anonymous, 401, 'unauthenticated', BEARER],
      [anonymous.as('x'), 401, 'unauthenticated', `${BEARER}, error="invalid_token"`],
      [anonymous.with({ 'x-api-key': 'svc_x' }), 401, 'unauthenticated', `${BEARER}, error="invalid_token"`],
      [anonymous.with(FORGED), 401, 'unauthenticated', BEARER],
      [anonymous.as(stranger.accessToken).in(owner.slug), 403, 'permission_denied', null],
      [anonymous.as(key.key).in(stranger.slug), 403, 'permission_denied', null],
    ];
    for (const [client, status, code, challenge] of expectations) {
      const answer = await client.get('/orders/1');
      expect(answer).toMatchObject({ status, body: { error: { code, status } } });
      expect(answer.headers.get('www-authenticate')?.replace(/, error_description=.*/, '') ?? null).toBe(
        challenge,
      );
    }
    expect(application.received).toEqual([]);
  });

  it('fails closed and loudly where no permission is named, and for what the gate calls a bad request', async () => {
    const client = anonymous.as(owner.accessToken);
    for (const answer of [
      await client.get('/unfinished/1'),
      await client.send('OPTIONS', '/orders/1'),
      await client.with({ 'x-api-key': key.key }).get('/orders/1'),
    ]) {
      expect(answer).toMatchObject({ status: 500, body: { error: { code: 'internal_error', status: 500 } } });
    }
    expect(application.received).toEqual([]);
    await until(() => gateway.log.includes('auth request unexpected status: 400'));
  });

  it('keeps its own paths to itself', async () => {
    for (const path of ['/_gate', '/_gate?permission=data:orders:read']) {
      const { status } = await anonymous.as(owner.accessToken).get(path);
      expect(status).toBe(404);
    }
  });

  it('refuses a key at once when it is revoked', async () => {
    const doomed = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
    const client = anonymous.with({ 'x-api-key': doomed.key });
    expect((await client.get('/orders/')).status).toBe(200);
    await owner.client.send('DELETE', `/auth/v1/orgs/${owner.slug}/api-keys/${doomed.id}`);
    expect((await client.get('/orders/')).status).toBe(401);
  });

  it('lets nobody pass while Service does not answer', async () => {
    await service.stop();
    for (const client of [anonymous, anonymous.as(owner.accessToken), ...keyForms()]) {
      expect(await client.get('/orders/1')).toMatchObject({
        status: 500,
        body: { error: { code: 'internal_error' } },
      });
    }
    expect(application.received).toEqual([]);
  });
});
