import { randomBytes } from 'node:crypto';
import { signUp } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { Team, tokenOf } from '../../../integration/orgs/team.js';
import { sharedProgram } from '../../../support/shared-program.js';
import type { SharedProgram } from '../../../support/shared-program.js';

const OWNERS = 10;
const ROUNDS = 30;

describe('simultaneous changes of organizations', () => {
  let program: SharedProgram;
  let url: string;
  let team: Team;

  beforeAll(async () => {
    program = await sharedProgram();
    url = program.url;
  });
  beforeEach(async () => {
    team = await Team.found(url, program.database);
  });

  it('leave one owner when ten owners demote or remove each other', async () => {
    const owners: SignedUp[] = [team.owner];
    while (owners.length < OWNERS) owners.push(await team.take('owner'));
    const ownersLeft: number[] = [];
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each takes on the next one; in every third round each tries to leave, too.
      const attempts = owners.map(async ({ client }, index) => {
        const other = owners[(index + 1 + round) % OWNERS] as SignedUp;
        return round % 3 === 0
          ? await client.in(team.orgId).send('DELETE', `${team.path}/members/${other.userId}`)
          : await team.changeRole(other, 'member', client.in(team.orgId));
      });
      for (const { status } of await Promise.all(attempts)) statuses.add(status);
      const roles = Object.values(await team.roles());
      ownersLeft.push(roles.filter((role) => role === 'owner').length);
      await restoreOwners(owners);
    }
    expect(ownersLeft).toHaveLength(ROUNDS);
    expect(Math.min(...ownersLeft)).toBeGreaterThanOrEqual(1);
    for (const status of statuses) expect([200, 204, 403, 404, 409]).toContain(status);
  });

  /** By SQL, so that every round begins alike; the service hears of it as it does from another instance. */
  async function restoreOwners(owners: readonly SignedUp[]): Promise<void> {
    await program.database.query(
      `INSERT INTO members (org_id, user_id, role) SELECT $1, unnest($2::uuid[]), 'owner'
       ON CONFLICT (org_id, user_id) DO UPDATE SET role = 'owner'`,
      [team.orgId, owners.map(({ userId }) => userId)],
    );
    await program.database.query(`SELECT pg_notify('service_changes', 'membership:*')`);
  }

  it('do not let an owner who has just been demoted demote others', async () => {
    const other = await team.take('owner');
    const third = await team.take('owner');
    const answers = await Promise.all([
      team.changeRole(third, 'member', other.client),
      team.changeRole(other, 'member', third.client),
      team.changeRole(team.owner, 'member', other.client),
      team.changeRole(team.owner, 'member', third.client),
    ]);
    const roles = await team.roles();
    expect(Object.values(roles)).toContain('owner');
    expect(answers.some(({ status }) => status !== 200)).toBe(true);
  });

  it('leave one pending invitation and one valid link when one address is invited several times', async () => {
    const user = await signUp(url);
    const made = await Promise.all(Array.from({ length: 6 }, () => team.invite(user.email, 'member')));
    const pending = await program.database.query(
      `SELECT id FROM invitations WHERE org_id = $1 AND status = 'pending'`,
      [team.orgId],
    );
    expect(pending).toHaveLength(1);
    const statuses: number[] = [];
    for (const { link } of made) {
      const answer = await user.client.post('/auth/v1/invitations/accept', { token: tokenOf(link) });
      statuses.push(answer.status);
    }
    expect(statuses.sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });

  it('do not delete a role that an invitation or a member is getting', async () => {
    const member = await team.take('member');
    for (let round = 0; round < 10; round += 1) {
      const role = `role-${round}`;
      await team.makeRole(role, []);
      const [, deleted, assigned] = await Promise.all([
        team.owner.client.post(`${team.path}/invitations`, { email: `${role}@example.com`, role }),
        team.owner.client.send('DELETE', `${team.path}/roles/${role}`),
        team.changeRole(member, role),
      ]);
      expect([204, 409]).toContain(deleted.status);
      expect([200, 400]).toContain(assigned.status);
    }
    const orphans = await program.database.query(
      `SELECT id FROM invitations invitation WHERE org_id = $1 AND status = 'pending' AND NOT EXISTS
         (SELECT FROM roles WHERE roles.org_id = invitation.org_id AND roles.name = invitation.role)`,
      [team.orgId],
    );
    expect(orphans).toEqual([]);
  });

  it('give a slug to only one of several organizations, even at the moment when its holder gives it up', async () => {
    for (let round = 0; round < 10; round += 1) {
      const slug = `wanted-${randomBytes(4).toString('hex')}`;
      const holder = await Team.found(url, program.database);
      await holder.owner.client.send('PATCH', holder.path, { slug });
      const rivals = await Promise.all([signUp(url), signUp(url), signUp(url)]);
      const [moved, ...taken] = await Promise.all([
        holder.owner.client.send('PATCH', holder.path, { slug: `${slug}-new` }),
        ...rivals.map(({ client }) => client.post('/auth/v1/orgs', { slug, name: 'X' })),
        team.owner.client.send('PATCH', team.path, { slug }),
      ]);
      expect(moved.status).toBe(200);
      expect(taken.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
      const shown = await holder.owner.client.get(`/auth/v1/orgs/${slug}`);
      expect(shown.body.id).toBe(holder.orgId);
    }
  });

  it('refuse two organizations that swap their slugs', async () => {
    const other = await Team.found(url, program.database);
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all([
        team.owner.client.send('PATCH', team.path, { slug: other.slug }),
        other.owner.client.send('PATCH', other.path, { slug: team.slug }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([409, 409]);
    }
  });
});
