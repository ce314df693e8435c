import { refusalsOf } from '../../../support/audit.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { PROMPTLY_MS } from '../../promptly.js';

const ADMIN_TOKEN = 'the-operator-of-this-deployment';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

interface UserBody {
  id: string;
  email: string;
  disabled: boolean;
  disabled_at: string | null;
}

describe("the operator's endpoints", () => {
  let environment: TestEnvironment;
  let services: ServiceProcess[];
  let [first, second, withoutToken] = ['', '', ''];
  let operator: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    const variables = { ...environment.variables, SERVICE_ADMIN__TOKEN: ADMIN_TOKEN };
    services = await Promise.all([
      ServiceProcess.start(variables),
      ServiceProcess.start(variables),
      ServiceProcess.start(environment.variables),
    ]);
    [first = '', second = '', withoutToken = ''] = services.map((service) => service.url ?? '');
    operator = new Client(first).as(ADMIN_TOKEN);
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await environment.dispose();
  });

  const entriesOf = (action: string): Promise<Record<string, unknown>[]> =>
    environment.database.query(
      'SELECT actor_type, actor_id, user_id, ip, details FROM audit_entries WHERE action = $1 ORDER BY id',
      [action],
    );

  it.each([
    ['GET', '/admin/v1/users'],
    ['GET', `/admin/v1/users/${UNKNOWN_ID}`],
    ['PATCH', `/admin/v1/users/${UNKNOWN_ID}`],
    ['GET', `/admin/v1/users/${UNKNOWN_ID}/sessions`],
    ['DELETE', `/admin/v1/users/${UNKNOWN_ID}/sessions`],
    ['DELETE', `/admin/v1/users/${UNKNOWN_ID}/sessions/${UNKNOWN_ID}`],
    ['GET', '/admin/v1/orgs'],
    ['GET', '/admin/v1/signing-keys'],
    ['POST', '/admin/v1/signing-keys/rotate'],
  ])('refuse %s %s without the token, on record when a wrong one came', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const before = await refusalsOf(environment.database, 'operator.token_refused');
    const { accessToken } = await signUp(first);
    for (const client of [
      new Client(first),
      new Client(first).as('wrong'),
      new Client(first).as(accessToken),
    ]) {
      const { status, body: answer } = await client.send(method, path, body);
      expect([status, answer]).toEqual([
        401,
        { error: expect.objectContaining({ code: 'invalid_admin_token', status: 401 }) },
      ]);
    }
    expect(await refusalsOf(environment.database, 'operator.token_refused')).toBe(before + 2);
    const hidden = await new Client(withoutToken).as(ADMIN_TOKEN).send(method, path, body);
    expect(hidden.status).toBe(404);
    const metrics = await new Client(first).get<string>('/metrics');
    expect(metrics.body).toMatch(
      /service_auth_events_total\{event="operator_token_check",outcome="invalid_admin_token"\} [1-9]/,
    );
  });

  it('does not exist without the token, except that an access token that no longer verifies gets 401', async () => {
    const { accessToken } = await signUp(withoutToken);
    const expired = `${accessToken.slice(0, -8)}AAAAAAAA`;
    const statusOf = async (token: string): Promise<number> =>
      (await new Client(withoutToken).as(token).get('/admin/v1/users')).status;
    expect([await statusOf(accessToken), await statusOf('wrong'), await statusOf(expired)]).toEqual([
      404, 404, 401,
    ]);
  });

  it('lists users newest first, finds them by how their address begins, and pages', async () => {
    const emails = ['a_b-1@search.example.com', 'a_b-2@search.example.com', 'axb-3@search.example.com'];
    for (const email of emails) await signUp(first, email);
    const search = async (email: string): Promise<string[]> =>
      (await operator.get<UserBody[]>(`/admin/v1/users?email=${encodeURIComponent(email)}`)).body.map(
        (user) => user.email,
      );
    expect(await search('A_B-1@search.example.com')).toEqual([emails[0]]);
    // The underscore is no wildcard.
    expect(await search('a_b')).toEqual([emails[1], emails[0]]);
    expect(await search('%')).toEqual([]);
    const page = await operator.get<UserBody[]>('/admin/v1/users?limit=1&email=a_b');
    expect(page.body.map(({ email }) => email)).toEqual([emails[1]]);
    const link = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await operator.get<UserBody[]>(link);
    expect(rest.body.map(({ email }) => email)).toEqual([emails[0]]);
    expect(rest.headers.get('link')).toBeNull();
    for (const query of ['limit=0', 'cursor=x', 'email=', 'colour=red'])
      expect((await operator.get(`/admin/v1/users?${query}`)).status).toBe(400);
  });

  it('shows one user, and 404 for an unknown one', async () => {
    const { userId, email } = await signUp(first);
    const { status, body } = await operator.get<UserBody>(`/admin/v1/users/${userId}`);
    expect([status, body]).toEqual([
      200,
      {
        id: userId,
        email,
        email_verified: false,
        metadata: {},
        created_at: expect.any(String),
        disabled: false,
        disabled_at: null,
        has_password: true,
      },
    ]);
    for (const id of [UNKNOWN_ID, 'nobody']) {
      for (const answer of [
        await operator.get(`/admin/v1/users/${id}`),
        await operator.send('PATCH', `/admin/v1/users/${id}`, { disabled: true }),
      ])
        expect([answer.status, answer.body]).toEqual([
          404,
          { error: expect.objectContaining({ code: 'user_not_found' }) },
        ]);
    }
  });

  it('shuts a disabled user out everywhere within a second, and lets an enabled one in again', async () => {
    const user = await signUp(first);
    const elsewhere = new Client(second).as(user.accessToken);
    expect((await user.client.get('/auth/v1/orgs')).status).toBe(200);
    expect((await elsewhere.get('/auth/v1/orgs')).status).toBe(200);

    const path = `/admin/v1/users/${user.userId}`;
    const { status, body } = await operator.send<UserBody>('PATCH', path, { disabled: true });
    const answeredAt = Date.now();
    expect([status, body.disabled, body.disabled_at]).toEqual([200, true, expect.any(String)]);
    expect((await user.client.get('/auth/v1/orgs')).status).toBe(401);
    await until(async () => (await elsewhere.get('/auth/v1/orgs')).status === 401, PROMPTLY_MS);
    expect(Date.now() - answeredAt).toBeLessThan(PROMPTLY_MS);

    const credentials = { email: user.email, password: PASSWORD };
    for (const url of [first, second]) {
      const anonymous = new Client(url);
      const signIn = await anonymous.post('/auth/v1/token?grant_type=password', credentials);
      expect([signIn.status, signIn.body]).toEqual([
        401,
        { error: expect.objectContaining({ code: 'invalid_credentials' }) },
      ]);
      const refresh = await anonymous.post('/auth/v1/token?grant_type=refresh_token', {
        refresh_token: user.refreshToken,
      });
      expect(refresh.status).toBe(401);
    }

    // Said twice it is done once.
    const again = await operator.send<UserBody>('PATCH', path, { disabled: true });
    expect(again.body).toEqual(body);
    const enabled = await operator.send<UserBody>('PATCH', path, { disabled: false });
    expect([enabled.body.disabled, enabled.body.disabled_at]).toEqual([false, null]);
    expect((await new Client(second).post('/auth/v1/token?grant_type=password', credentials)).status).toBe(
      200,
    );
    const refresh = await new Client(first).post('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: user.refreshToken,
    });
    expect(refresh.status).toBe(401);

    const ofUser = (entries: Record<string, unknown>[]): Record<string, unknown>[] =>
      entries.filter((entry) => entry.user_id === user.userId);
    const operatorActed = { actor_type: 'operator', actor_id: null, ip: '127.0.0.1' };
    expect(ofUser(await entriesOf('user.disabled'))).toEqual([
      expect.objectContaining({ ...operatorActed, details: { sessions_revoked: 1 } }),
    ]);
    expect(ofUser(await entriesOf('user.enabled'))).toEqual([expect.objectContaining(operatorActed)]);
  });

  it.each([[{}], [{ disabled: 'yes' }], [{ disabled: true, email: 'x@example.com' }]])(
    'refuse to change a user by %j',
    async (body) => {
      const { userId } = await signUp(first);
      const answer = await operator.send('PATCH', `/admin/v1/users/${userId}`, body);
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: expect.objectContaining({ code: 'validation_failed' }) },
      ]);
    },
  );

  it('mint no token for a refresh that races with disabling', async () => {
    for (let round = 0; round < 20; round += 1) {
      const user = await signUp(round % 2 === 0 ? first : second);
      const anonymous = new Client(second);
      const [, refreshed] = await Promise.all([
        operator.send('PATCH', `/admin/v1/users/${user.userId}`, { disabled: true }),
        anonymous.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: user.refreshToken }),
      ]);
      const token = refreshed.body.refresh_token ?? user.refreshToken;
      const later = await anonymous.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: token });
      expect(later.status).toBe(401);
    }
  });

  it('list organizations with their members, newest first', async () => {
    const [older, newer] = [await signUpOwner(first), await signUpOwner(second)];
    const { status, body } = await operator.get<{ id: string; members: number }[]>('/admin/v1/orgs?limit=2');
    expect([status, body]).toEqual([
      200,
      [newer, older].map(({ orgId, slug }) => ({
        id: orgId,
        slug,
        name: 'An organization',
        created_at: expect.any(String),
        require_second_factor: false,
        members: 1,
      })),
    ]);
    const page = await operator.get<{ id: string }[]>('/admin/v1/orgs?limit=1');
    const link = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await operator.get<{ id: string }[]>(link);
    expect(rest.body.map(({ id }) => id)).toEqual([older.orgId]);
  });

  it('list signing keys without a private part', async () => {
    const { body } = await operator.get<Record<string, unknown>[]>('/admin/v1/signing-keys');
    expect(body).toEqual([
      {
        kid: expect.any(String),
        algorithm: 'RS256',
        state: 'active',
        created_at: expect.any(String),
        signs_at: expect.any(String),
        active_at: expect.any(String),
        retiring_at: null,
        retires_at: null,
        retired_at: null,
      },
    ]);
    const refused = await operator.post('/admin/v1/signing-keys/rotate', { immediate: 'yes' });
    expect(refused.status).toBe(400);
  });

  it('are in the OpenAPI document, under a security scheme of their own', async () => {
    const { body } = await new Client(first).get<{
      paths: Record<string, Record<string, { security?: unknown }>>;
      components: { securitySchemes: Record<string, unknown> };
    }>('/openapi.json');
    const paths = Object.entries(body.paths).filter(([path]) => path.startsWith('/admin/'));
    expect(paths.length).toBeGreaterThanOrEqual(15);
    for (const [, methods] of paths)
      for (const operation of Object.values(methods)) expect(operation.security).toEqual([{ admin: [] }]);
    expect(body.components.securitySchemes).toHaveProperty('admin');
  });
});
