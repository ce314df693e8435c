import pg from 'pg';
import { addMember, makeKey } from '../support/api-keys.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../support/client.js';
import type { Answer, SignedUp } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

describe('a session that has ended', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_IDENTITY__REFRESH_REUSE_GRACE_SECS: '60',
    });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function refresh(token: string): Promise<{ status: number; code: string | null; next: string }> {
    const { status, body } = await new Client(service.url ?? '').post<{
      refresh_token?: string;
      error?: { code: string };
    }>('/auth/v1/token?grant_type=refresh_token', { refresh_token: token });
    return { status, code: body.error?.code ?? null, next: body.refresh_token ?? '' };
  }

  async function endSessionsOf({ userId }: SignedUp): Promise<void> {
    await environment.database.query(
      `UPDATE sessions SET revoked_at = now(), revoked_reason = 'test' WHERE user_id = $1`,
      [userId],
    );
  }

  it('refuses its unused refresh token as often as it comes, and calls it reused never', async () => {
    const user = await signUp(service.url ?? '');
    await endSessionsOf(user);
    for (let time = 1; time <= 3; time += 1) {
      expect(await refresh(user.refreshToken)).toMatchObject({ status: 401, code: 'session_revoked' });
    }
  });

  it('does not repeat a lost answer, though the grace for that still runs', async () => {
    const user = await signUp(service.url ?? '');
    const first = await refresh(user.refreshToken);
    expect(await refresh(user.refreshToken)).toEqual(first);
    await endSessionsOf(user);
    expect((await refresh(user.refreshToken)).status).toBe(401);
  });

  it('does not repeat a lost answer to a disabled account either', async () => {
    const user = await signUp(service.url ?? '');
    await refresh(user.refreshToken);
    await environment.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.userId]);
    expect((await refresh(user.refreshToken)).status).toBe(401);
  });

  it('accepts no invitation to its address, though its access token has not expired', async () => {
    const owner = await signUpOwner(service.url ?? '');
    const user = await signUp(service.url ?? '');
    const { body } = await owner.client.post<{ link: string }>(`/auth/v1/orgs/${owner.orgId}/invitations`, {
      email: user.email,
      role: 'member',
    });
    const token = new URL(body.link).searchParams.get('token');
    await endSessionsOf(user);
    const refused = await user.client.post<{ error: { code: string } }>('/auth/v1/invitations/accept', {
      token,
    });
    expect([refused.status, refused.body.error.code]).toEqual([401, 'session_revoked']);
    expect((await user.client.get<{ orgs: unknown[] }>('/auth/v1/user')).body.orgs).toEqual([]);
  });

  describe('changes nothing but its own end, though its access token has not expired:', () => {
    let user: Awaited<ReturnType<typeof signUpOwner>>;
    let other: { id: string; refreshToken: string };

    beforeEach(async () => {
      user = await signUpOwner(service.url ?? '');
      const { body } = await new Client(service.url ?? '').post<{
        access_token: string;
        refresh_token: string;
      }>('/auth/v1/token?grant_type=password', { email: user.email, password: PASSWORD });
      const client = new Client(service.url ?? '').as(body.access_token);
      const sessions = await client.get<{ id: string; current: boolean }[]>('/auth/v1/sessions');
      const id = sessions.body.find((session) => session.current)?.id ?? '';
      other = { id, refreshToken: body.refresh_token };
      expect((await user.client.post('/auth/v1/logout')).status).toBe(204);
    });

    /** The reasons of refusals in the user's and the organization's audit entries, by action. */
    async function refusals(): Promise<string[]> {
      const found = await environment.database.query<{ action: string }>(
        `SELECT action FROM audit_entries
         WHERE (user_id = $1 OR org_id = $2) AND details->>'reason' = 'session_revoked' ORDER BY id`,
        [user.userId, user.orgId],
      );
      return found.map(({ action }) => action);
    }

    it.each<[string, string, () => Promise<Answer>]>([
      [
        'the logout of the others, by access token',
        'session.revoke_refused',
        () => user.client.post('/auth/v1/logout', { scope: 'others' }),
      ],
      [
        'the logout of all, by access token',
        'session.revoke_refused',
        () => user.client.post('/auth/v1/logout', { scope: 'global' }),
      ],
      [
        'the logout of the others, by refresh token',
        'session.revoke_refused',
        () =>
          new Client(service.url ?? '').post('/auth/v1/logout', {
            scope: 'others',
            refresh_token: user.refreshToken,
          }),
      ],
      [
        'the logout of all, by refresh token',
        'session.revoke_refused',
        () =>
          new Client(service.url ?? '').post('/auth/v1/logout', {
            scope: 'global',
            refresh_token: user.refreshToken,
          }),
      ],
      [
        'the end of another session',
        'session.revoke_refused',
        () => user.client.send('DELETE', `/auth/v1/sessions/${other.id}`),
      ],
      [
        'the metadata of the account',
        'user.change_refused',
        () => user.client.send('PATCH', '/auth/v1/user', { metadata: { name: 'Mallory' } }),
      ],
      [
        'the password, though it knows the current one',
        'user.change_refused',
        () =>
          user.client.send('PATCH', '/auth/v1/user', {
            current_password: PASSWORD,
            password: 'another password of the owner',
          }),
      ],
      [
        'a new organization',
        'org.create_refused',
        () => user.client.post('/auth/v1/orgs', { slug: `more-${user.slug}`, name: 'One more' }),
      ],
      [
        'the secret that signs calls',
        'signing_secret.rotation_refused',
        () => user.client.post('/jobs/v1/signing-secret/rotate'),
      ],
    ])('%s is refused, on record', async (_, action, attempt) => {
      const { status, body } = await attempt();
      expect([status, (body as { error?: { code: string } }).error?.code]).toEqual([401, 'session_revoked']);
      expect(await refusals()).toEqual([action]);
      // The other session goes on.
      expect((await refresh(other.refreshToken)).status).toBe(200);
    });

    it('the deletion of the account is refused, on record', async () => {
      const heir = await signUp(service.url ?? '');
      await environment.database.query(
        `INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'owner')`,
        [user.orgId, heir.userId],
      );
      const refused = await user.client.send('DELETE', '/auth/v1/user', { password: PASSWORD });
      expect(refused).toMatchObject({ status: 401, body: { error: { code: 'session_revoked' } } });
      expect(await refusals()).toEqual(['user.deletion_refused']);
    });

    it('its own logout succeeds as often as it is asked for, by either token', async () => {
      const { client, refreshToken } = user;
      for (let time = 0; time < 2; time += 1) {
        expect((await client.post('/auth/v1/logout')).status).toBe(204);
        expect((await client.post('/auth/v1/logout', { refresh_token: refreshToken })).status).toBe(204);
      }
      expect((await refresh(other.refreshToken)).status).toBe(200);
    });
  });

  describe('hands on no authority, though its access token has not expired', () => {
    let owner: Awaited<ReturnType<typeof signUpOwner>>;
    let path: string;
    /** What each command would end or change. */
    let ids: { member: string; key: string; invitation: string };
    let blocker: pg.Client;

    beforeEach(async () => {
      owner = await signUpOwner(service.url ?? '');
      path = `/auth/v1/orgs/${owner.orgId}`;
      const member = await addMember(service.url ?? '', environment.database, owner.orgId, []);
      const key = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
      const invited = await owner.client.post<{ id: string }>(`${path}/invitations`, {
        email: 'friend@example.com',
        role: 'member',
      });
      await owner.client.post(`${path}/roles`, { name: 'custom', permissions: [] });
      ids = { member: member.userId, key: key.id, invitation: invited.body.id };
      blocker = new pg.Client({ connectionString: environment.database.url });
      await blocker.connect();
      await blocker.query('BEGIN');
    });

    afterEach(async () => {
      await blocker.end();
    });

    const makeAKey = (): Promise<Answer<{ error?: { code: string } }>> =>
      owner.client.post(`${path}/api-keys`, { name: 'A key', permissions: ['*'] });

    async function endings(): Promise<[string, () => Promise<unknown>][]> {
      const { body } = await new Client(service.url ?? '').post<{ access_token: string }>(
        '/auth/v1/token?grant_type=password',
        { email: owner.email, password: PASSWORD },
      );
      const elsewhere = new Client(service.url ?? '').as(body.access_token);
      const sessions = await owner.client.get<{ id: string; current: boolean }[]>('/auth/v1/sessions');
      const current = sessions.body.find((session) => session.current)?.id ?? '';
      const password = { current_password: PASSWORD, password: 'another password of the owner' };
      return [
        ['its logout', () => owner.client.post('/auth/v1/logout')],
        ['the logout of all other sessions', () => elsewhere.post('/auth/v1/logout', { scope: 'others' })],
        ['its revocation', () => elsewhere.send('DELETE', `/auth/v1/sessions/${current}`)],
        ['a new password', () => elsewhere.send('PATCH', '/auth/v1/user', password)],
      ];
    }

    it.each([0, 1, 2, 3])('after whatever ended it (%#)', async (index) => {
      const [ending, end] = (await endings())[index] ?? ['', (): Promise<unknown> => Promise.resolve()];
      expect((await makeAKey()).status).toBe(201);
      await end();
      const { status, body, headers } = await makeAKey();
      expect([ending, status, body.error?.code]).toEqual([ending, 401, 'session_revoked']);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
      // It reads what it could read.
      expect((await owner.client.get(`${path}/members`)).status).toBe(200);
    });

    it('by any command, and each attempt is on record', async () => {
      const commands: [string, string, unknown?][] = [
        ['POST', '/api-keys', { name: 'A key', permissions: ['data:orders:read'] }],
        ['DELETE', `/api-keys/${ids.key}`],
        ['POST', '/roles', { name: 'more', permissions: [] }],
        ['PATCH', '/roles/custom', { permissions: ['*'] }],
        ['DELETE', '/roles/custom'],
        ['PATCH', `/members/${ids.member}`, { role: 'owner' }],
        ['DELETE', `/members/${ids.member}`],
        ['POST', '/invitations', { email: 'other@example.com', role: 'owner' }],
        ['DELETE', `/invitations/${ids.invitation}`],
        ['PATCH', '', { name: 'Renamed' }],
        ['DELETE', ''],
      ];
      await owner.client.post('/auth/v1/logout');
      const before = await environment.database.query(
        'SELECT count(*) FROM audit_entries WHERE org_id = $1',
        [owner.orgId],
      );
      for (const [method, at, body] of commands) {
        const answer = await owner.client.send<{ error?: { code: string } }>(method, `${path}${at}`, body);
        expect([method, at, answer.status, answer.body.error?.code]).toEqual([
          method,
          at,
          401,
          'session_revoked',
        ]);
      }
      const refused = await environment.database.query(
        `SELECT action FROM audit_entries WHERE org_id = $1 AND details->>'reason' = 'session_revoked'`,
        [owner.orgId],
      );
      expect(refused).toHaveLength(commands.length);
      expect(
        await environment.database.query(
          `SELECT count(*) - ${commands.length} AS count FROM audit_entries WHERE org_id = $1`,
          [owner.orgId],
        ),
      ).toEqual(before);
    });

    async function waitingStatements(): Promise<number> {
      const found = await environment.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return found[0]?.count ?? 0;
    }

    it('where the command was under way before the logout that answered first', async () => {
      await blocker.query('SELECT FROM organizations WHERE id = $1 FOR UPDATE', [owner.orgId]);
      const made = makeAKey();
      await until(async () => (await waitingStatements()) === 1);
      expect((await owner.client.post('/auth/v1/logout')).status).toBe(204);
      await blocker.query('COMMIT');
      expect(await made).toMatchObject({ status: 401, body: { error: { code: 'session_revoked' } } });
    });

    it('while a logout that comes later waits for a command that has begun', async () => {
      await blocker.query(
        'SELECT FROM audit_chains WHERE id = (SELECT chain_id FROM audit_entries WHERE org_id = $1 LIMIT 1) FOR UPDATE',
        [owner.orgId],
      );
      const answered: string[] = [];
      const made = makeAKey().finally(() => answered.push('made'));
      await until(async () => (await waitingStatements()) === 1);
      const loggedOut = owner.client.post('/auth/v1/logout').finally(() => answered.push('logged out'));
      await until(async () => (await waitingStatements()) === 2);
      expect(answered).toEqual([]);
      await blocker.query('COMMIT');
      expect([(await made).status, (await loggedOut).status]).toEqual([201, 204]);
    });
  });
});
