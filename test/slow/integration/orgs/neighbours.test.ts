import pg from 'pg';
import { Client, signUp } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import { stopExpiry } from '../../../support/clocks.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { PostgresProxy } from '../../../support/postgres-proxy.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';
import { outcomeOf, Team, tokenOf } from '../../../integration/orgs/team.js';

const POOL_SIZE = 4;
const CHANGES = 50;
/** One is at work and a hundred wait; whoever comes then is told to come again. */
const MOST_IN_LINE = 101;

let environment: TestEnvironment;
let proxy: PostgresProxy;
let service: ServiceInProcess;
let team: Team;
let neighbour: Team;

beforeAll(async () => {
  environment = await createEnvironment();
  proxy = await PostgresProxy.start(environment.database.url);
  await environment.deploy('echo', 'export default () => Response.json({})');
  service = await ServiceInProcess.start({
    ...environment.variables,
    SERVICE_DATABASE__URL: proxy.url,
    SERVICE_DATABASE__POOL_SIZE: String(POOL_SIZE),
    SERVICE_ROLE: 'api',
  });
});

afterAll(async () => {
  await service.stop();
  await proxy.stop();
  await environment.dispose();
});

beforeEach(async () => {
  team = await Team.found(service.url, environment.database);
  neighbour = await Team.found(service.url, environment.database);
});

/** Connections of the program that wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const waiting = await environment.database.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'service' AND wait_event_type = 'Lock'`,
  );
  return waiting.length;
}

/** Does something while someone else holds a lock. */
async function whileHeld(lock: string, parameters: unknown[], work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: environment.database.url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(lock, parameters);
    await work();
  } finally {
    await holder.end();
  }
}

const HELD = [
  {
    what: 'changes of roles',
    lock: 'SELECT FROM organizations WHERE id = $1 FOR UPDATE',
    ask: (nth: number) =>
      team.owner.client.post(`${team.path}/roles`, { name: `role-${nth}`, permissions: [] }),
    status: 201,
  },
  {
    what: 'registrations of jobs',
    lock: 'SELECT pg_advisory_xact_lock(7316020, hashtext($1))',
    ask: (nth: number) =>
      team.owner.client.post('/jobs/v1/jobs', { jobs: [{ id: `job-${nth}`, name: 'J', handler: 'echo' }] }),
    status: 200,
  },
  {
    what: 'secrets',
    lock: 'SELECT FROM audit_chains WHERE id = $1 FOR UPDATE',
    ask: (nth: number) => team.owner.client.send('PUT', `/vault/v1/secrets/s${nth}`, { value: 'v' }),
    status: 204,
  },
  {
    what: 'requests that are denied on record',
    lock: 'SELECT FROM audit_chains WHERE id = $1 FOR UPDATE',
    ask: () => team.owner.client.as(guestToken).get(`${team.path}/api-keys`),
    status: 403,
  },
];

let guestToken = '';

