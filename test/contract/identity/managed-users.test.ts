import { actionsOf } from '../../support/accounts.js';
import { until } from '../../support/until.js';
import { newUser, organizationGround, projectGround } from './identity-ground.js';
import type { IdentityGround } from './identity-ground.js';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

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
  }, 60_000);

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

  it('are managed by nobody else, neither by the user nor without credentials', async () => {
    const user = await newUser(ground);
    const anonymous = ground.manager.with({ authorization: '', apikey: '' });
    for (const client of [anonymous, anonymous.as(user.accessToken)]) {
      const path = `${ground.managed}/${user.userId}/sessions`;
      for (const method of ['GET', 'DELETE'])
        expect([401, 403]).toContain((await client.send(method, path)).status);
    }
    expect((await ground.refresh(user.refreshToken)).status).toBe(200);
    expect(await actionsOf(ground.environment.database, user.userId)).not.toContain(
      'session.revoked_several',
    );
  });
});
