import { makeKey } from '../../support/api-keys.js';
import { signUp } from '../../support/client.js';
import type { Answer, SignedUp } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceProcess } from '../../support/service-process.js';
import { outcomeOf, Team, tokenOf } from './team.js';

/** Of everything, so many may be: few, so that the tests are short, and more than a fresh organization has. */
const LIMIT = 4;
/** So many are asked for at once, on two instances in turn. */
const TRIES = 12;

let environment: TestEnvironment;
let instances: [ServiceProcess, ServiceProcess];
let team: Team;

beforeAll(async () => {
  environment = await createEnvironment();
  const limits: Record<string, string> = {};
  for (const name of [
    'ORGANIZATIONS_PER_ACCOUNT',
    'MEMBERS_PER_ORGANIZATION',
    'PENDING_INVITATIONS',
    'ROLES',
    'API_KEYS',
    'JOBS',
    'SECRETS',
    'FORMER_SLUGS',
  ])
    limits[`SERVICE_LIMITS__${name}`] = String(LIMIT);
  const variables = {
    ...environment.variables,
    SERVICE_ROLE: 'api',
    ...limits,
    SERVICE_LIMITS__MEMBERSHIPS_PER_ACCOUNT: String(LIMIT + 1),
  };
  await environment.deploy('echo', 'export default () => Response.json({})');
  instances = [await ServiceProcess.start(variables), await ServiceProcess.start(variables)];
});

afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await environment.dispose();
});

beforeEach(async () => {
  team = await Team.found(urlOf(0), environment.database);
});

function urlOf(nth: number): string {
  return instances[nth % 2 === 0 ? 0 : 1].url ?? '';
}

