import { actionsOf } from '../../../support/accounts.js';
import { PASSWORD } from '../../../support/client.js';
import { tokenOf } from '../../../support/mail-server.js';
import { until } from '../../../support/until.js';
import {
  freshAddress,
  newUser,
  organizationGround,
  projectGround,
} from '../../../contract/identity/identity-ground.js';
import type { IdentityGround } from '../../../contract/identity/identity-ground.js';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

const NEW_PASSWORD = 'a wholly other password';

interface UserBody {
  id: string;
  email: string;
  email_verified: boolean;
  has_password: boolean;
}

interface SessionBody {
  id: string;
}

/** What the operator of organizations and the service key of a project can do with accounts. */
describe.each([
  ['organizations', organizationGround],
  ['projects', projectGround],
])('the managed users of %s', (_profile, prepare) => {
  let ground: IdentityGround;

  beforeAll(async () => {
    ground = await prepare();
  });

  afterAll(async () => {
    await ground.stop();
  });

  const entriesOf = (userId: string, action: string): Promise<Record<string, unknown>[]> =>
    ground.environment.database.query(
      'SELECT actor_type, details FROM audit_entries WHERE user_id = $1 AND action = $2 ORDER BY id',
      [userId, action],
    );

  describe('sessions', () => {
    it('are listed newest first, without a token or a hash', async () => {
      const user = await newUser(ground);
      await ground.signIn(user.email);
      const { status, body } = await ground.manager.get<SessionBody[]>(
        `${ground.managed}/${user.userId}/sessions`,
      );
      expect(status).toBe(200);
      expect(body).toHaveLength(2);
      expect(Object.keys(body[0] ?? {}).sort()).toEqual([
        'created_at',
        'id',
        'ip',
        'last_refreshed_at',
        'user_agent',
      ]);
      expect((body[0]?.id ?? '') > (body[1]?.id ?? '')).toBe(true);
      const page = await ground.manager.get(`${ground.managed}/${user.userId}/sessions?limit=1`);
      expect(page.headers.get('link')).toContain('rel="next"');
    });

    it('end one at a time, with their access tokens, and the others live on', async () => {
      const user = await newUser(ground);
      const other = await ground.signIn(user.email);
      const path = `${ground.managed}/${user.userId}/sessions`;
      const { body } = await ground.manager.get<SessionBody[]>(path);
      const [newest, oldest] = body.map(({ id }) => id);
      expect((await ground.manager.send('DELETE', `${path}/${oldest ?? ''}`)).status).toBe(204);
      expect((await ground.manager.send('DELETE', `${path}/${oldest ?? ''}`)).body).toMatchObject({
        error: { code: 'session_not_found' },
      });
      expect((await ground.refresh(user.refreshToken)).status).toBe(401);
      await until(async () => (await ground.user(user.accessToken)).status === 401);
      expect((await ground.user(other.accessToken)).status).toBe(200);
      expect((await ground.refresh(other.refreshToken)).status).toBe(200);
      expect((await ground.manager.get<SessionBody[]>(path)).body.map(({ id }) => id)).toEqual([newest]);
      expect(await entriesOf(user.userId, 'session.revoked')).toEqual([
        { actor_type: ground.managerType, details: { reason: 'ended_by_operator' } },
      ]);
    });

    it('end all at once, and the user can sign in again', async () => {
      const user = await newUser(ground);
      const other = await ground.signIn(user.email);
      const path = `${ground.managed}/${user.userId}/sessions`;
      expect((await ground.manager.send('DELETE', path)).status).toBe(204);
      // Repeating it changes nothing.
      expect((await ground.manager.send('DELETE', path)).status).toBe(204);
      for (const { refreshToken } of [user, other])
        expect((await ground.refresh(refreshToken)).status).toBe(401);
      await until(async () => (await ground.user(other.accessToken)).status === 401);
      expect((await ground.manager.get(path)).body).toEqual([]);
      const again = await ground.signIn(user.email);
      expect((await ground.user(again.accessToken)).status).toBe(200);
      expect(await entriesOf(user.userId, 'session.revoked_several')).toEqual([
        { actor_type: ground.managerType, details: { reason: 'ended_by_operator', sessions_revoked: 2 } },
      ]);
    });

    it('of another user are not found, and those of an unknown user neither', async () => {
      const [user, stranger] = [await newUser(ground), await newUser(ground)];
      const { body } = await ground.manager.get<SessionBody[]>(
        `${ground.managed}/${stranger.userId}/sessions`,
      );
      const foreign = `${ground.managed}/${user.userId}/sessions/${body[0]?.id ?? ''}`;
      expect((await ground.manager.send('DELETE', foreign)).status).toBe(404);
      expect((await ground.refresh(stranger.refreshToken)).status).toBe(200);
      for (const id of [UNKNOWN_ID, 'nobody']) {
        const path = `${ground.managed}/${id}/sessions`;
        for (const answer of [
          await ground.manager.get(path),
          await ground.manager.send('DELETE', path),
          await ground.manager.send('DELETE', `${path}/${UNKNOWN_ID}`),
        ])
          expect(answer).toMatchObject({ status: 404, body: { error: { code: 'user_not_found' } } });
      }
    });
  });

  describe('created by the manager', () => {
    it('have an unverified address and no password, unless one is given', async () => {
      const email = freshAddress();
      const { status, body } = await ground.manager.post<UserBody>(ground.managed, { email });
      expect([status, body]).toEqual([
        201,
        expect.objectContaining({ email, email_verified: false, disabled: false, has_password: false }),
      ]);
      expect((await ground.signIn(email)).status).toBe(401);
      expect(await ground.manager.post(ground.managed, { email })).toMatchObject({
        status: 409,
        body: { error: { code: 'email_taken' } },
      });
      const withPassword = freshAddress();
      await ground.manager.post(ground.managed, { email: withPassword, password: PASSWORD });
      expect((await ground.signIn(withPassword)).status).toBe(200);
      expect(await entriesOf(body.id, 'user.signed_up')).toEqual([
        { actor_type: ground.managerType, details: { by: ground.managerType } },
      ]);
    });

    it.each([
      [{ email: 'nobody' }, 'validation_failed'],
      [{ email: 'a@example.com', password: 'short' }, 'validation_failed'],
      [{ email: 'a@example.com', password: 'password123' }, 'weak_password'],
      [{ email: 'a@example.com', email_verified: true }, 'validation_failed'],
      [{ email: 'a@example.com', mail: 'invite' }, 'validation_failed'],
    ])('are refused as %j', async (body, code) => {
      expect(await ground.manager.post(ground.managed, body)).toMatchObject({ body: { error: { code } } });
    });

    it('set their password by the recovery that is mailed to them, which proves the address', async () => {
      const email = freshAddress();
      const { body } = await ground.manager.post<UserBody>(ground.managed, { email, mail: 'recovery' });
      const token = tokenOf(await ground.mailServer.mailTo(email));
      expect((await ground.completeRecovery(token, PASSWORD)).status).toBe(200);
      expect((await ground.manager.get<UserBody>(`${ground.managed}/${body.id}`)).body).toMatchObject({
        email_verified: true,
        has_password: true,
      });
    });
  });

  describe('passwords', () => {
    it('that the manager sets end the sessions, void mailed links and notify the user', async () => {
      const user = await newUser(ground);
      await ground.recover(user.email);
      const token = tokenOf(await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 1));
      const path = `${ground.managed}/${user.userId}/password`;
      expect((await ground.manager.send('PUT', path, { password: NEW_PASSWORD })).status).toBe(204);
      expect((await ground.refresh(user.refreshToken)).status).toBe(401);
      await until(async () => (await ground.user(user.accessToken)).status === 401);
      expect((await ground.completeRecovery(token, PASSWORD)).code).toBe('invalid_token');
      expect((await ground.signIn(user.email)).status).toBe(401);
      expect((await ground.signIn(user.email, NEW_PASSWORD)).status).toBe(200);
      const notice = await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 2);
      expect(notice.email.subject).toBe('Your password was changed');
      expect(notice.email.text).not.toContain(NEW_PASSWORD);
      expect(await entriesOf(user.userId, 'user.password_set')).toEqual([
        { actor_type: ground.managerType, details: { sessions_revoked: 1 } },
      ]);
    });

    it('that the manager removes leave the account to a recovery', async () => {
      const user = await newUser(ground);
      const path = `${ground.managed}/${user.userId}/password`;
      expect((await ground.manager.send('DELETE', path)).status).toBe(204);
      expect((await ground.manager.send('DELETE', path)).status).toBe(204);
      expect((await ground.signIn(user.email)).status).toBe(401);
      expect((await ground.refresh(user.refreshToken)).status).toBe(401);
      expect(await entriesOf(user.userId, 'user.password_removed')).toHaveLength(1);
    });

    it('that the manager sets keep an unverified address unverified', async () => {
      const user = await newUser(ground);
      await ground.manager.send('PUT', `${ground.managed}/${user.userId}/password`, {
        password: NEW_PASSWORD,
      });
      const { body } = await ground.manager.get<UserBody>(`${ground.managed}/${user.userId}`);
      expect(body.email_verified).toBe(false);
    });
  });

  describe('mails', () => {
    it('that the manager sends arrive, are recorded, and are limited like all others', async () => {
      const { body } = await ground.manager.post<UserBody>(ground.managed, { email: freshAddress() });
      const path = `${ground.managed}/${body.id}/mails`;
      expect((await ground.manager.post(path, { kind: 'recovery' })).status).toBe(204);
      await ground.mailServer.mailTo(body.email);
      const again = await ground.manager.post(path, { kind: 'recovery' });
      expect(again).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
      expect(again.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect((await ground.manager.post(path, { kind: ground.otherMail })).status).toBe(204);
      await ground.mailServer.mailTo(body.email, 2);
      expect(await entriesOf(body.id, 'user.mail_requested')).toEqual([
        { actor_type: ground.managerType, details: { mail: 'recovery' } },
        { actor_type: ground.managerType, details: { mail: ground.otherMail } },
      ]);
      expect(await entriesOf(body.id, 'recovery.requested')).toEqual([]);
    });

    it('are refused for a disabled user, and as an unknown kind', async () => {
      const user = await newUser(ground);
      await ground.manager.send('PATCH', `${ground.managed}/${user.userId}`, { disabled: true });
      const path = `${ground.managed}/${user.userId}/mails`;
      expect(await ground.manager.post(path, { kind: 'recovery' })).toMatchObject({
        status: 409,
        body: { error: { code: 'user_disabled' } },
      });
      expect((await ground.manager.post(path, { kind: 'invite' })).status).toBe(400);
    });
  });

  describe('a search', () => {
    it('finds users by how words of their address begin, in any order and case', async () => {
      const word = freshAddress().split('@')[0] ?? '';
      const email = `ada.${word}@search.example.com`;
      const { body } = await ground.manager.post<UserBody>(ground.managed, { email });
      const found = async (search: string): Promise<string[]> => {
        const query = `search=${encodeURIComponent(search)}`;
        const answer = await ground.manager.get<UserBody[]>(`${ground.managed}?${query}`);
        return answer.body.map(({ id }) => id);
      };
      for (const search of [word, word.toUpperCase(), word.slice(0, 8), `exam ${word} ad`, email])
        expect([search, await found(search)]).toEqual([search, [body.id]]);
      for (const search of [word.slice(1), `${word} grace`, '@', "'", '\\', `${word}:*`, `!${word}`])
        expect([search, await found(search)]).toEqual([search, []]);
    });
  });

  it('have their audit entries listed newest first, without those of others', async () => {
    const user = await newUser(ground);
    const { status, body } = await ground.manager.get<{ action: string; target: { id: string } }[]>(
      `${ground.managed}/${user.userId}/audit`,
    );
    expect([status, body.map(({ action }) => action)]).toEqual([200, ['session.opened', 'user.signed_up']]);
    expect(JSON.stringify(body)).not.toContain('argon2');
    expect((await ground.manager.get(`${ground.managed}/${UNKNOWN_ID}/audit`)).status).toBe(404);
  });

  it('are managed by nobody else, neither by the user nor without credentials', async () => {
    const user = await newUser(ground);
    const anonymous = ground.manager.with({ authorization: '', apikey: '' });
    for (const client of [anonymous, anonymous.as(user.accessToken)]) {
      const path = `${ground.managed}/${user.userId}/sessions`;
      for (const method of ['GET', 'DELETE'])
        expect([401, 403]).toContain((await client.send(method, path)).status);
      for (const [method, suffix, body] of [
        ['POST', '', { email: freshAddress() }],
        ['PUT', `/${user.userId}/password`, { password: NEW_PASSWORD }],
        ['DELETE', `/${user.userId}/password`, undefined],
        ['POST', `/${user.userId}/mails`, { kind: 'recovery' }],
        ['GET', `/${user.userId}/audit`, undefined],
      ] as const)
        expect([401, 403]).toContain((await client.send(method, `${ground.managed}${suffix}`, body)).status);
    }
    expect((await ground.refresh(user.refreshToken)).status).toBe(200);
    expect(await actionsOf(ground.environment.database, user.userId)).not.toContain(
      'session.revoked_several',
    );
  });
});