describe('while a lock of one organization is held elsewhere', () => {
  it.each(HELD)(
    '50 $what wait with one connection, requests of another organization are served, and all 50 succeed afterwards',
    async ({ what, lock, ask, status }) => {
      const guest = await team.take('member');
      guestToken = guest.accessToken;
      const of = lock.includes('audit_chains') ? `org:${team.orgId}` : team.orgId;
      let answers: Promise<Answer>[] = [];
      await whileHeld(lock, [of], async () => {
        answers = Array.from({ length: CHANGES }, (_, nth) => ask(nth));
        await until(async () => (await waitingForLocks()) > 0);
        // Its list, its change, and somebody who signs up: each needs a connection.
        expect((await neighbour.owner.client.get(`${neighbour.path}/members`)).status).toBe(200);
        const role = { name: 'reader', permissions: [] };
        expect((await neighbour.owner.client.post(`${neighbour.path}/roles`, role)).status).toBe(201);
        await signUp(service.url);
        expect([what, await waitingForLocks()]).toEqual([what, 1]);
      });
      const statuses = (await Promise.all(answers)).map((answer) => answer.status);
      expect(new Set(statuses)).toEqual(new Set([status]));
    },
    30_000,
  );

  it('callers that wait for changes of many organizations do not block changes by other callers', async () => {
    const ids = [team.orgId];
    for (let nth = 0; nth < 8; nth += 1) {
      const organization = { slug: `${team.slug}-${nth}`, name: 'One of many' };
      const { body } = await team.owner.client.post<{ id: string }>('/auth/v1/orgs', organization);
      ids.push(body.id);
    }
    let answers: Promise<Answer>[] = [];
    const lock = 'SELECT FROM organizations WHERE id = ANY ($1) FOR UPDATE';
    await whileHeld(lock, [ids], async () => {
      answers = ids.map((id) =>
        team.owner.client.in(id).post(`/auth/v1/orgs/${id}/roles`, { name: 'reader', permissions: [] }),
      );
      await until(async () => (await waitingForLocks()) > 0);
      const role = { name: 'reader', permissions: [] };
      expect((await neighbour.owner.client.post(`${neighbour.path}/roles`, role)).status).toBe(201);
      expect(await waitingForLocks()).toBe(1);
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201]));
  });

  it('further changes of it are refused with Retry-After once a hundred wait, and change nothing', async () => {
    const answers: Promise<Answer>[] = [];
    const known: Answer[] = [];
    await whileHeld('SELECT FROM organizations WHERE id = $1 FOR UPDATE', [team.orgId], async () => {
      for (let nth = 0; nth < MOST_IN_LINE + 20; nth += 1) {
        const answer = team.owner.client.post(`${team.path}/roles`, { name: `r${nth}`, permissions: [] });
        answers.push(answer);
        void answer.then((arrived) => known.push(arrived));
      }
      await until(() => known.length === 20);
      for (const refused of known) {
        expect(outcomeOf(refused)).toEqual([503, 'overloaded']);
        expect(refused.headers.get('retry-after')).toBe('1');
      }
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(MOST_IN_LINE);
    expect(statuses.filter((status) => status === 503)).toHaveLength(20);
  });
});

describe('the membership of a user in many organizations', () => {
  const OTHERS = 300;
  const PERMISSIONS = Array.from({ length: 200 }, (_, nth) => `data:${String(nth).padEnd(180, 'x')}:read`);

  async function joinMany(userId: string): Promise<void> {
    await environment.database.query(
      `WITH made AS (
         INSERT INTO organizations (id, slug, name, created_at)
         SELECT gen_random_uuid(), 'many-' || gen_random_uuid()::text || '-o', 'One of many', now()
         FROM generate_series(1, $2) RETURNING id
       ), roles AS (
         INSERT INTO roles (org_id, name, permissions) SELECT id, 'large', $3 FROM made
       )
       INSERT INTO members (org_id, user_id, role) SELECT id, $1, 'large' FROM made`,
      [userId, OTHERS, PERMISSIONS],
    );
  }

  it('is looked up only in the organization that a request names, whatever the roles in the others allow', async () => {
    const member = await team.take('member');
    await joinMany(member.userId);
    await service.hearOfChanges();
    const before = proxy.bytesAnswered;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => member.client.in(team.orgId).get('/auth/v1/permissions')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    // The permissions of the other roles are 11 MB.
    expect(proxy.bytesAnswered - before).toBeLessThan(100_000);
    const unnamed = await new Client(service.url).as(member.accessToken).get('/auth/v1/permissions');
    expect(outcomeOf(unnamed)).toEqual([400, 'org_required']);
    const profile = await member.client.get<{ orgs: unknown[] }>('/auth/v1/user');
    expect(profile.body.orgs).toHaveLength(OTHERS + 1);
    expect(proxy.bytesAnswered - before).toBeLessThan(300_000);
  });

  it('is answered from memory until it changes, even if the user has one organization and the request names none', async () => {
    const member = await signUp(service.url);
    const ask = async (): Promise<unknown> => outcomeOf(await member.client.get('/auth/v1/permissions'));
    expect(await ask()).toEqual([400, 'org_required']);
    const join = async (each: Team): Promise<void> => {
      const token = tokenOf((await each.invite(member.email, 'member')).link);
      expect((await member.client.post('/auth/v1/invitations/accept', { token })).status).toBe(200);
    };
    await join(team);
    expect(await ask()).toEqual([200]);
    expect(await service.statementsOnceWarm(ask)).toEqual([]);
    await join(neighbour);
    expect(await ask()).toEqual([400, 'org_required']);
    expect(await service.statementsOnceWarm(ask)).toEqual([]);
    expect((await neighbour.owner.client.send('DELETE', neighbour.path)).status).toBe(204);
    expect(await ask()).toEqual([200]);
    await team.owner.client.send('DELETE', `${team.path}/members/${member.userId}`);
    expect(await ask()).toEqual([400, 'org_required']);
    expect(outcomeOf(await member.client.get(team.path))).toEqual([403, 'not_a_member']);
  });

  it('stays cached for one organization when another is changed or renamed', async () => {
    const member = await team.take('member');
    const ask = async (): Promise<unknown> =>
      outcomeOf(await member.client.in(team.slug).get('/auth/v1/permissions'));
    const expiry = stopExpiry();
    expect(await ask()).toEqual([200]);
    await service.hearOfChanges();
    await neighbour.makeRole('reader', []);
    await neighbour.owner.client.send('PATCH', `${neighbour.path}/roles/reader`, { permissions: ['a:b:c'] });
    await neighbour.owner.client.send('PATCH', neighbour.path, { name: 'Renamed' });
    await service.hearOfChanges();
    expect(await service.statementsOf(ask)).toEqual([]);
    expiry.mockRestore();
  });
});