/** Asks for many at once, every other one at the other instance. */
async function atOnce(
  ask: (nth: number, url: string) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>[]> {
  return await Promise.all(Array.from({ length: TRIES }, (_, nth) => ask(nth, urlOf(nth))));
}

/** Expects exactly so many to be made and every other one to be refused with the name of the setting. */
function expectMade(answers: readonly Answer<unknown>[], made: number, setting: string): void {
  const refused = answers.filter(({ status }) => status >= 300);
  expect(answers.length - refused.length).toBe(made);
  for (const answer of refused) {
    expect(outcomeOf(answer)).toEqual([403, 'limit_reached']);
    expect(answer.body).toMatchObject({ error: { hint: expect.stringContaining(`limits.${setting}`) } });
  }
}

async function count(sql: string, ...parameters: unknown[]): Promise<number> {
  const [row] = await environment.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${sql}`,
    parameters,
  );
  return row?.count ?? -1;
}

describe('simultaneous requests to two instances never exceed the quota of', () => {
  it('organizations that one account owns', async () => {
    const { client, userId } = await signUp(urlOf(0));
    const answers = await atOnce((nth, url) =>
      client
        .at(url)
        .post('/auth/v1/orgs', { slug: `${userId.slice(0, 8)}-${userId.slice(-8)}-${nth}`, name: 'X' }),
    );
    expectMade(answers, LIMIT, 'organizations_per_account');
    expect(await count('members WHERE user_id = $1', userId)).toBe(LIMIT);
  });

  it('roles of one organization', async () => {
    const answers = await atOnce((nth, url) =>
      team.owner.client.at(url).post(`${team.path}/roles`, { name: `role-${nth}`, permissions: [] }),
    );
    // The three built-in ones count.
    expectMade(answers, LIMIT - 3, 'roles');
    expect(await count('roles WHERE org_id = $1', team.orgId)).toBe(LIMIT);
  });

  it('former slugs: expired ones do not count, and an organization at the limit can take back its own', async () => {
    const rename = (slug: string, url = urlOf(0)): Promise<Answer> =>
      team.owner.client.in(team.orgId).at(url).send('PATCH', `/auth/v1/orgs/${team.orgId}`, { slug });
    const answers = await atOnce((nth, url) => rename(`${team.slug}-${nth}`, url));
    expectMade(answers, LIMIT, 'former_slugs');
    const former = 'former_slugs WHERE org_id = $1';
    expect(await count(former, team.orgId)).toBe(LIMIT);
    // What was refused reserved nothing and changed nothing.
    const refused = answers.findIndex(({ status }) => status === 403);
    const { client } = await signUp(urlOf(0));
    const free = { slug: `${team.slug}-${refused}`, name: 'X' };
    expect((await client.post('/auth/v1/orgs', free)).status).toBe(201);
    expect((await rename(team.slug)).status).toBe(200);
    expect(outcomeOf(await rename(`${team.slug}-more`))).toEqual([403, 'limit_reached']);
    await environment.database.query(
      `UPDATE former_slugs SET reserved_until = now()
       WHERE slug = (SELECT min(slug) FROM former_slugs WHERE org_id = $1)`,
      [team.orgId],
    );
    expect((await rename(`${team.slug}-more`)).status).toBe(200);
  });

  it('API keys: revoked and expired ones do not count', async () => {
    const { id } = await makeKey(team.owner.client, team.orgId, ['*']);
    await team.owner.client.send('DELETE', `${team.path}/api-keys/${id}`);
    const expired = await makeKey(team.owner.client, team.orgId, ['*']);
    await environment.database.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [expired.id]);
    const answers = await atOnce((nth, url) =>
      team.owner.client.at(url).post(`${team.path}/api-keys`, { name: `key-${nth}`, permissions: ['*'] }),
    );
    expectMade(answers, LIMIT, 'api_keys');
  });

  it('pending invitations: expired ones do not count, and one can be replaced at the limit', async () => {
    const { id } = await team.invite('expired@example.com', 'member');
    await environment.database.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [id]);
    const invite = (url: string, nth: number): Promise<Answer> =>
      team.owner.client
        .at(url)
        .post(`${team.path}/invitations`, { email: `guest-${nth}@example.com`, role: 'member' });
    const answers = await atOnce((nth, url) => invite(url, nth));
    expectMade(answers, LIMIT, 'pending_invitations');
    const invited = answers.findIndex(({ status }) => status === 201);
    expect((await invite(urlOf(0), invited)).status).toBe(201);
  });

  it('secrets: the value of one can be replaced at the limit', async () => {
    const set = (url: string, nth: number): Promise<Answer> =>
      team.owner.client.at(url).send('PUT', `/vault/v1/secrets/secret-${nth}`, { value: 'kept' });
    const answers = await atOnce((nth, url) => set(url, nth));
    expectMade(answers, LIMIT, 'secrets');
    expect(await count('vault_secrets WHERE tenant_id = $1', team.orgId)).toBe(LIMIT);
    const made = answers.findIndex(({ status }) => status === 204);
    expect((await set(urlOf(1), made)).status).toBe(204);
  });

  it('jobs: a registration at the limit is accepted if it adds none', async () => {
    const job = (id: string, name = 'A'): unknown => ({ id, name, handler: 'echo' });
    const register = (url: string, query: string, ...jobs: unknown[]): Promise<Answer> =>
      team.owner.client.at(url).post(`/jobs/v1/jobs${query}`, { jobs });
    const tooMany = await register(
      urlOf(0),
      '',
      ...Array.from({ length: LIMIT + 1 }, (_, nth) => job(`all-${nth}`)),
    );
    expect(outcomeOf(tooMany)).toEqual([403, 'limit_reached']);
    expect(await count('jobs WHERE tenant_id = $1', team.orgId)).toBe(0);
    const answers = await atOnce((nth, url) => register(url, '', job(`job-${nth}`)));
    expectMade(answers, LIMIT, 'jobs');
    expect(await count('jobs WHERE tenant_id = $1', team.orgId)).toBe(LIMIT);
    const made = `job-${answers.findIndex(({ status }) => status === 200)}`;
    expect((await register(urlOf(0), '', job(made, 'Renamed'))).status).toBe(200);
    expect((await register(urlOf(1), '?prune=true', job('other'), job('another'))).status).toBe(200);
  });

  it('members of one organization, when many accept invitations', async () => {
    const users: SignedUp[] = [];
    // Invited by an instance without the limit of pending invitations: here it is the joining that counts.
    for (let nth = 0; nth < TRIES / 2; nth += 1) users.push(await signUp(urlOf(nth)));
    const tokens: string[] = [];
    for (const [nth, { email }] of users.entries()) {
      tokens.push(tokenOf((await team.invite(email, 'member')).link));
      // Out of the count of those that wait, until all are made.
      if (nth >= LIMIT - 1) await extend(`- interval '8 days'`);
    }
    await extend(`+ interval '8 days'`);
    const answers = await Promise.all(
      users.map(({ client }, nth) =>
        client.at(urlOf(nth)).post('/auth/v1/invitations/accept', { token: tokens[nth] }),
      ),
    );
    // The owner is one of them.
    expectMade(answers, LIMIT - 1, 'members_per_organization');
    expect(await count('members WHERE org_id = $1', team.orgId)).toBe(LIMIT);
  });

  async function extend(by: string): Promise<void> {
    await environment.database.query(
      `UPDATE invitations SET expires_at = greatest(now() ${by}, expires_at ${by}), status = 'pending', ended_at = NULL
       WHERE org_id = $1`,
      [team.orgId],
    );
  }

  it('memberships of one account, and organizations that it becomes an owner of', async () => {
    const user = await signUp(urlOf(0));
    const teams = await Promise.all(
      Array.from({ length: LIMIT + 3 }, (_, nth) => Team.found(urlOf(nth), environment.database)),
    );
    const tokens = await Promise.all(
      teams.map(async (each) => tokenOf((await each.invite(user.email, 'member')).link)),
    );
    const accepted = await Promise.all(
      tokens.map((token, nth) => user.client.at(urlOf(nth)).post('/auth/v1/invitations/accept', { token })),
    );
    expectMade(accepted, LIMIT + 1, 'memberships_per_account');
    expect(await count('members WHERE user_id = $1', user.userId)).toBe(LIMIT + 1);
    const joined = teams.filter((_, nth) => accepted[nth]?.status === 200);
    const promoted = await Promise.all(
      joined.map((each, nth) => each.changeRole(user, 'owner', each.owner.client.at(urlOf(nth)))),
    );
    expectMade(promoted, LIMIT, 'organizations_per_account');
  });
});
