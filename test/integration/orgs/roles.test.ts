import type { SignedUp } from '../../support/client.js';
import { outcomeOf, pathsOf, Team } from './team.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

describe('roles', () => {
  let program: SharedProgram;
  let url: string;
  let team: Team;
  let admin: SignedUp;

  beforeAll(async () => {
    program = await sharedProgram();
    url = program.url;
  });
  beforeEach(async () => {
    team = await Team.found(url, program.database);
    admin = await team.take('admin');
  });

  it('are the three built-in ones at first', async () => {
    const { status, body } = await admin.client.get(`${team.path}/roles`);
    expect(status).toBe(200);
    expect(body).toEqual([
      { name: 'owner', permissions: ['*'], builtin: true },
      {
        name: 'member',
        permissions: ['data:*:read', 'storage:*:read', 'functions:*:invoke'],
        builtin: true,
      },
      {
        name: 'admin',
        permissions: [
          'data:*:*',
          'storage:*:*',
          'functions:*:*',
          'jobs:*:*',
          'auth:members:*',
          'auth:roles:*',
        ],
        builtin: true,
      },
    ]);
  });

  it('are made, shown, changed and deleted, each with an audit entry', async () => {
    const role = { name: 'analyst', permissions: ['data:orders:read', 'jobs:runs:read'], builtin: false };
    const { name, permissions } = role;
    const created = await admin.client.post(`${team.path}/roles`, { name, permissions });
    expect([created.status, created.body]).toEqual([201, role]);
    expect((await admin.client.get(`${team.path}/roles/analyst`)).body).toEqual(role);
    const listed = await admin.client.get<unknown[]>(`${team.path}/roles?limit=1`);
    expect([listed.body, listed.headers.has('link')]).toEqual([[role], true]);

    const changed = await admin.client.send('PATCH', `${team.path}/roles/analyst`, {
      permissions: ['data:*:*'],
    });
    expect([changed.status, changed.body]).toEqual([200, { ...role, permissions: ['data:*:*'] }]);
    expect((await admin.client.send('DELETE', `${team.path}/roles/analyst`)).status).toBe(204);
    expect(outcomeOf(await admin.client.get(`${team.path}/roles/analyst`))).toEqual([404, 'role_not_found']);

    expect((await team.audit()).slice(-3)).toMatchObject([
      { action: 'role.created', target_id: name, actor_id: admin.userId, details: { permissions } },
      { action: 'role.updated', details: { from: permissions, to: ['data:*:*'] } },
      { action: 'role.deleted', details: { permissions: ['data:*:*'] } },
    ]);
  });

  it('take effect for their holders as soon as they change', async () => {
    await team.makeRole('reader', ['auth:members:read']);
    const reader = await team.take('reader');
    expect((await reader.client.get(`${team.path}/members`)).status).toBe(200);
    await team.owner.client.send('PATCH', `${team.path}/roles/reader`, { permissions: [] });
    expect(outcomeOf(await reader.client.get(`${team.path}/members`))).toEqual([403, 'permission_denied']);
  });

  it('are refused with every fault and its place', async () => {
    const answer = await team.owner.client.post(`${team.path}/roles`, {
      name: 'Bad Name',
      permissions: ['data:orders:read', 'nonsense', '*', 'a:b', 7, `a:b:${'c'.repeat(300)}`],
      extra: true,
    });
    expect(outcomeOf(answer)).toEqual([400, 'validation_failed']);
    expect(pathsOf(answer).sort()).toEqual(
      ['extra', 'name', 'permissions[1]', 'permissions[3]', 'permissions[4]', 'permissions[5]'].sort(),
    );
  });

  it.each([
    [{ name: 'r' }, ['permissions']],
    [{ name: 'r', permissions: '*' }, ['permissions']],
    [{ name: 'r', permissions: Array(201).fill('a:b:c') }, ['permissions']],
    [{ name: 'r', permissions: Array(100).fill(`a:b:${'c'.repeat(160)}`) }, ['permissions']],
    [{ name: '1r', permissions: [] }, ['name']],
    [{ name: `r${'x'.repeat(63)}`, permissions: [] }, ['name']],
    [{ permissions: [] }, ['name']],
  ])('are refused as %j', async (body, paths) => {
    const answer = await team.owner.client.post(`${team.path}/roles`, body);
    expect([outcomeOf(answer), pathsOf(answer)]).toEqual([[400, 'validation_failed'], paths]);
  });

  it('have names of their own', async () => {
    await team.makeRole('analyst', []);
    for (const name of ['analyst', 'owner', 'admin', 'member']) {
      const answer = await team.owner.client.post(`${team.path}/roles`, { name, permissions: [] });
      expect(outcomeOf(answer)).toEqual([409, 'role_exists']);
    }
  });

  it('that are built in cannot be changed by anyone', async () => {
    for (const name of ['owner', 'admin', 'member']) {
      const path = `${team.path}/roles/${name}`;
      const changed = await team.owner.client.send('PATCH', path, { permissions: ['*'] });
      const deleted = await team.owner.client.send('DELETE', path);
      expect([outcomeOf(changed), outcomeOf(deleted)]).toEqual([
        [409, 'builtin_role'],
        [409, 'builtin_role'],
      ]);
    }
  });

  it('that do not exist are not found', async () => {
    const path = `${team.path}/roles/none`;
    const answers = [
      await admin.client.get(path),
      await admin.client.send('PATCH', path, { permissions: [] }),
      await admin.client.send('DELETE', path),
    ];
    expect(answers.map(outcomeOf)).toEqual(Array(3).fill([404, 'role_not_found']));
  });

  it('are not deleted while a member or a pending invitation has them', async () => {
    await team.makeRole('analyst', []);
    const path = `${team.path}/roles/analyst`;
    const { id } = await team.invite('new@example.com', 'analyst');
    expect(outcomeOf(await team.owner.client.send('DELETE', path))).toEqual([409, 'role_in_use']);
    await team.owner.client.send('DELETE', `${team.path}/invitations/${id}`);
    const analyst = await team.take('analyst');
    expect(outcomeOf(await team.owner.client.send('DELETE', path))).toEqual([409, 'role_in_use']);
    await team.changeRole(analyst, 'member');
    expect(outcomeOf(await team.owner.client.send('DELETE', path))).toEqual([204]);
  });

  it('may be deleted when the only invitation that has them has expired', async () => {
    await team.makeRole('analyst', []);
    const { id } = await team.invite('new@example.com', 'analyst');
    await program.database.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [id]);
    const deleted = await team.owner.client.send('DELETE', `${team.path}/roles/analyst`);
    expect(outcomeOf(deleted)).toEqual([204]);
  });

  it('cannot be changed without the permission', async () => {
    const member = await team.take('member');
    const answers = [
      await member.client.get(`${team.path}/roles`),
      await member.client.get(`${team.path}/roles/admin`),
      await member.client.post(`${team.path}/roles`, { name: 'x', permissions: [] }),
      await member.client.send('PATCH', `${team.path}/roles/admin`, { permissions: [] }),
      await member.client.send('DELETE', `${team.path}/roles/admin`),
    ];
    expect(answers.map(outcomeOf)).toEqual(Array(5).fill([403, 'permission_denied']));
  });
});
