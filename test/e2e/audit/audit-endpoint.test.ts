import { Client, signUp, signUpOwner } from '../../support/client.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

interface EntryBody {
  id: string;
  at: string;
  actor: { type: string; id: string | null };
  action: string;
  prev_hash: string;
  hash: string;
}

describe("an organization's audit trail", () => {
  let program: SharedProgram;
  let url: string;

  beforeAll(async () => {
    program = await sharedProgram();
    url = program.url;
  });
  /** A user who is a member of the organization, with the built-in role `member`. */
  async function memberOf(orgId: string): Promise<Awaited<ReturnType<typeof signUp>>> {
    const member = await signUp(url);
    await program.database.query('INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, $3)', [
      orgId,
      member.userId,
      'member',
    ]);
    return member;
  }

  it('tells what happened, who was refused what, and how the entries are chained', async () => {
    const owner = await signUpOwner(url);
    const member = await memberOf(owner.orgId);
    const path = `/auth/v1/orgs/${owner.slug}/audit`;
    const refused = await member.client.with({ 'user-agent': 'curious/1.0' }).get(path);
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: expect.objectContaining({ code: 'permission_denied' }) },
    ]);
    const { status, body } = await owner.client.get<EntryBody[]>(path);
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actor: { type: 'user', id: member.userId, name: member.email },
        action: 'permission.denied',
        target: null,
        org_id: owner.orgId,
        ip: '127.0.0.1',
        user_agent: 'curious/1.0',
        details: { permission: 'auth:audit:read', method: 'GET', route: '/auth/v1/orgs/:org/audit' },
        change: null,
        prev_hash: body[1]?.hash,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      expect.objectContaining({
        actor: { type: 'user', id: owner.userId, name: owner.email },
        action: 'org.created',
        target: { type: 'org', id: owner.orgId, name: expect.any(String) },
        prev_hash: '0'.repeat(64),
      }),
    ]);
    const stranger = await signUp(url);
    expect((await stranger.client.get(path)).status).toBe(403);
    expect((await new Client(url).get(path)).status).toBe(401);
  });

  it('names an invitation by its address, also when it was withdrawn', async () => {
    const owner = await signUpOwner(url);
    const path = `/auth/v1/orgs/${owner.slug}`;
    const email = `invited.${owner.email}`;
    const { body: made } = await owner.client.post<{ id: string }>(`${path}/invitations`, {
      email,
      role: 'member',
    });
    expect((await owner.client.send('DELETE', `${path}/invitations/${made.id}`)).status).toBe(204);
    const { body } = await owner.client.get<unknown[]>(`${path}/audit?action=invitation.*`);
    const target = { type: 'invitation', id: made.id, name: email };
    expect(body).toMatchObject([
      { action: 'invitation.revoked', target },
      { action: 'invitation.created', target },
    ]);
  });

  it('is filtered by actor, action and time, and paged', async () => {
    const owner = await signUpOwner(url);
    const member = await memberOf(owner.orgId);
    const path = `/auth/v1/orgs/${owner.orgId}/audit`;
    for (let count = 0; count < 5; count += 1) await member.client.get(path);
    const list = async (query: string): Promise<EntryBody[]> =>
      (await owner.client.get<EntryBody[]>(`${path}?${query}`)).body;
    const all = await list('');
    expect(all).toHaveLength(6);
    expect(await list(`actor=${member.userId}`)).toEqual(all.slice(0, 5));
    expect(await list(`actor=user`)).toEqual(all);
    expect(await list(`actor=system`)).toEqual([]);
    expect(await list('action=org.created')).toEqual(all.slice(5));
    expect(await list('action=permission.*')).toEqual(all.slice(0, 5));
    expect(await list('action=permission')).toEqual([]);
    expect(await list('action=permission_denied')).toEqual([]);
    const at = all[5]?.at ?? '';
    expect(await list(`until=${at}`)).toEqual([]);
    expect((await list(`since=${at}`)).at(-1)).toEqual(all[5]);
    expect(await list(`since=${encodeURIComponent('2100-01-01T00:00:00+02:00')}`)).toEqual([]);

    const seen: EntryBody[] = [];
    let next: string | undefined = `${path}?limit=2&action=permission.*`;
    while (next !== undefined) {
      const page: { headers: Headers; body: EntryBody[] } = await owner.client.get<EntryBody[]>(next);
      seen.push(...page.body);
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(all.slice(0, 5));
  });

  it('is filtered by a job, which finds its pauses, and the manifests and pauses of several jobs that changed it', async () => {
    const owner = await signUpOwner(url);
    const client = owner.client.in(owner.slug);
    await program.deploy('any', 'export default () => Response.json({})');
    const job = (id: string, retries = 0): unknown => ({ id, name: id, handler: 'any', retries });
    const register = async (...jobs: unknown[]): Promise<void> => {
      expect((await client.post('/jobs/v1/jobs', { jobs })).status).toBe(200);
    };
    await register(job('mail'), job('report'));
    await register(job('mail', 1), job('report'));
    await register(job('mail', 1), job('report', 2));
    await client.send('PATCH', '/jobs/v1/jobs/report', { paused: true });
    await client.send('PATCH', '/jobs/v1/jobs', { paused: false });
    await client.send('PATCH', '/jobs/v1/jobs', { paused: true });
    const actions = async (target: string): Promise<string[]> =>
      (
        await client.get<EntryBody[]>(
          `/auth/v1/orgs/${owner.slug}/audit?target=${encodeURIComponent(target)}`,
        )
      ).body.map(({ action }) => action);
    expect(await actions('job:report')).toEqual([
      'jobs.paused',
      'jobs.resumed',
      'job.paused',
      'jobs.registered',
      'jobs.registered',
    ]);
    expect(await actions('job:mail')).toEqual(['jobs.paused', 'jobs.registered', 'jobs.registered']);
    expect(await actions('job:repor')).toEqual([]);
    expect(await actions('role:report')).toEqual([]);
  });

  it.each([
    'since=yesterday',
    'since=2026-02-31T00:00:00Z',
    'until=2026-01-01T00:00:00',
    'until=2026-01-01',
    'action=%25',
    'action=',
    'actor=',
    'limit=101',
    'cursor=bm90IGFuIGlk',
    'colour=red',
  ])('refuses ?%s', async (query) => {
    const owner = await signUpOwner(url);
    const answer = await owner.client.get(`/auth/v1/orgs/${owner.slug}/audit?${query}`);
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: expect.objectContaining({ code: 'validation_failed' }) },
    ]);
  });

  it('is never that of another organization', async () => {
    const [mine, theirs] = [await signUpOwner(url), await signUpOwner(url)];
    expect((await mine.client.get(`/auth/v1/orgs/${theirs.slug}/audit`)).status).toBe(400);
    expect(
      (await new Client(url).as(mine.accessToken).get(`/auth/v1/orgs/${theirs.slug}/audit`)).status,
    ).toBe(403);
  });

  it('names nothing after an id that a caller chose', async () => {
    const [mine, theirs] = [await signUpOwner(url), await signUpOwner(url)];
    const put = await mine.client.send('PUT', `/vault/v1/secrets/${theirs.orgId}`, { value: 'abc' });
    expect(put.status).toBe(204);
    const { body } = await mine.client.get<{ target: unknown }[]>(`/auth/v1/orgs/${mine.slug}/audit`);
    expect(body[0]?.target).toEqual({ type: 'secret', id: theirs.orgId, name: null });
  });
});
