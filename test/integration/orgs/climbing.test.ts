import { signUp } from '../../support/client.js';
import type { Answer, Client, SignedUp } from '../../support/client.js';
import { outcomeOf, Team, tokenOf } from './team.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

/** All that a member of the team needs to administer it, and nothing of the data. */
const ADMINISTRATION = ['auth:members:*', 'auth:roles:*'];

interface Attempt {
  readonly title: string;
  readonly expected: [number, string];
  readonly attempt: (climber: Client, team: Team, climberId: string) => Promise<Answer>;
}

const ATTEMPTS: readonly Attempt[] = [
  ...['*', '*:*:*', 'data:orders:read', 'auth:*:*', '*:members:read', 'auth:keys:create'].map(
    (permission): Attempt => ({
      title: `make a role with ${permission}`,
      expected: [403, 'permission_not_held'],
      attempt: (climber, team) =>
        climber.post(`${team.path}/roles`, { name: 'mine', permissions: [permission] }),
    }),
  ),
  {
    title: 'widen the role that they have',
    expected: [403, 'permission_not_held'],
    attempt: (climber, team) =>
      climber.send('PATCH', `${team.path}/roles/climber`, { permissions: [...ADMINISTRATION, '*'] }),
  },
  {
    title: 'narrow a role that allows more than they have',
    expected: [403, 'permission_not_held'],
    attempt: (climber, team) => climber.send('PATCH', `${team.path}/roles/data`, { permissions: [] }),
  },
  {
    title: 'delete a role that allows more than they have',
    expected: [403, 'permission_not_held'],
    attempt: (climber, team) => climber.send('DELETE', `${team.path}/roles/data`),
  },
  ...['owner', 'admin', 'data'].map((role): Attempt => ({
    title: `give themself the role ${role}`,
    expected: [403, 'permission_not_held'],
    attempt: (climber, team, climberId) =>
      climber.send('PATCH', `${team.path}/members/${climberId}`, { role }),
  })),
  {
    title: 'demote the owner',
    expected: [403, 'permission_not_held'],
    attempt: (climber, team) =>
      climber.send('PATCH', `${team.path}/members/${team.owner.userId}`, { role: 'climber' }),
  },
  {
    title: 'remove the owner',
    expected: [403, 'permission_not_held'],
    attempt: (climber, team) => climber.send('DELETE', `${team.path}/members/${team.owner.userId}`),
  },
  ...['owner', 'admin', 'data'].map((role): Attempt => ({
    title: `invite a friend as ${role}`,
    expected: [403, 'permission_not_held'],
    attempt: (climber, team) =>
      climber.post(`${team.path}/invitations`, { email: 'friend@example.com', role }),
  })),
  {
    title: 'invite someone again with a higher role',
    expected: [403, 'permission_not_held'],
    attempt: async (climber, team) => {
      const first = { email: 'friend@example.com', role: 'climber' };
      expect((await climber.post(`${team.path}/invitations`, first)).status).toBe(201);
      return await climber.post(`${team.path}/invitations`, { ...first, role: 'owner' });
    },
  },
  {
    title: 'send an invitation of the owner again',
    expected: [403, 'permission_not_held'],
    attempt: async (climber, team) => {
      await team.invite('friend@example.com', 'owner');
      return await climber.post(`${team.path}/invitations`, { email: 'friend@example.com', role: 'owner' });
    },
  },
  {
    title: 'replace an invitation of the owner by a lesser one',
    expected: [403, 'permission_not_held'],
    attempt: async (climber, team) => {
      await team.invite('friend@example.com', 'owner');
      return await climber.post(`${team.path}/invitations`, { email: 'friend@example.com', role: 'climber' });
    },
  },
  {
    title: 'revoke an invitation that gives more than they have',
    expected: [403, 'permission_not_held'],
    attempt: async (climber, team) => {
      const { id } = await team.invite('friend@example.com', 'data');
      return await climber.send('DELETE', `${team.path}/invitations/${id}`);
    },
  },
  {
    title: 'change a built-in role',
    expected: [409, 'builtin_role'],
    attempt: (climber, team) => climber.send('PATCH', `${team.path}/roles/member`, { permissions: ['*'] }),
  },
  {
    title: 'take the name of a built-in role',
    expected: [409, 'role_exists'],
    attempt: (climber, team) => climber.post(`${team.path}/roles`, { name: 'owner', permissions: [] }),
  },
];

describe('a member who tries to gain more permissions', () => {
  let program: SharedProgram;
  let url: string;
  let team: Team;
  let climber: SignedUp;

  beforeAll(async () => {
    program = await sharedProgram();
    url = program.url;
  });
  beforeEach(async () => {
    team = await Team.found(url, program.database);
    await team.makeRole('climber', ADMINISTRATION);
    await team.makeRole('data', ['data:*:*']);
    climber = await team.take('climber');
  });

  it.each(ATTEMPTS)('is refused if they try to: $title', async ({ attempt, expected }) => {
    const before = await team.roles();
    expect(outcomeOf(await attempt(climber.client, team, climber.userId))).toEqual(expected);
    expect(await team.roles()).toEqual(before);
    const ended = await program.database.query(
      `SELECT FROM invitations WHERE org_id = $1 AND status <> 'pending' AND role <> 'climber'`,
      [team.orgId],
    );
    expect(ended).toEqual([]);
    const shown = await climber.client.get('/auth/v1/permissions');
    expect(shown.body.permissions).toEqual(ADMINISTRATION);
    if (expected[1] === 'permission_not_held') {
      expect(await team.lastAudit()).toMatchObject({
        action: expect.stringMatching(/_refused$/),
        actor_id: climber.userId,
        details: { reason: 'permission_not_held' },
      });
    }
  });

  it('gains nothing from a role that grew between the invitation and its acceptance', async () => {
    const friend = await signUp(url);
    await team.makeRole('growing', ['auth:members:read']);
    const { link } = await team.invite(friend.email, 'growing', climber.client);
    await team.owner.client.send('PATCH', `${team.path}/roles/growing`, { permissions: ['*'] });
    const accepted = await friend.client.post('/auth/v1/invitations/accept', { token: tokenOf(link) });
    expect(outcomeOf(accepted)).toEqual([409, 'invitation_void']);
    expect(await team.roles()).not.toHaveProperty(friend.userId);
  });

  it('may invite an address again after an invitation to a higher role has expired', async () => {
    const { id } = await team.invite('friend@example.com', 'owner');
    await program.database.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [id]);
    expect((await team.invite('friend@example.com', 'climber', climber.client)).status).toBe('pending');
  });

  it('may do everything that needs only permissions that they hold', async () => {
    const member = await team.take('climber');
    const made = await climber.client.post(`${team.path}/roles`, {
      name: 'reader',
      permissions: ['auth:members:read', 'auth:roles:*'],
    });
    expect(made.status).toBe(201);
    expect((await team.changeRole(member, 'reader', climber.client)).status).toBe(200);
    const narrowed = await climber.client.send('PATCH', `${team.path}/roles/reader`, {
      permissions: ['auth:members:read'],
    });
    expect(narrowed.status).toBe(200);
    const removed = await climber.client.send('DELETE', `${team.path}/members/${member.userId}`);
    expect(removed.status).toBe(204);
    expect((await climber.client.send('DELETE', `${team.path}/roles/reader`)).status).toBe(204);
  });
});
