import { randomUUID } from 'node:crypto';
import { Client } from '../../support/client.js';
import type { Answer, SignedUp } from '../../support/client.js';
import { outcomeOf, Team } from './team.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

describe('members', () => {
  let program: SharedProgram;
  let url: string;
  let team: Team;
  let admin: SignedUp;
  let member: SignedUp;

  beforeAll(async () => {
    program = await sharedProgram();
    url = program.url;
  });
  beforeEach(async () => {
    team = await Team.found(url, program.database);
    admin = await team.take('admin');
    member = await team.take('member');
  });

  async function remove(user: SignedUp, by: SignedUp): Promise<[number, string?]> {
    return outcomeOf(await by.client.send('DELETE', `${team.path}/members/${user.userId}`));
  }

  async function disable(user: SignedUp): Promise<void> {
    await program.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.userId]);
  }

  it('are listed newest first, page by page', async () => {
    const seen: unknown[] = [];
    let path: string | undefined = `${team.path}/members?limit=2`;
    while (path !== undefined) {
      const page: Answer<Record<string, unknown>[]> = await admin.client.get<Record<string, unknown>[]>(path);
      expect(page.status).toBe(200);
      seen.push(...page.body);
      path = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    const joined_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/);
    expect(seen).toEqual([
      { user_id: member.userId, email: member.email, role: 'member', joined_at, disabled: false },
      { user_id: admin.userId, email: admin.email, role: 'admin', joined_at, disabled: false },
      { user_id: team.owner.userId, email: team.owner.email, role: 'owner', joined_at, disabled: false },
    ]);
  });

  it('leave no API key behind if the operator’s removal revokes those that they made, each with an audit entry', async () => {
    const former = await team.take('admin');
    const keys = `${team.path}/api-keys`;
    type Key = { id: string };
    const make = async ({ client }: SignedUp, name: string): Promise<Key> =>
      (await client.post<Key>(keys, { name, permissions: ['auth:keys:read'] })).body;
    await team.makeRole('maker', ['auth:keys:*']);
    const maker = await team.take('maker');
    const [theirs, other] = [await make(maker, 'Theirs'), await make(team.owner, 'Ours')];
    const operator = new Client(url).as(program.adminToken);
    const at = (user: SignedUp): string => `/admin/v1/orgs/${team.orgId}/members/${user.userId}`;
    expect(outcomeOf(await operator.send('DELETE', `${at(maker)}?revoke_keys=yes`))).toEqual([
      400,
      'validation_failed',
    ]);
    expect(outcomeOf(await operator.send('DELETE', `${at(former)}?revoke_keys=true`))).toEqual([204]);
    expect(outcomeOf(await operator.send('DELETE', `${at(maker)}?revoke_keys=true`))).toEqual([204]);
    const left = await program.database.query<{ id: string }>(
      'SELECT id FROM api_keys WHERE org_id = $1 AND revoked_at IS NULL',
      [team.orgId],
    );
    expect(left.map(({ id }) => id)).toEqual([other.id]);
    expect(await team.lastAudit()).toMatchObject({
      action: 'api_key.revoked',
      actor_type: 'operator',
      target_type: 'api_key',
      target_id: theirs.id,
      details: { name: 'Theirs' },
    });
  });

  it('leave no API key behind if the removal revokes those that they made, and those that these made', async () => {
    const former = await team.take('owner');
    type Key = { id: string; key: string };
    const keys = `${team.path}/api-keys`;
    const { body: first } = await former.client.post<Key>(keys, { name: 'Mine', permissions: ['auth:*:*'] });
    const byFirst = new Client(url, { authorization: `Bearer ${first.key}` });
    const { body: second } = await byFirst.post<Key>(keys, {
      name: 'Of mine',
      permissions: ['auth:keys:read'],
    });
    const { body: other } = await team.owner.client.post<Key>(keys, {
      name: 'Ours',
      permissions: ['auth:keys:read'],
    });
    const path = `${team.path}/members/${former.userId}?revoke_keys=true`;
    await team.makeRole('remover', ['auth:members:delete']);
    const cleaner = await team.take('remover');
    expect(outcomeOf(await cleaner.client.send('DELETE', path))[0]).toBe(403);
    expect(outcomeOf(await team.owner.client.send('DELETE', path))).toEqual([204]);
    const left = await program.database.query<{ id: string }>(
      'SELECT id FROM api_keys WHERE org_id = $1 AND revoked_at IS NULL',
      [team.orgId],
    );
    expect(left.map(({ id }) => id)).toEqual([other.id]);
    for (const { key } of [first, second])
      expect((await new Client(url, { authorization: `Bearer ${key}` }).get(keys)).status).toBe(401);
  });

  it.each(['bm9uZQ', '!', Buffer.from('9999999999999999.x').toString('base64url')])(
    'are not listed from the made-up cursor %s',
    async (cursor) => {
      const answer = await admin.client.get(`${team.path}/members?cursor=${cursor}`);
      expect(outcomeOf(answer)).toEqual([400, 'validation_failed']);
    },
  );

  it('are not shown without the permission', async () => {
    const answer = await member.client.get(`${team.path}/members`);
    expect(outcomeOf(answer)).toEqual([403, 'permission_denied']);
  });

  it('get another role, which takes effect immediately, with an audit entry', async () => {
    const { status, body } = await team.changeRole(member, 'admin');
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_id: member.userId, email: member.email, role: 'admin' });
    expect((await member.client.get(`${team.path}/members`)).status).toBe(200);
    expect(await team.lastAudit()).toMatchObject({
      action: 'member.role_changed',
      actor_id: team.owner.userId,
      target_type: 'user',
      target_id: member.userId,
      details: { from: 'member', to: 'admin' },
    });
  });

  it('keep their role without an audit entry when it is given again', async () => {
    const before = (await team.audit()).length;
    expect((await team.changeRole(member, 'member')).status).toBe(200);
    expect(await team.audit()).toHaveLength(before);
  });

  it('that do not exist are not found', async () => {
    for (const id of [randomUUID(), 'not-a-uuid', '%00']) {
      const path = `${team.path}/members/${id}`;
      const changed = await team.owner.client.send('PATCH', path, { role: 'member' });
      const removed = await team.owner.client.send('DELETE', path);
      const expected = id === '%00' ? [400, 'validation_failed'] : [404, 'member_not_found'];
      expect([outcomeOf(changed), outcomeOf(removed)]).toEqual([expected, expected]);
    }
  });

  it('do not get a role that does not exist', async () => {
    expect(outcomeOf(await team.changeRole(member, 'nobody'))).toEqual([400, 'unknown_role']);
  });

  it('are neither changed nor removed without the permission', async () => {
    expect(outcomeOf(await team.changeRole(admin, 'member', member.client))).toEqual([
      403,
      'permission_denied',
    ]);
    expect(await remove(admin, member)).toEqual([403, 'permission_denied']);
  });

  it('with more permissions than the caller are neither changed nor removed, and the attempt is on record', async () => {
    expect(outcomeOf(await team.changeRole(team.owner, 'member', admin.client))).toEqual([
      403,
      'permission_not_held',
    ]);
    expect(await team.lastAudit()).toMatchObject({
      action: 'member.role_change_refused',
      actor_id: admin.userId,
      target_id: team.owner.userId,
      details: { reason: 'permission_not_held' },
    });
    expect(await remove(team.owner, admin)).toEqual([403, 'permission_not_held']);
    expect(await team.lastAudit()).toMatchObject({ action: 'member.removal_refused' });
  });

  it('are removed, and refused from then on', async () => {
    expect((await member.client.get(team.path)).status).toBe(200);
    expect(await remove(member, admin)).toEqual([204]);
    expect(outcomeOf(await member.client.get(team.path))).toEqual([403, 'not_a_member']);
    expect(await team.lastAudit()).toMatchObject({
      action: 'member.removed',
      actor_id: admin.userId,
      target_id: member.userId,
    });
  });

  it('may leave without any permission', async () => {
    expect(await remove(member, member)).toEqual([204]);
    expect(await team.lastAudit()).toMatchObject({ action: 'member.left', actor_id: member.userId });
    expect(await remove(member, member)).toEqual([403, 'not_a_member']);
  });

  describe('of whom one is the last owner', () => {
    it('keep that one: neither demoted, nor removed, nor gone', async () => {
      expect(outcomeOf(await team.changeRole(team.owner, 'admin'))).toEqual([409, 'last_owner']);
      expect(await team.lastAudit()).toMatchObject({
        action: 'member.role_change_refused',
        details: { reason: 'last_owner' },
      });
      expect(await remove(team.owner, team.owner)).toEqual([409, 'last_owner']);
      expect(await team.lastAudit()).toMatchObject({ action: 'member.removal_refused' });
    });

    it('keep that one from a custom role that allows everything, which is not ownership', async () => {
      await team.makeRole('superuser', ['*']);
      const superuser = await team.take('superuser');
      const demoted = await team.changeRole(team.owner, 'superuser', superuser.client);
      expect(outcomeOf(demoted)).toEqual([409, 'last_owner']);
      expect(await remove(team.owner, superuser)).toEqual([409, 'last_owner']);
    });

    it('let that one go once there is another', async () => {
      const second = await team.take('owner');
      expect(await remove(team.owner, team.owner)).toEqual([204]);
      expect(await remove(second, second)).toEqual([409, 'last_owner']);
    });

    it('do not count an owner who is disabled', async () => {
      const second = await team.take('owner');
      await disable(second);
      expect(await remove(team.owner, team.owner)).toEqual([409, 'last_owner']);
      expect(outcomeOf(await team.changeRole(team.owner, 'member'))).toEqual([409, 'last_owner']);
      expect(outcomeOf(await team.changeRole(second, 'member'))).toEqual([200]);
    });
  });
});
