import { makeKey } from '../../../support/api-keys.js';
import { Client, signUp } from '../../../support/client.js';
import type { Answer, SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { addFactor } from '../../../support/second-factor.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { PROMPTLY_MS } from '../../promptly.js';
import { Team } from '../../../integration/orgs/team.js';
import { Followed } from '../logs/followed.js';

const OPERATOR = 'the-operator-of-two-instances';
const FOLLOWING = '/jobs/v1/logs?follow=true';

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
    const variables = { ...environment.variables, SERVICE_ADMIN__TOKEN: OPERATOR };
    here = await ServiceProcess.start(variables);
    there = await ServiceProcess.start(variables);
  });

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
    await until(async () => (await ask()).status === status, PROMPTLY_MS);
  }

  it('of a member’s role is one on the other within a second', async () => {
    expect((await team.changeRole(member, 'member')).status).toBe(200);
    await followsWithinASecond(() => memberThere.get(`${team.path}/members`), 403);
  });

  it('of what a role allows is one on the other within a second', async () => {
    await team.owner.client.send('PATCH', `${team.path}/roles/reader`, { permissions: [] });
    await followsWithinASecond(() => memberThere.get(`${team.path}/members`), 403);
  });

  it('that requires a second factor does so on the other within a second, until there is one', async () => {
    await addFactor(team.owner.client);
    await team.owner.client.send('PATCH', team.path, { require_second_factor: true });
    await followsWithinASecond(() => memberThere.get(`${team.path}/members`), 403);
    await addFactor(member.client);
    await followsWithinASecond(() => memberThere.get(`${team.path}/members`), 200);
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

  describe('cuts off, on the other within a second, who follows logs there', () => {
    let followed: Followed;
    let key: { id: string; key: string };
    /** Of whom none of the changes is. */
    let unconcerned: Followed[];

    const follow = async (client: Client): Promise<Followed> => {
      const opened = await Followed.open(client.at(there.url ?? '').in(team.orgId), FOLLOWING);
      expect(opened.status).toBe(200);
      return opened;
    };

    beforeEach(async () => {
      await team.makeRole('follower', ['jobs:logs:read']);
      expect((await team.changeRole(member, 'follower')).status).toBe(200);
      key = await makeKey(team.owner.client, team.orgId, ['jobs:logs:read']);
      await until(async () => (await memberThere.get('/jobs/v1/logs')).status === 200, PROMPTLY_MS);
      const other = await Team.found(here.url ?? '', environment.database);
      const colleague = await team.take('admin');
      followed = await follow(member.client);
      unconcerned = [
        await follow(colleague.client),
        await Followed.open(other.owner.client.at(there.url ?? ''), FOLLOWING),
      ];
    });

    afterEach(() => {
      for (const each of [followed, ...unconcerned]) each.drop();
    });

    const operator = (): Client => new Client(here.url ?? '').as(OPERATOR);

    it.each<[string, () => Promise<Answer>]>([
      [
        'a member who is removed',
        () => team.owner.client.send('DELETE', `${team.path}/members/${member.userId}`),
      ],
      ['a member who gets a lesser role', () => team.changeRole(member, 'reader')],
      [
        'a member whose role is narrowed',
        () => team.owner.client.send('PATCH', `${team.path}/roles/follower`, { permissions: [] }),
      ],
      [
        'a member whose account is disabled',
        () => operator().send('PATCH', `/admin/v1/users/${member.userId}`, { disabled: true }),
      ],
    ])('%s', async (_, change) => {
      expect((await change()).status).toBeLessThan(300);
      await until(() => followed.isClosed, PROMPTLY_MS);
      expect(unconcerned.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    });

    it('an API key that is revoked', async () => {
      const byKey = await follow(new Client('').as(key.key));
      await team.owner.client.send('DELETE', `${team.path}/api-keys/${key.id}`);
      await until(() => byKey.isClosed, PROMPTLY_MS);
      expect([followed, ...unconcerned].map(({ isClosed }) => isClosed)).toEqual([false, false, false]);
    });

    it('everyone of an organization that is deleted', async () => {
      const byKey = await follow(new Client('').as(key.key));
      const [colleague, ofOther] = unconcerned;
      await team.owner.client.send('DELETE', team.path);
      await until(() => [followed, byKey, colleague].every((each) => each?.isClosed === true), PROMPTLY_MS);
      expect(ofOther?.isClosed).toBe(false);
    });
  });
});
