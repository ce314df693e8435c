import { Client, signUp } from '../../support/client.js';
import type { Answer, SignedUp } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { Team } from '../../integration/orgs/team.js';

const LIMIT_MS = 1_000;

describe('a change on one instance', () => {
  let environment: TestEnvironment;
  let here: ServiceProcess;
  let there: ServiceProcess;
  let team: Team;
  let member: SignedUp;
  /** The member, calling the other instance. */
  let memberThere: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    here = await ServiceProcess.start(environment.variables);
    there = await ServiceProcess.start(environment.variables);
  }, 120_000);

  afterAll(async () => {
    await Promise.all([here.stop(), there.stop()]);
    await environment.dispose();
  });

  beforeEach(async () => {
    team = await Team.found(here.url ?? '', environment.database);
    await team.makeRole('reader', ['auth:members:read']);
    member = await team.take('reader');
    memberThere = new Client(there.url ?? '', member.client.headers);
    // Whatever the other instance keeps in memory of the member is there from now on.
    expect((await memberThere.get(`${team.path}/members`)).status).toBe(200);
  });

  async function followsWithinASecond(ask: () => Promise<Answer>, status: number): Promise<void> {
    await until(async () => (await ask()).status === status, LIMIT_MS);
  }

  it('of a member’s role is one on the other within a second', async () => {
    expect((await team.changeRole(member, 'member')).status).toBe(200);
    await followsWithinASecond(() => memberThere.get(`${team.path}/members`), 403);
  });

  it('of what a role allows is one on the other within a second', async () => {
    await team.owner.client.send('PATCH', `${team.path}/roles/reader`, { permissions: [] });
    await followsWithinASecond(() => memberThere.get(`${team.path}/members`), 403);
  });

  it('that removes a member removes them on the other within a second', async () => {
    await team.owner.client.send('DELETE', `${team.path}/members/${member.userId}`);
    await followsWithinASecond(() => memberThere.get(team.path), 403);
  });

  it('that takes a member in does so on the other within a second', async () => {
    const stranger = await signUp(here.url ?? '');
    const strangerThere = new Client(there.url ?? '', stranger.client.headers);
    expect((await strangerThere.get(team.path)).status).toBe(403);
    const { link } = await team.invite(stranger.email, 'reader');
    const token = new URL(link ?? '').searchParams.get('token');
    expect((await stranger.client.post('/auth/v1/invitations/accept', { token })).status).toBe(200);
    await followsWithinASecond(() => strangerThere.get(team.path), 200);
  });

  it('of a slug is one on the other within a second, and the old slug goes on', async () => {
    const slug = `${team.slug}-2`;
    const ask = (): Promise<Answer> => memberThere.in(team.orgId).get(`/auth/v1/orgs/${slug}`);
    expect((await ask()).status).toBe(403);
    await team.owner.client.send('PATCH', team.path, { slug });
    await followsWithinASecond(ask, 200);
    expect((await memberThere.in(team.orgId).get(`/auth/v1/orgs/${team.slug}`)).status).toBe(200);
  });

  it('that deletes the organization deletes it on the other within a second', async () => {
    await team.owner.client.send('DELETE', team.path);
    await followsWithinASecond(() => memberThere.get(team.path), 403);
  });
});
