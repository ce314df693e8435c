import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { addMember, makeKey } from '../../support/api-keys.js';
import type { MadeKey } from '../../support/api-keys.js';
import { Client, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { atInstant, stopExpiry } from '../../support/clocks.js';
import { until } from '../../support/until.js';
import { formatApiKey, makeApiKey } from '../../../src/keys/api-keys/api-key-format.js';

const INVALID = { status: 401, body: { error: { code: 'invalid_api_key', status: 401 } } };

describe('a request with an API key', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let anonymous: Client;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let made: MadeKey;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    anonymous = new Client(service.url);
    owner = await signUpOwner(service.url);
    made = await makeKey(owner.client, owner.orgId, ['data:orders:read', 'auth:keys:*']);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('acts for the organization of the key, by either header, with the organization named or not', async () => {
    const bearer = anonymous.as(made.key);
    const header = anonymous.with({ 'x-api-key': made.key });
    for (const client of [bearer, header, bearer.in(owner.slug), header.in(owner.orgId)]) {
      const { status, body } = await client.get('/auth/v1/permissions');
      expect(status).toBe(200);
      expect(body).toEqual({
        org: { id: owner.orgId, slug: owner.slug, name: 'An organization' },
        role: null,
        permissions: ['data:orders:read', 'auth:keys:*'],
      });
    }
  });

  it('is refused in another organization, by header and by path', async () => {
    const other = await signUpOwner(service.url);
    const client = anonymous.as(made.key);
    for (const answer of [
      await client.in(other.slug).get('/auth/v1/permissions'),
      await client.in('no-such-organization').get('/auth/v1/permissions'),
      await client.get(`/auth/v1/orgs/${other.orgId}/api-keys`),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'not_a_member' } } });
    }
    expect(await client.in(owner.slug).get(`/auth/v1/orgs/${other.slug}/api-keys`)).toMatchObject({
      status: 400,
      body: { error: { code: 'org_mismatch' } },
    });
  });

  it('cannot do what needs a user', async () => {
    const client = anonymous.as((await makeKey(owner.client, owner.orgId, ['*'])).key);
    for (const [method, path, body] of [
      ['GET', '/auth/v1/user'],
      ['GET', '/auth/v1/orgs'],
      ['POST', '/auth/v1/orgs', { slug: 'made-by-a-key', name: 'Made by a key' }],
    ] as const) {
      expect(await client.send(method, path, body)).toMatchObject({
        status: 403,
        body: { error: { code: 'user_required' } },
      });
    }
  });

  it('is refused with credentials in both headers, even valid ones', async () => {
    for (const token of [made.key, owner.accessToken, 'x']) {
      const both = anonymous.as(token).with({ 'x-api-key': made.key });
      expect(await both.get('/auth/v1/permissions')).toMatchObject({
        status: 400,
        body: { error: { code: 'repeated_header' } },
      });
    }
  });

  it('is refused with the header twice', async () => {
    const sent = request(`${service.url}/auth/v1/permissions`, {
      headers: { 'x-api-key': [made.key, made.key] },
    });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(400);
  });

  it('is refused alike for a malformed, unknown, guessed or foreign secret, and counted', async () => {
    const last = made.key.at(-1) === '0' ? '1' : '0';
    const refused = async (): Promise<number> => {
      const { body } = await anonymous.get<string>('/metrics');
      const counter = /^service_auth_events_total\{event="token_check",outcome="invalid_api_key"\} (\d+)$/m;
      return Number(counter.exec(body)?.[1] ?? 0);
    };
    const before = await refused();
    const presented = [
      'svc_',
      made.key.slice(0, -1),
      made.key.slice(0, -1) + last,
      made.key.toLowerCase(),
      `${made.key} and more`,
      makeApiKey().key,
      formatApiKey(made.id, Buffer.alloc(32)),
    ];
    const bodies: unknown[] = [];
    for (const key of presented) {
      for (const client of [anonymous.as(key), anonymous.with({ 'x-api-key': key })]) {
        const answer = await client.get('/auth/v1/permissions');
        expect(answer).toMatchObject(INVALID);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
        bodies.push(answer.body);
      }
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(await refused()).toBe(before + presented.length * 2);
    expect(await anonymous.with({ 'x-api-key': '' }).get('/auth/v1/permissions')).toMatchObject(INVALID);
  });

  it('asks no database when the checksum is wrong, nor twice for an unknown id', async () => {
    const altered = made.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    // The uses of keys in earlier tests are noted half a second later, by no request.
    const statements = async (client: Client): Promise<string[]> => {
      const all = await service.statementsOf(() => client.get('/auth/v1/permissions'));
      return all.filter((sql) => !sql.includes('SET last_used_at'));
    };
    await service.hearOfChanges();
    expect(await statements(anonymous.as(altered))).toEqual([]);
    const unknown = anonymous.as(makeApiKey().key);
    expect((await statements(unknown)).filter((sql) => sql.includes('api_keys'))).toHaveLength(1);
    expect(await statements(unknown)).toEqual([]);
  });

  it('is refused from the instant that the key expires, although it was warm', async () => {
    const expiresAt = Date.now() + 3_600_000;
    const key = await makeKey(owner.client, owner.orgId, ['*'], {
      expires_at: new Date(expiresAt).toISOString(),
    });
    const client = anonymous.as(key.key);
    const statusAt = async (instant: number): Promise<number> =>
      (await atInstant(service, new Date(instant), () => client.get('/auth/v1/permissions'))).status;
    expect(await statusAt(expiresAt - 1)).toBe(200);
    expect(await statusAt(expiresAt)).toBe(401);
  });

  it('goes on after the maker of the key has left', async () => {
    const maker = await addMember(service.url, environment.database, owner.orgId, ['*']);
    const key = await makeKey(maker.client, owner.orgId, ['data:orders:read']);
    await environment.database.query('DELETE FROM users WHERE id = $1', [maker.userId]);
    expect((await anonymous.as(key.key).get('/auth/v1/permissions')).status).toBe(200);
    const listed = await owner.client.get<MadeKey[]>(`/auth/v1/orgs/${owner.orgId}/api-keys`);
    expect(listed.body.find(({ id }) => id === key.id)?.created_by).toBe(maker.userId);
  });

  it('ends with its organization', async () => {
    const doomed = await signUpOwner(service.url);
    const client = anonymous.as((await makeKey(doomed.client, doomed.orgId, ['*'])).key);
    expect((await client.get('/auth/v1/permissions')).status).toBe(200);
    const clock = stopExpiry();
    await environment.database.query('DELETE FROM organizations WHERE id = $1', [doomed.orgId]);
    await environment.database.query(`SELECT pg_notify('service_changes', $1)`, [
      `organization:${doomed.orgId}`,
    ]);
    await until(async () => (await client.get('/auth/v1/permissions')).status === 401);
    clock.mockRestore();
  });
});
