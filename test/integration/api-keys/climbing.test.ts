import { addMember, keyAuditOf, makeKey } from '../../support/api-keys.js';
import { Client, signUpOwner } from '../../support/client.js';
import { sharedProgram, untilNotified } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

const HELD = ['auth:keys:create', 'data:orders:*', 'data:*:read'];
const MORE = [
  ['*'],
  ['*:*:*'],
  ['data:*:*'],
  ['data:customers:write'],
  ['*:orders:read'],
  ['auth:keys:*'],
  ['auth:keys:delete'],
  ['auth:members:update'],
  ['auth:roles:create'],
  ['data:orders:read', 'jobs:jobs:trigger'],
  ['data:Orders:write'],
];
const NO_MORE = [['auth:keys:create'], ['data:orders:delete', 'data:customers:read'], HELD];

describe('the creator of an API key', () => {
  let program: SharedProgram;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let path: string;

  beforeAll(async () => {
    program = await sharedProgram();
    owner = await signUpOwner(program.url);
    path = `/auth/v1/orgs/${owner.orgId}/api-keys`;
  });
  async function climber(type: 'user' | 'api_key'): Promise<{ id: string; client: Client }> {
    if (type === 'user') {
      const member = await addMember(program.url, program.database, owner.orgId, HELD);
      return { id: member.userId, client: member.client };
    }
    const { id, key } = await makeKey(owner.client, owner.orgId, HELD);
    return { id, client: new Client(program.url).as(key) };
  }

  describe.each(['user', 'api_key'] as const)('as %s', (type) => {
    it.each(MORE.map((permissions) => ({ permissions })))(
      'cannot give it what it does not hold: $permissions',
      async ({ permissions }) => {
        const { id, client } = await climber(type);
        const wanted = { name: 'A way up', permissions };
        expect(await client.post(path, wanted)).toMatchObject({
          status: 403,
          body: { error: { code: 'permission_not_held' } },
        });
        expect((await keyAuditOf(program.database, owner.orgId)).at(-1)).toEqual({
          actor_type: type,
          actor_id: id,
          action: 'api_key.create_refused',
          target_type: 'org',
          target_id: owner.orgId,
          details: { reason: 'permission_not_held', ...wanted },
        });
        const made = await program.database.query('SELECT FROM api_keys WHERE created_by = $1', [id]);
        expect(made).toEqual([]);
      },
    );

    it.each(NO_MORE.map((permissions) => ({ permissions })))(
      'can give it what it holds: $permissions',
      async ({ permissions }) => {
        const { id, client } = await climber(type);
        const made = await makeKey(client, owner.orgId, permissions);
        expect(made.created_by).toBe(id);
      },
    );
  });

  it.each(['user', 'api_key'] as const)(
    'as %s cannot revoke a key with permissions that it does not hold',
    async (type) => {
      const held = ['auth:keys:delete', 'data:orders:*'];
      const { database } = program;
      const member = await addMember(program.url, database, owner.orgId, held);
      const lesser = await makeKey(owner.client, owner.orgId, held);
      const client = type === 'user' ? member.client : new Client(program.url).as(lesser.key);
      const greater = [
        await makeKey(owner.client, owner.orgId, ['*']),
        await makeKey(owner.client, owner.orgId, ['data:customers:read']),
      ];
      for (const { id, key } of greater) {
        expect(await client.send('DELETE', `${path}/${id}`)).toMatchObject({
          status: 403,
          body: { error: { code: 'permission_not_held' } },
        });
        expect((await keyAuditOf(database, owner.orgId)).at(-1)).toMatchObject({
          action: 'api_key.revoke_refused',
          target_id: id,
          details: { reason: 'permission_not_held' },
        });
        expect((await new Client(program.url).as(key).get('/auth/v1/permissions')).status).toBe(200);
      }
      const equal = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
      expect((await client.send('DELETE', `${path}/${equal.id}`)).status).toBe(204);
      // What is dead already can do nothing, and asking again succeeds.
      const [first] = greater;
      expect((await owner.client.send('DELETE', `${path}/${first?.id ?? ''}`)).status).toBe(204);
      expect((await client.send('DELETE', `${path}/${first?.id ?? ''}`)).status).toBe(204);
    },
  );

  describe('by a key that expires', () => {
    const END = new Date(Date.now() + 3_600_000);
    const at = (ms: number): string => new Date(END.getTime() + ms).toISOString();

    async function expiring(): Promise<{ id: string; client: Client }> {
      const { id, key } = await makeKey(owner.client, owner.orgId, HELD, { expires_at: END.toISOString() });
      return { id, client: new Client(program.url).as(key) };
    }

    it.each([
      ['no expiry', {}],
      ['null as its expiry', { expires_at: null }],
      ['an expiry a millisecond later', { expires_at: at(1) }],
      ['an expiry a year later', { expires_at: at(365 * 86_400_000) }],
    ])('cannot give it %s, and the attempt is on record', async (_, expiry) => {
      const { id, client } = await expiring();
      const refused = await client.post(path, {
        name: 'Longer',
        permissions: ['auth:keys:create'],
        ...expiry,
      });
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'key_outlives_maker' } } });
      expect(JSON.stringify(refused.body)).toContain(END.toISOString());
      expect((await keyAuditOf(program.database, owner.orgId)).at(-1)).toMatchObject({
        actor_id: id,
        action: 'api_key.create_refused',
        details: { reason: 'key_outlives_maker' },
      });
      expect(await program.database.query('SELECT FROM api_keys WHERE created_by = $1', [id])).toEqual([]);
    });

    it('can give it the same expiry or an earlier one, and the new key is limited in the same way', async () => {
      const { client } = await expiring();
      const same = await makeKey(client, owner.orgId, HELD, { expires_at: at(0) });
      expect(same.expires_at).toBe(at(0));
      const earlier = await makeKey(new Client(program.url).as(same.key), owner.orgId, HELD, {
        expires_at: at(-60_000),
      });
      const later = { name: 'Later', permissions: HELD, expires_at: at(-59_000) };
      expect((await new Client(program.url).as(earlier.key).post(path, later)).status).toBe(403);
    });
  });

  it('is limited to its current permissions, not to cached ones', async () => {
    const demoted = await addMember(program.url, program.database, owner.orgId, ['*']);
    const removed = await addMember(program.url, program.database, owner.orgId, ['*']);
    const disabled = await addMember(program.url, program.database, owner.orgId, ['*']);
    const revoked = await makeKey(owner.client, owner.orgId, ['*']);
    const revokedClient = new Client(program.url).as(revoked.key);
    const clients = [demoted.client, removed.client, disabled.client, revokedClient];
    await untilNotified(program);
    for (const client of clients) expect((await client.get(path)).status).toBe(200);
    const { database } = program;
    // Nobody announces these, so every cache still says otherwise.
    await database.query('UPDATE roles SET permissions = $2 WHERE org_id = $1 AND name = $3', [
      owner.orgId,
      ['auth:keys:read'],
      demoted.role,
    ]);
    await database.query('DELETE FROM members WHERE user_id = $1', [removed.userId]);
    await database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.userId]);
    await database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [revoked.id]);
    const victim = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
    const answers: string[][] = [];
    for (const client of clients) {
      const made = await client.post<{ error: { code: string } }>(path, { name: 'k', permissions: ['*'] });
      const ended = await client.send<{ error: { code: string } }>('DELETE', `${path}/${victim.id}`);
      answers.push([made.body.error.code, ended.body.error.code]);
    }
    expect(answers).toEqual([
      ['permission_denied', 'permission_denied'],
      ['not_a_member', 'not_a_member'],
      ['not_a_member', 'not_a_member'],
      ['invalid_api_key', 'invalid_api_key'],
    ]);
    expect((await new Client(program.url).as(victim.key).get('/auth/v1/permissions')).status).toBe(200);
  });
});
