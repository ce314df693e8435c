import { addMember, keyAuditOf, makeKey } from '../../support/api-keys.js';
import type { MadeKey } from '../../support/api-keys.js';
import { Client, signUpOwner } from '../../support/client.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

const FIELDS = [
  'id',
  'name',
  'prefix',
  'permissions',
  'created_by',
  'creator_type',
  'creator_name',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
];

describe('API keys of an organization', () => {
  let program: SharedProgram;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let path: string;

  beforeAll(async () => {
    program = await sharedProgram();
  });
  beforeEach(async () => {
    owner = await signUpOwner(program.url);
    path = `/auth/v1/orgs/${owner.slug}/api-keys`;
  });

  describe('making one', () => {
    it('answers 201 with the key, which is in the trail but not the key itself', async () => {
      const wanted = { name: 'Export', permissions: ['data:orders:read', 'jobs:*:*'] };
      const { status, headers, body } = await owner.client.post<MadeKey>(path, wanted);
      expect(status).toBe(201);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(Object.keys(body).sort()).toEqual([...FIELDS, 'key'].sort());
      expect(body).toMatchObject({
        ...wanted,
        prefix: `svc_${body.id}`,
        created_by: owner.userId,
        creator_type: 'user',
        creator_name: owner.email,
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
      });
      expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(body.key).toMatch(new RegExp(`^svc_${body.id}_[0-9A-Za-z]{49}$`));
      const trail = await keyAuditOf(program.database, owner.orgId);
      expect(trail).toEqual([
        {
          actor_type: 'user',
          actor_id: owner.userId,
          action: 'api_key.created',
          target_type: 'api_key',
          target_id: body.id,
          details: { ...wanted, expires_at: null },
        },
      ]);
      expect(JSON.stringify(trail)).not.toContain(body.key);
    });

    it('keeps an expiry, and names a permission once', async () => {
      const made = await makeKey(owner.client, owner.orgId, ['a:b:c', 'a:b:c'], {
        expires_at: '2099-01-31T13:00:00+01:00',
      });
      expect(made).toMatchObject({ permissions: ['a:b:c'], expires_at: '2099-01-31T12:00:00.000Z' });
      expect((await makeKey(owner.client, owner.orgId, ['*'], { expires_at: null })).expires_at).toBeNull();
    });

    it.each([
      ['nothing', {}, ['name', 'permissions']],
      ['no permissions', { name: 'k', permissions: [] }, ['permissions']],
      ['permissions that are no list', { name: 'k', permissions: '*' }, ['permissions']],
      [
        'malformed permissions',
        { name: 'k', permissions: ['a:b:c', 'a:b', 7, '**', 'a:b:c d', null] },
        ['permissions[1]', 'permissions[2]', 'permissions[3]', 'permissions[4]', 'permissions[5]'],
      ],
      ['too many', { name: 'k', permissions: Array(201).fill('a:b:c') }, ['permissions']],
      ['too long', { name: 'k', permissions: [`a:b:${'c'.repeat(200)}`] }, ['permissions[0]']],
      [
        'too long together',
        { name: 'k', permissions: Array(100).fill(`a:b:${'c'.repeat(160)}`) },
        ['permissions'],
      ],
      [
        'several things wrong at once',
        { name: ' ', permissions: ['x'], expires_at: '2001-01-01T00:00:00Z', more: 1 },
        ['name', 'permissions[0]', 'expires_at', 'more'],
      ],
      ['a local time', { name: 'k', permissions: ['*'], expires_at: '2099-01-01T00:00:00' }, ['expires_at']],
      ['a day', { name: 'k', permissions: ['*'], expires_at: '2099-01-01' }, ['expires_at']],
      ['no such day', { name: 'k', permissions: ['*'], expires_at: '2099-02-30T00:00:00Z' }, ['expires_at']],
      ['a week', { name: 'k', permissions: ['*'], expires_at: '2099-W10-1T00:00:00Z' }, ['expires_at']],
      ['a number', { name: 'k', permissions: ['*'], expires_at: 4_070_908_800 }, ['expires_at']],
      ['a long name', { name: 'k'.repeat(201), permissions: ['*'] }, ['name']],
      ['NUL in the name', { name: 'k\0', permissions: ['*'] }, ['name']],
    ])('refuses %s with 400 and the paths', async (_, body, paths) => {
      const answer = await owner.client.post<{ error: { code: string; details: { path: string }[] } }>(
        path,
        body,
      );
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('validation_failed');
      expect([...new Set(answer.body.error.details.map((problem) => problem.path))].sort()).toEqual(
        [...paths].sort(),
      );
    });
  });

  describe('listing them', () => {
    it('shows newest first, in pages, revoked ones too, and never a key', async () => {
      const made: MadeKey[] = [];
      for (let count = 0; count < 5; count += 1) made.push(await makeKey(owner.client, owner.orgId, ['*']));
      await owner.client.send('DELETE', `${path}/${made[1]?.id ?? ''}`);
      const shown: MadeKey[] = [];
      let next: string | undefined = `${path}?limit=2`;
      while (next !== undefined) {
        const page: { body: MadeKey[]; headers: Headers } = await owner.client.get<MadeKey[]>(next);
        expect(page.body.length).toBeLessThanOrEqual(2);
        shown.push(...page.body);
        next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      }
      expect(shown.map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse());
      for (const key of shown) expect(Object.keys(key).sort()).toEqual([...FIELDS].sort());
      expect(shown.filter(({ revoked_at }) => revoked_at !== null).map(({ id }) => id)).toEqual([
        made[1]?.id,
      ]);
    });

    it('gives nothing after a cursor from before the first key, and takes one from far in the future', async () => {
      const { id } = await makeKey(owner.client, owner.orgId, ['*']);
      for (const [position, ids] of [
        ['0 00000000', []],
        ['99999999999999 zzzzzzzz', [id]],
      ] as const) {
        const cursor = Buffer.from(position).toString('base64url');
        const { status, body } = await owner.client.get<MadeKey[]>(`${path}?cursor=${cursor}`);
        expect([status, body.map((key) => key.id)]).toEqual([200, ids]);
      }
    });

    it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=MjAyNi0wMS0wMQ', 'more=1'])(
      'refuses ?%s',
      async (query) => {
        expect(await owner.client.get(`${path}?${query}`)).toMatchObject({
          status: 400,
          body: { error: { code: 'validation_failed' } },
        });
      },
    );
  });

  describe('revoking one', () => {
    it('answers 204, ends it immediately, and leaves one audit entry however often it is repeated', async () => {
      const made = await makeKey(owner.client, owner.orgId, ['*']);
      const client = new Client(program.url).as(made.key);
      expect((await client.get('/auth/v1/permissions')).status).toBe(200);
      expect(await owner.client.send('DELETE', `${path}/${made.id}`)).toMatchObject({
        status: 204,
        body: null,
      });
      expect((await client.get('/auth/v1/permissions')).status).toBe(401);
      const before = await owner.client.get<MadeKey[]>(path);
      expect((await owner.client.send('DELETE', `${path}/${made.id}`)).status).toBe(204);
      expect((await owner.client.get<MadeKey[]>(path)).body).toEqual(before.body);
      const trail = await keyAuditOf(program.database, owner.orgId);
      expect(trail.map(({ action, target_id }) => [action, target_id])).toEqual([
        ['api_key.created', made.id],
        ['api_key.revoked', made.id],
      ]);
    });

    it('answers 404 for an unknown key and for one of another organization, which lives on', async () => {
      const other = await signUpOwner(program.url);
      const theirs = await makeKey(other.client, other.orgId, ['*']);
      for (const id of ['00000000', 'x', theirs.id]) {
        expect(await owner.client.send('DELETE', `${path}/${id}`)).toMatchObject({
          status: 404,
          body: { error: { code: 'key_not_found' } },
        });
      }
      expect((await new Client(program.url).as(theirs.key).get('/auth/v1/permissions')).status).toBe(200);
    });
  });

  it('demands the permission of each route, and membership before that', async () => {
    const made = await makeKey(owner.client, owner.orgId, ['*']);
    const body = { name: 'k', permissions: ['data:orders:read'] };
    const calls: [string, string, string, unknown?][] = [
      ['auth:keys:read', 'GET', path],
      ['auth:keys:create', 'POST', path, body],
      ['auth:keys:delete', 'DELETE', `${path}/${made.id}`],
    ];
    const stranger = await signUpOwner(program.url);
    for (const [permission, method, itsPath, itsBody] of calls) {
      expect(await new Client(program.url).send(method, itsPath, itsBody)).toMatchObject({
        status: 401,
        body: { error: { code: 'unauthenticated' } },
      });
      expect(
        await new Client(program.url).as(stranger.accessToken).send(method, itsPath, itsBody),
      ).toMatchObject({
        status: 403,
        body: { error: { code: 'not_a_member' } },
      });
      const others = calls.map(([each]) => each).filter((each) => each !== permission);
      const held = [...others, 'data:*:*', 'auth:members:*', 'auth:roles:*'];
      const { client } = await addMember(program.url, program.database, owner.orgId, held);
      expect(await client.send(method, itsPath, itsBody)).toMatchObject({
        status: 403,
        body: { error: { code: 'permission_denied' } },
      });
      const key = await makeKey(owner.client, owner.orgId, held);
      expect(await new Client(program.url).as(key.key).send(method, itsPath, itsBody)).toMatchObject({
        status: 403,
        body: { error: { code: 'permission_denied' } },
      });
    }
  });

  it('are open only to callers with the permission', async () => {
    const held = ['auth:keys:*', 'data:orders:read'];
    const { client, userId } = await addMember(program.url, program.database, owner.orgId, held);
    const made = await makeKey(client, owner.orgId, ['data:orders:read']);
    expect(made.created_by).toBe(userId);
    expect((await client.get(path)).status).toBe(200);
    expect((await client.send('DELETE', `${path}/${made.id}`)).status).toBe(204);
  });
});
