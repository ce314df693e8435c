import { Client, signUp, signUpOwner } from '../../../support/client.js';
import { fetch } from '../../../support/fetch.js';
import { createOperatorAccount } from '../../../support/operator-account.js';
import { sharedProgram } from '../../../support/shared-program.js';
import type { SharedProgram } from '../../../support/shared-program.js';
import { until } from '../../../support/until.js';
import { ConsoleCaller } from '../console/console-caller.js';
import { signInOperator } from '../console/operator-accounts.js';

interface EntryBody {
  id: string;
  actor: { type: string; id: string | null; name: string | null };
  action: string;
  target: { type: string; id: string; name: string | null } | null;
  change: { before: unknown; after: unknown } | null;
}

const ENTRIES = 40_000;

describe('reading audit trails', () => {
  let program: SharedProgram;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let path: string;

  beforeAll(async () => {
    program = await sharedProgram();
    owner = await signUpOwner(program.url);
    path = `/auth/v1/orgs/${owner.slug}/audit`;
  });

  async function list(query: string): Promise<EntryBody[]> {
    return (await owner.client.get<EntryBody[]>(`${path}?${query}`)).body;
  }

  /** Entries of the organization that only their number matters of. */
  async function fill(orgId: string, count: number): Promise<void> {
    await program.database.query(
      `INSERT INTO audit_entries
         (id, chain_id, position, at, actor_type, action, org_id, details, body, prev_hash, hash)
       SELECT gen_random_uuid(), 'filled:' || $1::text, number, now(), 'system', 'test.filled', $1::uuid,
              jsonb_build_object('text', repeat('x', 800)), '{}', '\\x00', '\\x00'
       FROM generate_series(1, $2::int) AS number`,
      [orgId, count],
    );
  }

  it('shows the names of accounts, API keys and the organization beside their ids', async () => {
    const { body: key } = await owner.client.post<{ id: string; key: string }>(
      `/auth/v1/orgs/${owner.slug}/api-keys`,
      { name: 'Nightly export', permissions: ['auth:*:*', 'data:orders:read'] },
    );
    const byKey = new Client(program.url, { authorization: `Bearer ${key.key}` });
    await byKey.post(`/auth/v1/orgs/${owner.slug}/roles`, {
      name: 'reader',
      permissions: ['data:orders:read'],
    });
    const [made] = await list('action=role.created');
    expect(made?.actor).toEqual({ type: 'api_key', id: key.id, name: 'Nightly export' });
    const [created] = await list('action=api_key.created');
    expect(created?.actor).toEqual({ type: 'user', id: owner.userId, name: owner.email });
    expect(created?.target).toEqual({ type: 'api_key', id: key.id, name: 'Nightly export' });
  });

  it('shows values before and after a change', async () => {
    await owner.client.send('PATCH', `/auth/v1/orgs/${owner.slug}`, { name: 'Renamed' });
    const [renamed] = await list('action=org.updated');
    expect(renamed?.change).toEqual({ before: { name: expect.any(String) }, after: { name: 'Renamed' } });
    const member = await signUp(program.url);
    await program.database.query("INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'member')", [
      owner.orgId,
      member.userId,
    ]);
    await owner.client.send('PATCH', `/auth/v1/orgs/${owner.slug}/members/${member.userId}`, {
      role: 'admin',
    });
    const [promoted] = await list('action=member.role_changed');
    expect(promoted).toMatchObject({
      target: { type: 'user', id: member.userId, name: member.email },
      change: { before: 'member', after: 'admin' },
    });
  });

  it('is filtered by the address of an actor and by a target', async () => {
    await owner.client.post(`/auth/v1/orgs/${owner.slug}/roles`, { name: 'one', permissions: [] });
    await owner.client.post(`/auth/v1/orgs/${owner.slug}/roles`, { name: 'two', permissions: [] });
    const created = (entries: EntryBody[]): unknown[] =>
      entries.filter(({ action }) => action === 'role.created').map(({ target }) => target?.id);
    expect(created(await list('target=one'))).toEqual(['one']);
    expect(created(await list('target=role:two'))).toEqual(['two']);
    expect(created(await list('target=role')).slice(0, 2)).toEqual(['two', 'one']);
    expect(await list('target=user:two')).toEqual([]);
    expect((await list(`actor=${encodeURIComponent(owner.email)}&target=one`)).length).toBe(1);
    expect(await list('actor=nobody@example.com')).toEqual([]);
  });

  it('exports what matches the filters as newline-delimited JSON and as CSV', async () => {
    const json = await fetch(`${program.url}${path}/export?action=role.*`, { headers: owner.client.headers });
    expect(json.headers.get('content-type')).toBe('application/x-ndjson');
    expect(json.headers.get('content-disposition')).toBe('attachment; filename="audit.ndjson"');
    const lines = (await json.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as EntryBody)).toEqual(await list('action=role.*&limit=100'));
    const csv = await fetch(`${program.url}${path}/export?action=org.created&format=csv`, {
      headers: { ...owner.client.headers, 'user-agent': '=cmd()' },
    });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, entry, end] = (await csv.text()).split('\r\n');
    expect(header).toMatch(/^id,at,actor_type,actor_id,actor_name,action,/);
    expect(entry).toContain(`,user,${owner.userId},${owner.email},org.created,org,${owner.orgId},`);
    expect(end).toBe('');
    const refused = await owner.client.get(`${path}/export?format=xml`);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
  });

  it('finds who changed a job in one request, behind more entries than a search examines', async () => {
    const other = await signUpOwner(program.url);
    const client = other.client.in(other.slug);
    await program.deploy('any', 'export default () => Response.json({})');
    await client.post('/jobs/v1/jobs', { jobs: [{ id: 'report', name: 'Report', handler: 'any' }] });
    const [registered] = (await client.get<EntryBody[]>(`/auth/v1/orgs/${other.slug}/audit`)).body;
    // In the same millisecond as the registration, and after it.
    await program.database.query(
      `INSERT INTO audit_entries
         (id, chain_id, position, at, actor_type, action, org_id, details, body, prev_hash, hash)
       SELECT (left($3, 13) || '-7fff-bfff-' || lpad(to_hex(number), 12, '0'))::uuid, 'later:' || $1::text, number,
              now(), 'system', 'test.later', $1::uuid, '{}', '{}', '\\x00', '\\x00'
       FROM generate_series(1, $2::int) AS number`,
      [other.orgId, ENTRIES, registered?.id],
    );
    const found = await client.get<EntryBody[]>(`/auth/v1/orgs/${other.slug}/audit?target=job:report`);
    expect(found.body.map(({ action }) => action)).toEqual(['jobs.registered']);
    expect(found.headers.get('link')).toBeNull();
  });

  it('verifies the chain, and names the first place where it does not hold', async () => {
    const other = await signUpOwner(program.url);
    const verification = `/auth/v1/orgs/${other.slug}/audit/verification`;
    expect(await other.client.get(verification)).toMatchObject({
      status: 200,
      body: { state: 'intact', entries: 1, broken: null },
    });
    await program.database.query(
      `INSERT INTO audit_entries
         (id, chain_id, position, at, actor_type, action, org_id, details, body, prev_hash, hash)
       VALUES (gen_random_uuid(), 'org:' || $1::text, 2, now(), 'system', 'test.forged', $1::uuid, '{}', '{}', '\\x00', '\\x00')`,
      [other.orgId],
    );
    expect(await other.client.get(verification)).toMatchObject({
      status: 200,
      body: {
        state: 'broken',
        broken: { position: 2, entry_id: expect.any(String), problem: 'broken_link' },
      },
    });
    const stranger = await signUp(program.url);
    expect((await stranger.client.get(verification)).status).toBe(403);
  });

  it('shows an operator the entries of the whole deployment, and of one organization', async () => {
    const operator = new Client(program.url, { authorization: `Bearer ${program.adminToken}` });
    const all = await operator.get<EntryBody[]>('/admin/v1/audit?action=org.created&limit=1');
    expect(all).toMatchObject({ status: 200, body: [{ action: 'org.created' }] });
    const one = await operator.get<EntryBody[]>(`/admin/v1/audit?org_id=${owner.orgId}&action=org.created`);
    expect(one.body.map(({ target }) => target?.id)).toEqual([owner.orgId]);
    const file = await fetch(
      `${program.url}/admin/v1/audit/export?org_id=${owner.orgId}&action=org.created`,
      {
        headers: operator.headers,
      },
    );
    expect((await file.text()).trimEnd().split('\n')).toHaveLength(1);
    expect((await owner.client.get('/admin/v1/audit')).status).toBe(401);
  });

  it('looks at a limited number of entries in one request, and finds the rest by the next pages', async () => {
    const large = await signUpOwner(program.url);
    await fill(large.orgId, ENTRIES);
    let next: string | undefined = `/auth/v1/orgs/${large.slug}/audit?action=org.created`;
    let pages = 0;
    const found: EntryBody[] = [];
    while (next !== undefined && pages < 10) {
      const { headers, body }: { headers: Headers; body: EntryBody[] } =
        await large.client.get<EntryBody[]>(next);
      pages += 1;
      found.push(...body);
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(found.map(({ action }) => action)).toEqual(['org.created']);
    expect(pages).toBe(2);
  });

  it("breaks an operator's export off when they operate nothing any more", async () => {
    const large = await signUpOwner(program.url);
    await fill(large.orgId, ENTRIES);
    const operator = await createOperatorAccount(program.database, 'organization', 'read_only');
    const token = await signInOperator(new ConsoleCaller(program.url), operator);
    const response = await fetch(`${program.url}/admin/v1/audit/export?org_id=${large.orgId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await program.database.query('DELETE FROM operators WHERE user_id = $1', [operator.userId]);
    const whole = (async (): Promise<void> => {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        await large.client.get('/auth/v1/user');
    })();
    await expect(whole).rejects.toThrow();
  });

  it('gives one caller two exports of one trail at a time, whose places are free once their readers have left', async () => {
    const large = await signUpOwner(program.url);
    await fill(large.orgId, 60_000);
    const url = `${program.url}/auth/v1/orgs/${large.slug}/audit/export`;
    const leaving = new AbortController();
    const { headers } = large.client;
    // More than the buffers on the way hold, and nobody reads it.
    const open = await Promise.all([1, 2].map(() => fetch(url, { headers, signal: leaving.signal })));
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    expect((await fetch(url, { headers })).status).toBe(429);
    leaving.abort();
    await until(async () => {
      const response = await fetch(`${url}?action=nothing.matches`, { headers });
      await response.arrayBuffer();
      return response.status === 200;
    });
  });

  it('breaks an export off when the caller loses access', async () => {
    const large = await signUpOwner(program.url);
    await fill(large.orgId, ENTRIES);
    const keys = `/auth/v1/orgs/${large.slug}/api-keys`;
    const { body: key } = await large.client.post<{ id: string; key: string }>(keys, {
      name: 'export',
      permissions: ['auth:audit:read'],
    });
    const reading = new Client(program.url, { authorization: `Bearer ${key.key}` });
    const trail = `/auth/v1/orgs/${large.slug}/audit`;
    const response = await fetch(`${program.url}${trail}/export`, { headers: reading.headers });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let bytes = (await reader.read()).value?.length ?? 0;
    expect((await large.client.send('DELETE', `${keys}/${key.id}`)).status).toBe(204);
    await until(async () => (await reading.get(trail)).status === 401);
    const whole = (async (): Promise<void> => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        bytes += part.value.length;
        // So that this reader is slower than the service.
        await large.client.get('/auth/v1/user');
      }
    })();
    await expect(whole).rejects.toThrow();
    expect(bytes).toBeLessThan(ENTRIES * 800);
  });
});
