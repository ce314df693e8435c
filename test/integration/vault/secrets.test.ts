import { randomBytes } from 'node:crypto';
import { UnsealError } from '../../../src/platform/crypto/index.js';
import { Database } from '../../../src/platform/database/index.js';
import type { TenantId } from '../../../src/http/index.js';
import { SecretUses, Vault } from '../../../src/vault/index.js';
import { addMember, makeKey } from '../../support/api-keys.js';
import { Client, deleteTenant, signUpOwner } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { itInOrganizations } from '../../support/profile.js';

const SECRETS = '/vault/v1/secrets';

interface SecretBody {
  path: string;
  created_at: string;
  updated_at: string;
}

function codeOf({ status, body }: Answer<unknown>): [number, string | undefined] {
  return [status, (body as { error?: { code: string } } | null)?.error?.code];
}

describe('the vault', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let client: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    owner = await signUpOwner(service.url);
    ({ client } = owner);
  });

  const set = async (path: string, value: unknown, as = client): Promise<Answer<unknown>> =>
    await as.send('PUT', `${SECRETS}/${path}`, { value });

  const valueOf = async (path: string, tenantId = owner.orgId): Promise<string | null> =>
    await service.application
      .get(Vault)
      .read(service.application.get(Database).reader, tenantId as TenantId, path);

  const auditOf = async (): Promise<{ action: string; target_id: string; details: unknown }[]> =>
    await environment.database.query(
      `SELECT action, target_type, target_id, actor_id, details FROM audit_entries
       WHERE org_id = $1 AND action LIKE 'secret.%' ORDER BY position`,
      [owner.orgId],
    );

  it('accepts a value with 204, and returns its path and times but never the value', async () => {
    const value = `value-${randomBytes(12).toString('hex')}`;
    const made = await set('github/webhook', value);
    expect([made.status, made.body]).toEqual([204, null]);
    const shown = await client.get<SecretBody>(`${SECRETS}/github/webhook`);
    expect([shown.status, shown.body]).toEqual([
      200,
      { path: 'github/webhook', created_at: expect.any(String), updated_at: shown.body.created_at },
    ]);
    const listed = await client.get(SECRETS);
    expect([listed.status, listed.body]).toEqual([200, [shown.body]]);
    expect(await valueOf('github/webhook')).toBe(value);
  });

  it.each([
    'whsec_YWJj\n',
    ' whsec_YWJj',
    'whsec_YWJj ',
    'whsec_not base64!',
    'whsec_YWJjZ',
    'whsec_YWI==',
    'whsec_',
    'v1,whsec_YWJj',
    'whsec_YWJj  whsec_YWJj',
    'whsec_YWJj word',
    'whsec_YWJj whsec_YWJj whsec_YWJj whsec_YWJj whsec_YWJj',
  ])(
    'refuses a secret of Standard Webhooks that would verify nothing, and says what it takes: %j',
    async (value) => {
      expect(await set('standard', value)).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'validation_failed',
            details: [
              {
                path: 'value',
                message: expect.stringContaining(
                  'must be whsec_ and base64, with nothing before or after them',
                ),
              },
            ],
          },
        },
      });
    },
  );

  it.each([
    'whsec_YWJj',
    'whsec_YWI',
    'whsec_YWI=',
    'whsec_-_-_',
    'whsec_YWJj whsec_YWI',
    'whsec',
    'my whsec_',
    '-----BEGIN-----\nYQ==\n',
  ])('accepts any other value as it is: %j', async (value) => {
    expect((await set('other', value)).status).toBe(204);
    expect(await valueOf('other')).toBe(value);
  });

  it('replaces a value, which applies at once, and keeps the creation time', async () => {
    await set('key', 'first');
    const { body: before } = await client.get<SecretBody>(`${SECRETS}/key`);
    expect((await set('key', 'second')).status).toBe(204);
    const { body: after } = await client.get<SecretBody>(`${SECRETS}/key`);
    expect(after.created_at).toBe(before.created_at);
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await valueOf('key')).toBe('second');
  });

  it('deletes a secret with 204, and does not find it afterwards', async () => {
    await set('key', 'value');
    const deleted = await client.send('DELETE', `${SECRETS}/key`);
    expect([deleted.status, deleted.body]).toEqual([204, null]);
    expect(codeOf(await client.get(`${SECRETS}/key`))).toEqual([404, 'secret_not_found']);
    expect(codeOf(await client.send('DELETE', `${SECRETS}/key`))).toEqual([404, 'secret_not_found']);
    expect(await valueOf('key')).toBeNull();
  });

  it('lists secrets newest first, page by page', async () => {
    for (const path of ['a', 'b', 'c', 'd', 'e']) await set(path, path);
    await set('b', 'again');
    const first = await client.get<SecretBody[]>(`${SECRETS}?limit=3`);
    expect(first.body.map(({ path }) => path)).toEqual(['e', 'd', 'c']);
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await client.get<SecretBody[]>(next);
    expect(second.body.map(({ path }) => path)).toEqual(['b', 'a']);
    expect(second.headers.get('link')).toBeNull();
    expect(codeOf(await client.get(`${SECRETS}?cursor=bm9uc2Vuc2U`))).toEqual([400, 'validation_failed']);
  });

  it('accepts paths of several segments, plain or percent-encoded', async () => {
    const names = ['a', '_', '-x', 'A.b_c-D.9', 'a/b/c', `${'s'.repeat(127)}/${'t'.repeat(127)}`];
    for (const name of names) expect([name, (await set(name, name)).status]).toEqual([name, 204]);
    const listed = await client.get<SecretBody[]>(SECRETS);
    expect(listed.body.map(({ path }) => path)).toEqual(names.toReversed());
    const encoded = await client.get<SecretBody>(`${SECRETS}/a%2Fb%2Fc`);
    expect([encoded.status, encoded.body.path]).toEqual([200, 'a/b/c']);
  });

  it.each([
    ['nothing', ''],
    ['an empty segment', 'a//b'],
    ['a slash at the end', 'a/'],
    ['a slash at the beginning', '/a'],
    ['a segment that begins with a dot', 'a/.hidden'],
    ['a segment of dots before letters', 'a/..b'],
    ['a space', 'a%20b'],
    ['an accent', '%C3%A9'],
    ['NUL', 'a%00'],
    ['256 characters', 'x'.repeat(256)],
  ])('refuses %s as a name', async (_what, path) => {
    for (const answer of [
      await set(path, 'value'),
      await client.get(`${SECRETS}/${path}`),
      await client.send('DELETE', `${SECRETS}/${path}`),
    ])
      expect(codeOf(answer)).toEqual([400, 'validation_failed']);
  });

  it.each([
    ['no value', {}],
    ['an empty one', { value: '' }],
    ['a number', { value: 5 }],
    ['null', { value: null }],
    ['one of more than 64 KiB', { value: 'é'.repeat(32 * 1024 + 1) }],
    ['NUL', { value: 'a\0b' }],
    ['a further field', { value: 'x', algorithm: 'none' }],
  ])('refuses %s as a value', async (_what, body) => {
    const answer = await client.send('PUT', `${SECRETS}/key`, body);
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(codeOf(await client.get(`${SECRETS}/key`))).toEqual([404, 'secret_not_found']);
  });

  it('accepts 64 KiB, and returns every character to the program unchanged', async () => {
    const value = 'é'.repeat(32 * 1024);
    expect((await set('large', value)).status).toBe(204);
    expect(await valueOf('large')).toBe(value);
  });

  itInOrganizations(
    'demands jobs:secrets:read to look and jobs:secrets:write to change; admins have both',
    async () => {
      const member = async (...permissions: string[]): Promise<Client> =>
        (await addMember(service.url, environment.database, owner.orgId, permissions)).client.in(owner.slug);
      await set('key', 'value');
      const reader = await member('jobs:secrets:read');
      const writer = await member('jobs:secrets:write');
      const admin = await member('jobs:*:*');
      const outsider = await member('data:*:*');
      const statuses = async (as: Client): Promise<number[]> => [
        (await as.get(SECRETS)).status,
        (await as.get(`${SECRETS}/key`)).status,
        (await set('key', 'other', as)).status,
        (await as.send('DELETE', `${SECRETS}/absent`)).status,
      ];
      expect(await statuses(reader)).toEqual([200, 200, 403, 403]);
      expect(await statuses(writer)).toEqual([403, 403, 204, 404]);
      expect(await statuses(admin)).toEqual([200, 200, 204, 404]);
      expect(await statuses(outsider)).toEqual([403, 403, 403, 403]);
      expect(await statuses(new Client(service.url))).toEqual([401, 401, 401, 401]);
      const key = await makeKey(client, owner.orgId, ['jobs:secrets:write']);
      expect((await set('by-key', 'value', new Client(service.url).as(key.key))).status).toBe(204);
    },
  );

  it('hides the secrets of one organization from another', async () => {
    await set('key', 'mine');
    const other = await signUpOwner(service.url);
    expect(codeOf(await other.client.get(`${SECRETS}/key`))).toEqual([404, 'secret_not_found']);
    expect((await other.client.get(SECRETS)).body).toEqual([]);
    await set('key', 'theirs', other.client);
    await other.client.send('DELETE', `${SECRETS}/key`);
    expect(await valueOf('key')).toBe('mine');
    expect(await valueOf('key', other.orgId)).toBeNull();
  });

  it('stores the value only encrypted, and in no audit entry', async () => {
    const value = `value-${randomBytes(12).toString('hex')}`;
    await set('key', value);
    const tables = await environment.database.query<{ name: string }>(
      `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'service'`,
    );
    expect(tables.map(({ name }) => name)).toContain('vault_secrets');
    for (const { name } of tables) {
      const kept = await environment.database.query(
        `SELECT line::text AS line FROM ${name} line
         WHERE strpos(line::text, $1) > 0 OR strpos(line::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0`,
        [value],
      );
      expect({ name, kept }).toEqual({ name, kept: [] });
    }
  });

  it('binds a value to its row, so that it cannot be decrypted in another', async () => {
    await set('first', 'one');
    await set('second', 'two');
    await environment.database.query(
      `UPDATE vault_secrets AS target SET sealed_value = source.sealed_value FROM vault_secrets AS source
       WHERE target.tenant_id = $1 AND source.tenant_id = $1 AND target.path = 'second' AND source.path = 'first'`,
      [owner.orgId],
    );
    await expect(valueOf('second')).rejects.toThrow(UnsealError);
  });

  it('binds a value to its tenant, so that a row moved to another cannot be decrypted there', async () => {
    const other = await signUpOwner(service.url);
    await set('moved', 'one');
    const moveTo = async (tenantId: string): Promise<unknown> =>
      await environment.database.query(
        `UPDATE vault_secrets SET tenant_id = $2 WHERE tenant_id IN ($1, $2) OR tenant_id = $3`,
        [owner.orgId, tenantId, other.orgId],
      );
    await moveTo(other.orgId);
    await expect(valueOf('moved', other.orgId)).rejects.toThrow(UnsealError);
    await moveTo(owner.orgId);
    expect(await valueOf('moved')).toBe('one');
  });

  it('records who set and who deleted a secret', async () => {
    await set('a/b', 'one');
    await set('a/b', 'two');
    await client.send('DELETE', `${SECRETS}/a/b`);
    const entry = { target_type: 'secret', target_id: 'a/b', actor_id: owner.userId };
    expect(await auditOf()).toEqual([
      { ...entry, action: 'secret.set', details: { created: true } },
      { ...entry, action: 'secret.set', details: { created: false } },
      { ...entry, action: 'secret.deleted', details: {} },
    ]);
  });

  it('creates one secret from simultaneous writes to a new path', async () => {
    const values = Array.from({ length: 8 }, (_, index) => `value ${index}`);
    const answers = await Promise.all(values.map((value) => set('contended', value)));
    expect(answers.map(({ status }) => status)).toEqual(values.map(() => 204));
    expect((await client.get<SecretBody[]>(SECRETS)).body).toHaveLength(1);
    expect(values).toContain(await valueOf('contended'));
    const made = (await auditOf()).filter(({ details }) => (details as { created: boolean }).created);
    expect(made).toHaveLength(1);
  });

  it('does not delete a secret that a trigger uses, even one that is being registered', async () => {
    const named = new Set<string>();
    service.application
      .get(SecretUses)
      .register((_tx, tenantId, path) => Promise.resolve(named.has(`${tenantId} ${path}`)));
    for (const path of ['named', 'free', 'soon']) await set(path, 'value');
    named.add(`${owner.orgId} named`);
    expect(codeOf(await client.send('DELETE', `${SECRETS}/named`))).toEqual([409, 'secret_in_use']);
    expect(await valueOf('named')).toBe('value');
    expect((await client.send('DELETE', `${SECRETS}/free`)).status).toBe(204);

    let deletion: Promise<Answer<unknown>> | undefined;
    await service.application.get(Database).transaction(async (tx) => {
      await service.application
        .get(Vault)
        .lockAgainstDeletion(tx, owner.orgId as TenantId, ['soon', 'absent']);
      deletion = client.send('DELETE', `${SECRETS}/soon`);
      const early = await Promise.race([deletion, isWaitingForALock(environment)]);
      expect(early).toBe('waiting');
      named.add(`${owner.orgId} soon`);
    });
    expect(codeOf((await deletion) ?? { status: 0, headers: new Headers(), body: null })).toEqual([
      409,
      'secret_in_use',
    ]);
  });

  it('is deleted with its organization', async () => {
    await set('key', 'value');
    expect(await deleteTenant(owner)).toBe(204);
    const left = await environment.database.query('SELECT FROM vault_secrets WHERE tenant_id = $1', [
      owner.orgId,
    ]);
    expect(left).toEqual([]);
  });
});

async function isWaitingForALock({ database }: TestEnvironment): Promise<'waiting'> {
  for (;;) {
    const waiting = await database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (waiting.length > 0) return 'waiting';
  }
}
