import { makeKey } from '../../support/api-keys.js';
import { Client, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { ApiKeyRepository } from '../../../src/keys/api-keys/api-key.repository.js';
import { ApiKeyUsage } from '../../../src/keys/api-keys/api-key-usage.js';
import { Database } from '../../../src/platform/database/index.js';
import type { Clock } from '../../../src/platform/lifecycle/index.js';
import { loadConfig } from '../../../src/platform/config/index.js';

const CONFIG = loadConfig({ env: {}, cwd: '/' });

describe('what is kept of an API key', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    owner = await signUpOwner(service.url);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function lastUsedAt(id: string): Promise<Date | null> {
    const [row] = await environment.database.query<{ last_used_at: Date | null }>(
      'SELECT last_used_at FROM api_keys WHERE id = $1',
      [id],
    );
    return row?.last_used_at ?? null;
  }

  it('is not stored in plain text in any table', async () => {
    const made = await makeKey(owner.client, owner.orgId, ['*']);
    await new Client(service.url).as(made.key).get('/auth/v1/permissions');
    const secret = made.key.slice('svc_12345678_'.length, -6);
    const tables = await environment.database.query<{ name: string }>(
      `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'service'`,
    );
    for (const { name } of tables) {
      const kept = await environment.database.query(
        `SELECT line::text AS line FROM ${name} line
         WHERE strpos(line::text, $1) > 0 OR strpos(line::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0`,
        [secret],
      );
      expect({ name, kept }).toEqual({ name, kept: [] });
    }
    const [row] = await environment.database.query<{ secret_hash: Buffer }>(
      `SELECT secret_hash FROM api_keys WHERE id = $1 AND secret_hash = sha256(convert_to($2, 'UTF8'))`,
      [made.id, made.key],
    );
    expect(row?.secret_hash).toHaveLength(32);
  });

  it('is its last use, written once however often it is used, while a warm request asks no database', async () => {
    const made = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
    const client = new Client(service.url).as(made.key);
    await client.get('/auth/v1/permissions');
    await until(async () => (await lastUsedAt(made.id)) !== null);
    const first = await lastUsedAt(made.id);
    const statements = await service.statementsOnceWarm(async () => {
      for (let count = 0; count < 20; count += 1) {
        expect((await client.get('/auth/v1/permissions')).status).toBe(200);
        expect((await client.get('/auth/v1/gate?permission=data:orders:read')).status).toBe(204);
        expect((await client.post('/auth/v1/permissions/check', { permissions: ['a:b:c'] })).status).toBe(
          200,
        );
      }
    });
    expect(statements).toEqual([]);
    expect(await lastUsedAt(made.id)).toEqual(first);
  });

  it('is written again after a minute, by whichever instance, and only once by two', async () => {
    const made = await makeKey(owner.client, owner.orgId, ['*']);
    const database = service.application.get(Database);
    const repository = service.application.get(ApiKeyRepository);
    let now = Date.now();
    const clock: Clock = { now: () => new Date(now) };
    const one = new ApiKeyUsage(database, repository, clock, CONFIG);
    const other = new ApiKeyUsage(database, repository, clock, CONFIG);
    const use = async (usage: ApiKeyUsage): Promise<string[]> =>
      await service.statementsOf(async () => {
        usage.note(made.id);
        usage.note(made.id);
        await usage.stop();
      });
    expect(await use(one)).toHaveLength(1);
    const first = await lastUsedAt(made.id);
    expect(first).not.toBeNull();
    // The other instance cannot know, asks, and is told no.
    expect(await use(other)).toHaveLength(1);
    expect(await lastUsedAt(made.id)).toEqual(first);
    now += 59_000;
    expect(await use(one)).toEqual([]);
    now += 2_000;
    await environment.database.query(
      `UPDATE api_keys SET last_used_at = last_used_at - interval '61 seconds' WHERE id = $1`,
      [made.id],
    );
    expect(await use(one)).toHaveLength(1);
    expect((await lastUsedAt(made.id))?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? Infinity);
  });

  it('stays revoked, whenever its last use is written', async () => {
    const made = await makeKey(owner.client, owner.orgId, ['*']);
    const { autoCommit } = service.application.get(Database);
    const repository = service.application.get(ApiKeyRepository);
    const path = `/auth/v1/orgs/${owner.orgId}/api-keys/${made.id}`;
    const [, answer] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => repository.touch(autoCommit, [made.id], 60_000))),
      owner.client.send('DELETE', path),
    ]);
    expect(answer.status).toBe(204);
    await repository.touch(autoCommit, [made.id], 60_000);
    const [row] = await environment.database.query<{ revoked: boolean }>(
      'SELECT revoked_at IS NOT NULL AS revoked FROM api_keys WHERE id = $1',
      [made.id],
    );
    expect(row).toEqual({ revoked: true });
  });
});
