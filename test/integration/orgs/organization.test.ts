import { randomUUID } from 'node:crypto';
import { Client, signUp, signUpOwner } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { outcomeOf, pathsOf, Team } from './team.js';
import { connect } from '../data-events/watched.js';
import { until } from '../../support/until.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

describe('an organization', () => {
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

  it('is shown to its members, by id and by slug', async () => {
    const member = await team.take('member');
    for (const reference of [team.orgId, team.slug]) {
      const { status, body } = await member.client.in(reference).get(`/auth/v1/orgs/${reference}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: team.orgId,
        slug: team.slug,
        name: 'An organization',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        require_second_factor: false,
      });
    }
  });

  it('is refused alike to a stranger and when it does not exist', async () => {
    const stranger = await signUp(url);
    const refusals = await Promise.all(
      [team.orgId, team.slug, randomUUID(), 'no-such-slug'].map(async (reference) =>
        outcomeOf(await stranger.client.get(`/auth/v1/orgs/${reference}`)),
      ),
    );
    expect(new Set(refusals.map(String))).toEqual(new Set(['403,not_a_member']));
  });

  it('never takes a reference of UUID form for a slug', async () => {
    const uuid = randomUUID();
    // No request makes such a slug; the database could hold one all the same.
    await program.database.query('UPDATE organizations SET slug = $2 WHERE id = $1', [team.orgId, uuid]);
    const answer = await team.owner.client.in(team.orgId).get(`/auth/v1/orgs/${uuid}`);
    expect(outcomeOf(answer)).toEqual([403, 'not_a_member']);
    const create = await team.owner.client.post('/auth/v1/orgs', { slug: randomUUID(), name: 'X' });
    expect([outcomeOf(create), pathsOf(create)]).toEqual([[400, 'validation_failed'], ['slug']]);
    const rename = await team.owner.client.in(team.orgId).send('PATCH', team.path, { slug: randomUUID() });
    expect([outcomeOf(rename), pathsOf(rename)]).toEqual([[400, 'validation_failed'], ['slug']]);
  });

  it('is refused when header and path name different organizations', async () => {
    const other = await Team.found(url, program.database);
    const answer = await team.owner.client.in(other.slug).get(team.path);
    expect(outcomeOf(answer)).toEqual([400, 'org_mismatch']);
  });

  it('is renamed by its owner, immediately for every member, with an audit entry', async () => {
    const { status, body } = await team.owner.client.send('PATCH', team.path, { name: 'Renamed' });
    expect([status, body.name, body.slug]).toEqual([200, 'Renamed', team.slug]);
    const shown = await team.owner.client.get<{ org: { name: string } }>('/auth/v1/permissions');
    expect(shown.body.org.name).toBe('Renamed');
    expect(await team.lastAudit()).toMatchObject({
      action: 'org.updated',
      actor_type: 'user',
      actor_id: team.owner.userId,
      target_id: team.orgId,
      details: { name: { from: 'An organization', to: 'Renamed' } },
    });
  });

  it('is neither renamed nor deleted by an admin', async () => {
    const admin = await team.take('admin');
    for (const [method, body] of [['PATCH', { name: 'X' }], ['DELETE']] as const) {
      const answer = await admin.client.send(method, team.path, body);
      expect(outcomeOf(answer)).toEqual([403, 'permission_denied']);
    }
  });

  it('is created by the operator for a proven address alone, or for an account by its id', async () => {
    const { email, userId, client } = await signUp(url);
    const operator = new Client(url).as(program.adminToken);
    const create = async (owner: object): Promise<{ slug: string; answer: Answer }> => {
      const slug = `org-${randomUUID().slice(0, 13)}`;
      return { slug, answer: await operator.post('/admin/v1/orgs', { slug, name: 'Acme', ...owner }) };
    };
    const roleIn = async (slug: string): Promise<unknown> =>
      (await client.in(slug).get('/auth/v1/permissions')).body.role;

    const refused = await create({ owner_email: email });
    expect([outcomeOf(refused.answer), pathsOf(refused.answer)]).toEqual([
      [403, 'email_not_verified'],
      ['owner_email'],
    ]);
    expect(await program.database.query('SELECT FROM organizations WHERE slug = $1', [refused.slug])).toEqual(
      [],
    );
    const known = await create({ owner_id: userId });
    expect([known.answer.status, await roleIn(known.slug)]).toEqual([201, 'owner']);
    await program.database.query('UPDATE users SET email_verified = true WHERE id = $1', [userId]);
    const nobodys = await create({ owner_email: `nobody.${email}` });
    expect(outcomeOf(nobodys.answer)).toEqual([404, 'user_not_found']);
    expect(JSON.stringify(nobodys.answer.body)).toContain('There is no user with this address.');
    const proven = await create({ owner_email: email });
    expect([proven.answer.status, await roleIn(proven.slug)]).toEqual([201, 'owner']);
  });

  it('is shown, renamed and deleted by the operator, in their name', async () => {
    const operator = new Client(url).as(program.adminToken);
    await team.take('member');
    const path = `/admin/v1/orgs/${team.slug}`;
    expect((await operator.get(path)).body).toMatchObject({ id: team.orgId, slug: team.slug, members: 2 });
    const slug = `${team.slug}-new`;
    const changed = await operator.send('PATCH', path, { name: 'Acme', slug, require_second_factor: true });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ id: team.orgId, name: 'Acme', slug, require_second_factor: true }),
    ]);
    expect(await team.lastAudit()).toMatchObject({
      action: 'org.updated',
      actor_type: 'operator',
      details: { slug: { from: team.slug, to: slug }, require_second_factor: { from: false, to: true } },
    });
    expect((await team.owner.client.in(slug).get('/auth/v1/permissions')).status).toBe(403);
    const taken = await Team.found(url, program.database);
    const refused = await operator.send('PATCH', `/admin/v1/orgs/${taken.slug}`, { slug });
    expect(outcomeOf(refused)).toEqual([409, 'slug_taken']);

    // A former slug leads there, too.
    expect((await operator.send('DELETE', path)).status).toBe(204);
    for (const reference of [team.orgId, team.slug, slug, 'no-such-slug'])
      expect(outcomeOf(await operator.get(`/admin/v1/orgs/${reference}`))).toEqual([404, 'org_not_found']);
    expect(outcomeOf(await operator.send('DELETE', path))).toEqual([404, 'org_not_found']);
    const left = await team.owner.client.get<{ id: string }[]>('/auth/v1/orgs');
    expect(left.body.map(({ id }) => id)).not.toContain(team.orgId);
    expect(await team.lastAudit()).toMatchObject({ action: 'org.deleted', actor_type: 'operator' });
  });

  it.each([
    ['PUT', '/vault/v1/secrets/late', { value: 'late' }],
    ['POST', '/jobs/v1/signing-secret/rotate', undefined],
    ['GET', '/jobs/v1/signing-secret', undefined],
  ])('keeps nothing of %s %s that comes while it is being deleted', async (method, path, body) => {
    const deletion = await connect(program.database.url);
    try {
      await deletion.query('BEGIN');
      await deletion.query('DELETE FROM organizations WHERE id = $1', [team.orgId]);
      const late = team.owner.client.in(team.orgId).send(method, path, body);
      await until(async () => {
        const waiting = await program.database.query(
          `SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%FROM organizations WHERE id = $1 FOR KEY SHARE%'`,
        );
        return waiting.length > 0;
      });
      await deletion.query('COMMIT');
      expect(outcomeOf(await late)).toEqual([403, 'not_a_member']);
    } finally {
      await deletion.end();
    }
    const left = await program.database.query(
      `SELECT id FROM vault_secrets WHERE tenant_id = $1 UNION ALL SELECT id FROM signing_secrets WHERE tenant_id = $1`,
      [team.orgId],
    );
    expect(left).toEqual([]);
  });

  it('is not deleted by an owner of another, who calls the operator’s address', async () => {
    const { client } = await signUpOwner(url);
    expect((await client.send('DELETE', `/admin/v1/orgs/${team.slug}`)).status).toBe(401);
    expect((await team.owner.client.get(team.path)).status).toBe(200);
  });

  it.each([
    [{ slug: 'Upper' }, ['slug']],
    [{ slug: '-a' }, ['slug']],
    [{ slug: 'a--b' }, ['slug']],
    [{ slug: 'a'.repeat(64) }, ['slug']],
    [{ slug: null, name: null }, ['slug', 'name']],
    [{ name: ' ' }, ['name']],
    [{ name: 'x'.repeat(81) }, ['name']],
    [{ name: 'Acme\nBcc: all' }, ['name']],
    [{ name: 'Win at https://evil.example' }, ['name']],
    [{ unknown: 1 }, ['unknown']],
  ])('refuses the change %j', async (change, paths) => {
    const answer = await team.owner.client.send('PATCH', team.path, change);
    expect([outcomeOf(answer), pathsOf(answer)]).toEqual([[400, 'validation_failed'], paths]);
  });

  describe('whose slug changed', () => {
    let newSlug: string;

    beforeEach(async () => {
      newSlug = `${team.slug}-2`;
      const changed = await team.owner.client.send('PATCH', team.path, { slug: newSlug });
      expect([changed.status, changed.body.slug]).toEqual([200, newSlug]);
    });

    it('is found by both slugs, in header and in path', async () => {
      for (const slug of [team.slug, newSlug]) {
        const byPath = await team.owner.client.in(newSlug).get(`/auth/v1/orgs/${slug}`);
        expect([byPath.status, byPath.body.slug]).toEqual([200, newSlug]);
        const byHeader = await team.owner.client.in(slug).get('/auth/v1/permissions');
        expect(byHeader.status).toBe(200);
      }
    });

    it('reserves the old slug, so that no one else can create or rename an organization with it', async () => {
      const other = await signUpOwner(url);
      const made = await other.client.post('/auth/v1/orgs', { slug: team.slug, name: 'X' });
      expect(outcomeOf(made)).toEqual([409, 'slug_taken']);
      const path = `/auth/v1/orgs/${other.orgId}`;
      for (const slug of [team.slug, newSlug]) {
        const renamed = await other.client.send('PATCH', path, { slug });
        expect(outcomeOf(renamed)).toEqual([409, 'slug_taken']);
      }
    });

    it('may have the old one back, and then reserves the one it leaves', async () => {
      const owner = team.owner.client.in(team.orgId);
      const back = await owner.send('PATCH', team.path, { slug: team.slug });
      expect([back.status, back.body.slug]).toEqual([200, team.slug]);
      const reserved = await program.database.query(
        `SELECT slug, reserved_until BETWEEN now() + interval '29 days' AND now() + interval '31 days' AS "isMonth"
         FROM former_slugs WHERE org_id = $1`,
        [team.orgId],
      );
      expect(reserved).toEqual([{ slug: newSlug, isMonth: true }]);
    });

    it('gives up the old one after 30 days, when others can take it', async () => {
      await program.database.query('UPDATE former_slugs SET reserved_until = now() WHERE slug = $1', [
        team.slug,
      ]);
      const other = await signUp(url);
      const made = await other.client.post('/auth/v1/orgs', { slug: team.slug, name: 'X' });
      expect(made.status).toBe(201);
      const found = await other.client.get(`/auth/v1/orgs/${team.slug}`);
      expect([found.status, found.body.id]).toEqual([200, made.body.id]);
    });
  });

  it('takes a name of 80 characters when it is made, and no longer or linking one', async () => {
    const { client } = await signUp(url);
    const make = async (slug: string, name: string): Promise<unknown> =>
      outcomeOf(await client.post('/auth/v1/orgs', { slug: `${team.slug}-${slug}`, name }));
    expect(await make('a', 'ä'.repeat(80))).toEqual([201]);
    for (const name of ['ä'.repeat(81), 'www.evil.example', 'Acme\u2028Inc', 'Ac\u202Eme'])
      expect(await make('b', name)).toEqual([400, 'validation_failed']);
  });

  it('is listed to its members in pages, newest first', async () => {
    const { client, userId } = await signUp(url);
    await program.database.query(
      `WITH made AS (
         INSERT INTO organizations (id, slug, name, created_at)
         SELECT gen_random_uuid(), 'listed-' || nth || '-' || right($1::uuid::text, 12), 'Listed', now()
         FROM generate_series(1, 45) AS nth RETURNING id
       ), roles AS (INSERT INTO roles (org_id, name, permissions) SELECT id, 'any', '{}' FROM made)
       INSERT INTO members (org_id, user_id, role) SELECT id, $1, 'any' FROM made`,
      [userId],
    );
    const pages: number[] = [];
    const shown: string[] = [];
    let next: string | undefined = '/auth/v1/orgs';
    while (next !== undefined) {
      const page: Answer<Record<string, string>[]> = await client.get<Record<string, string>[]>(next);
      pages.push(page.body.length);
      for (const org of page.body) {
        expect(Object.keys(org).sort()).toEqual([
          'created_at',
          'id',
          'name',
          'require_second_factor',
          'slug',
        ]);
        shown.push(org.id ?? '');
      }
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(pages).toEqual([20, 20, 5]);
    expect(shown).toEqual([...new Set(shown)].sort().reverse());
    expect((await client.get<unknown[]>('/auth/v1/orgs?limit=100')).body).toHaveLength(45);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense'])
      expect(outcomeOf(await client.get(`/auth/v1/orgs?${query}`))).toEqual([400, 'validation_failed']);
  });

  it('is documented: every route with its parameters and what it refuses', async () => {
    const { body } = await team.owner.client.get<{
      paths: Record<string, Record<string, { parameters: { name: string }[]; responses: object }>>;
    }>('/openapi.json');
    const routes = Object.entries(body.paths).filter(([path]) =>
      /^\/auth\/v1\/(orgs\/\{org\}|invitations)/.test(path),
    );
    const found = routes.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters, responses }]) => {
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        const declared = parameters.map(({ name }) => name);
        expect(declared).toEqual(expect.arrayContaining(inPath));
        expect(Object.keys(responses)).toContain(path.startsWith('/auth/v1/orgs') ? '403' : '409');
        return `${method} ${path.slice('/auth/v1'.length)}`;
      }),
    );
    expect(found).toEqual(
      expect.arrayContaining([
        'get /orgs/{org}',
        'patch /orgs/{org}',
        'delete /orgs/{org}',
        'get /orgs/{org}/members',
        'patch /orgs/{org}/members/{user_id}',
        'delete /orgs/{org}/members/{user_id}',
        'get /orgs/{org}/roles',
        'post /orgs/{org}/roles',
        'get /orgs/{org}/roles/{name}',
        'patch /orgs/{org}/roles/{name}',
        'delete /orgs/{org}/roles/{name}',
        'get /orgs/{org}/invitations',
        'post /orgs/{org}/invitations',
        'delete /orgs/{org}/invitations/{id}',
        'post /invitations/accept',
      ]),
    );
  });

  it('that is deleted leaves its audit entries and nothing else, and its members have one less', async () => {
    const member = await team.take('member');
    await team.makeRole('custom', ['jobs:*:*']);
    await team.invite('someone@example.com', 'custom');
    await program.database.query(
      `INSERT INTO api_keys (id, org_id, name, secret_hash, permissions, creator_type, created_by)
       VALUES ('abcdefgh', $1, 'key', '', '{}', 'user', $2)`,
      [team.orgId, team.owner.userId],
    );
    await program.deploy('never', 'export default () => new Response()');
    await team.owner.client.post('/jobs/v1/jobs', {
      jobs: [{ id: 'later', name: 'Later', handler: 'never' }],
    });
    const run = await team.owner.client.post('/jobs/v1/jobs/later/trigger', { delay_ms: 3_600_000 });
    expect(run.status).toBe(202);

    const before = (await team.audit()).length;
    expect((await team.owner.client.send('DELETE', team.path)).status).toBe(204);

    for (const { client } of [team.owner, member]) {
      expect(outcomeOf(await client.get(team.path))).toEqual([403, 'not_a_member']);
      expect((await client.get('/auth/v1/orgs')).body).toEqual([]);
    }
    const [left] = await program.database.query(
      `SELECT (SELECT count(*)::int FROM members WHERE org_id = $1) AS members,
              (SELECT count(*)::int FROM roles WHERE org_id = $1) AS roles,
              (SELECT count(*)::int FROM invitations WHERE org_id = $1) AS invitations,
              (SELECT count(*)::int FROM api_keys WHERE org_id = $1) AS keys,
              (SELECT count(*)::int FROM jobs WHERE tenant_id = $1) AS jobs,
              (SELECT array_agg(status) FROM runs WHERE tenant_id = $1) AS runs`,
      [team.orgId],
    );
    expect(left).toEqual({ members: 0, roles: 0, invitations: 0, keys: 0, jobs: 0, runs: ['cancelled'] });
    expect(await team.audit()).toHaveLength(before + 1);
    expect(await team.lastAudit()).toMatchObject({ action: 'org.deleted', details: { slug: team.slug } });
  });
});
