import { addMember, makeKey } from '../../../support/api-keys.js';
import { Client, signUp, signUpOwner } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { CountingProxy } from '../../support/counting-proxy.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';
import { ExampleProcess } from './example-process.js';

const KEYS = 'GET /auth/v1/keys';
const CHECK = 'POST /auth/v1/permissions/check';

describe('the Express example', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let proxy: CountingProxy;
  let example: ExampleProcess;
  let owner: SignedUp & { orgId: string; slug: string };
  let reader: SignedUp & { role: string };

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    proxy = await CountingProxy.before(service.url);
    example = await ExampleProcess.start('express-orders', 'server.mjs', ['express'], {
      SERVICE_URL: proxy.url,
    });
    owner = await signUpOwner(service.url);
    reader = await addMember(service.url, environment.database, owner.orgId, ['data:*:read']);
  });

  afterAll(async () => {
    await example.stop();
    await proxy.stop();
    await service.stop();
    await environment.dispose();
  });

  beforeEach(() => {
    proxy.take();
  });

  /** The example, called with these credentials in the owner's organization. */
  function orders(headers: Readonly<Record<string, string>> = {}): Client {
    return new Client(example.url ?? '', { 'x-service-org': owner.orgId, ...headers });
  }

  it('knows who calls by the token itself: the service is asked for its keys, once', async () => {
    for (const { accessToken, email } of [owner, reader, owner]) {
      expect((await orders().as(accessToken).get('/me')).body).toMatchObject({ email });
    }
    expect(proxy.take()).toEqual([KEYS]);
    expect((await orders().as(owner.accessToken).get('/me')).status).toBe(200);
    expect(proxy.take()).toEqual([]);
  });

  it('admits and refuses as the role says, and asks once for each question', async () => {
    const [asOwner, asReader] = [orders().as(owner.accessToken), orders().as(reader.accessToken)];
    expect((await asOwner.post('/orders', { item: 'tea' })).status).toBe(201);
    expect((await asOwner.post('/orders')).status).toBe(400);
    expect((await asReader.get('/orders')).body).toEqual([{ id: 1, item: 'tea' }]);
    const refused = await asReader.post('/orders', { item: 'coffee' });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
    expect(proxy.take()).toEqual([CHECK, CHECK, CHECK]);
    await Promise.all([1, 2, 3].map(() => asReader.get('/orders')));
    expect(proxy.take()).toEqual([]);
  });

  it('refuses callers without a valid token without asking the service', async () => {
    const [head, claims] = owner.accessToken.split('.');
    for (const client of [
      orders(),
      orders().as('nonsense'),
      orders().as(`${head ?? ''}.${claims ?? ''}.AAAA`),
    ]) {
      expect((await client.get('/orders')).status).toBe(401);
    }
    expect(proxy.take()).toEqual([]);
  });

  it('shows an organization nothing of another, whichever way a request names it', async () => {
    const stranger = await signUp(service.url);
    expect((await orders().as(stranger.accessToken).get('/orders')).status).toBe(403);
    for (const org of [owner.orgId, owner.slug])
      expect((await orders({ 'x-service-org': org }).as(owner.accessToken).get('/orders')).body).toEqual([
        { id: 1, item: 'tea' },
      ]);
    const other = await signUpOwner(service.url);
    expect((await orders({ 'x-service-org': other.slug }).as(other.accessToken).get('/orders')).body).toEqual(
      [],
    );
  });

  it('takes API keys, as far as they reach', async () => {
    const { key } = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
    const program = orders({ 'x-api-key': key });
    expect((await program.get('/orders')).status).toBe(200);
    expect((await program.post('/orders', { item: 'tea' })).status).toBe(403);
  });

  it('follows a role that is changed', async () => {
    const path = `/auth/v1/orgs/${owner.orgId}/roles/${reader.role}`;
    expect((await owner.client.send('PATCH', path, { permissions: ['data:invoices:read'] })).status).toBe(
      200,
    );
    const asReader = orders().as(reader.accessToken);
    await until(async () => (await asReader.get('/orders')).status === 403);
  });
});
