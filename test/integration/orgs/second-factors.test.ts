import { Client, PASSWORD, signUp } from '../../support/client.js';
import { makeKey } from '../../support/api-keys.js';
import { addFactor } from '../../support/second-factor.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';
import { until } from '../../support/until.js';
import { outcomeOf, Team, tokenOf } from './team.js';

const REFUSED = [403, 'second_factor_required'];

/** Contract, section 11. */
describe('an organization that requires a second factor', () => {
  let program: SharedProgram;
  let team: Team;

  beforeAll(async () => {
    program = await sharedProgram();
  });

  beforeEach(async () => {
    team = await Team.found(program.url, program.database);
  });

  async function requireFactors(by: Client = team.owner.client): Promise<[number, string?]> {
    return outcomeOf(await by.send('PATCH', team.path, { require_second_factor: true }));
  }

  it('is made so only by who has one, and on record', async () => {
    expect(await requireFactors()).toEqual([409, 'factor_required']);
    await addFactor(team.owner.client);
    expect(await requireFactors()).toEqual([200]);
    expect((await team.owner.client.get(team.path)).body).toMatchObject({ require_second_factor: true });
    expect(await team.lastAudit()).toMatchObject({
      action: 'org.updated',
      details: { require_second_factor: { from: false, to: true } },
    });
  });

  it('refuses members without one, wherever they act in it, until they add one', async () => {
    const member = await team.take('member');
    expect((await member.client.get(team.path)).status).toBe(200);
    await addFactor(team.owner.client);
    await requireFactors();
    for (const path of [team.path, '/auth/v1/permissions', '/auth/v1/gate?permission=x:y:z', '/jobs/v1/jobs'])
      expect(outcomeOf(await member.client.get(path))).toEqual(REFUSED);
    // What is theirs is open to them: the way to a factor above all.
    expect((await member.client.get('/auth/v1/user')).status).toBe(200);
    expect((await member.client.get('/auth/v1/orgs')).body).toMatchObject([{ require_second_factor: true }]);
    await addFactor(member.client);
    expect((await member.client.get(team.path)).status).toBe(200);
  });

  it('closes again to a member who removes the last one', async () => {
    const member = await team.take('member');
    await addFactor(team.owner.client);
    await requireFactors();
    const { id } = await addFactor(member.client);
    expect((await member.client.get(team.path)).status).toBe(200);
    expect((await member.client.send('DELETE', `/auth/v1/factors/${id}`)).status).toBe(204);
    expect(outcomeOf(await member.client.get(team.path))).toEqual(REFUSED);
  });

  it('lets everyone leave, and nobody without a factor remove another', async () => {
    await team.makeRole('remover', ['auth:members:delete', 'auth:members:read']);
    const [member, other] = [await team.take('remover'), await team.take('member')];
    await addFactor(team.owner.client);
    await requireFactors();
    const removal = (userId: string): string => `${team.path}/members/${userId}`;
    expect(outcomeOf(await member.client.send('DELETE', removal(other.userId)))).toEqual(REFUSED);
    expect(outcomeOf(await member.client.get(removal(member.userId)))).toEqual([405, 'method_not_allowed']);
    expect((await member.client.send('DELETE', removal(member.userId.toUpperCase()))).status).toBe(204);
    expect(Object.keys(await team.roles())).not.toContain(member.userId);
  });

  it('takes in whoever is invited, and demands the factor then', async () => {
    await addFactor(team.owner.client);
    await requireFactors();
    const user = await signUp(program.url);
    const { link } = await team.invite(user.email, 'member');
    expect((await user.client.post('/auth/v1/invitations/accept', { token: tokenOf(link) })).status).toBe(
      200,
    );
    expect(outcomeOf(await user.client.get(team.path))).toEqual(REFUSED);
  });

  it('asks no API key for one', async () => {
    await addFactor(team.owner.client);
    await requireFactors();
    const { key } = await makeKey(team.owner.client, team.slug, ['auth:members:read']);
    const holder = new Client(program.url, { 'x-api-key': key });
    expect((await holder.get(`${team.path}/members`)).status).toBe(200);
  });

  it('ends the access tokens of sessions that began before the factor', async () => {
    const member = await signUp(program.url);
    const before = await member.client.get('/auth/v1/user');
    expect(before.status).toBe(200);
    const other = await member.client.post<{ access_token: string }>('/auth/v1/token?grant_type=password', {
      email: member.email,
      password: PASSWORD,
    });
    const elsewhere = member.client.as(other.body.access_token);
    expect((await elsewhere.get('/auth/v1/user')).status).toBe(200);
    await addFactor(member.client);
    await until(async () => (await elsewhere.get('/auth/v1/user')).status === 401);
    expect((await member.client.get('/auth/v1/user')).status).toBe(200);
  });
});
