import { KeyRing, UnsealError } from '../../../../src/platform/crypto/index.js';
import { Database } from '../../../../src/platform/database/index.js';
import type { TenantId } from '../../../../src/http/index.js';
import { SEALED_COLUMNS } from '../../../../src/sealed-columns.js';
import { sealPhasePlace } from '../../../../src/sealing/index.js';
import { Vault } from '../../../../src/vault/index.js';
import { Client, PASSWORD, signUpOwner } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { runCli } from './run-cli.js';

/** The command waits for instances, on machines that may be busy. */
const LIMIT_MS = 90_000;

/** A program that comes from the release before, whose sealed values were bound to their rows alone. */
describe('sealed values of the previous release', () => {
  let environment: TestEnvironment;
  /** One in a process of its own, one to look into. */
  let apart: ServiceProcess;
  let service: ServiceInProcess;
  let variables: Record<string, string>;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let ring: KeyRing;

  beforeAll(async () => {
    environment = await createEnvironment();
    ring = new KeyRing([environment.variables.SERVICE_IDENTITY__DATA_KEY ?? '']);
    variables = { ...environment.variables, SERVICE_ROLE: 'api' };
    const before = await ServiceProcess.start(variables);
    owner = await signUpOwner(before.url ?? '');
    for (const path of ['one', 'two'])
      expect((await owner.client.send('PUT', `/vault/v1/secrets/${path}`, { value: path })).status).toBe(204);
    expect((await owner.client.get('/jobs/v1/signing-secret')).status).toBe(200);
    await before.stop();
    await sealAsBefore();
    [apart, service] = await Promise.all([
      ServiceProcess.start(variables),
      ServiceInProcess.start(variables),
    ]);
  }, LIMIT_MS);

  afterAll(async () => {
    await Promise.all([apart.stop(), service.stop()]);
    await environment.dispose();
  });

  /** Turns every value into what the release before had written, which had no note of any format. */
  async function sealAsBefore(): Promise<void> {
    for (const { table, idColumn, column, tenantColumn, placeOf } of SEALED_COLUMNS) {
      const found = await environment.database.query<{ id: string; tenant: string; sealed: Buffer }>(
        `SELECT ${idColumn}::text AS id, ${tenantColumn ?? `''`}::text AS tenant, ${column} AS sealed
         FROM ${table} WHERE ${column} IS NOT NULL`,
      );
      for (const { id, tenant, sealed } of found) {
        const place = placeOf(tenant, id);
        await environment.database.query(`UPDATE ${table} SET ${column} = $2 WHERE ${idColumn} = $1`, [
          id,
          ring.sealAs('row', ring.open(sealed, place), place),
        ]);
      }
    }
    await environment.database.query('DELETE FROM seal_format');
  }

  /** How many values there are of each format. */
  async function formats(): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    for (const { table, column } of SEALED_COLUMNS) {
      const found = await environment.database.query<{ format: number }>(
        `SELECT get_byte(${column}, 0) AS format FROM ${table} WHERE ${column} IS NOT NULL`,
      );
      for (const { format } of found) counts[format] = (counts[format] ?? 0) + 1;
    }
    return counts;
  }

  async function valueOf(path: string, tenantId = owner.orgId): Promise<string | null> {
    const { reader } = service.application.get(Database);
    return await service.application.get(Vault).read(reader, tenantId as TenantId, path);
  }

  const set = async (url: string | null | undefined, path: string): Promise<number> =>
    (
      await new Client(url ?? '')
        .as(owner.accessToken)
        .in(owner.slug)
        .send('PUT', `/vault/v1/secrets/${path}`, { value: path })
    ).status;

  it('open, and what is written beside that release stays readable to it', async () => {
    expect(await set(apart.url, 'three')).toBe(204);
    expect(await set(service.url, 'four')).toBe(204);
    for (const path of ['one', 'two', 'three', 'four']) expect(await valueOf(path)).toBe(path);
    expect(Object.keys(await formats())).toEqual(['1']);
  });

  it(
    'are rewritten by rekey while instances serve, and open from then on in their own place alone',
    async () => {
      const done = new AbortController();
      const seen = new Set<unknown>();
      const serving = (async () => {
        for (let number = 0; !done.signal.aborted; number += 1) {
          seen.add(await set(apart.url, `written-${number % 5}`));
          seen.add(await valueOf('one'));
        }
      })();
      const rekeyed = await runCli(['rekey'], environment.variables);
      done.abort();
      await serving;
      expect([rekeyed.code, [...seen]]).toEqual([0, [204, 'one']]);
      expect(Object.keys(await formats())).toEqual(['2']);
      const signedIn = await new Client(service.url).post('/auth/v1/token?grant_type=password', {
        email: owner.email,
        password: PASSWORD,
      });
      expect(signedIn.status).toBe(200);

      const former = ring.sealAs('row', 'put back', await placeOf('two'));
      await environment.database.query(
        `UPDATE vault_secrets SET sealed_value = $2 WHERE tenant_id = $1 AND path = 'two'`,
        [owner.orgId, former],
      );
      // An instance asks for the phase now and then.
      await until(async () => (await valueOf('two').catch((error: unknown) => error)) instanceof UnsealError);
      const refused = await runCli(['rekey'], environment.variables);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('1 values')]);

      const other = await signUpOwner(service.url);
      await environment.database.query(
        `UPDATE vault_secrets SET tenant_id = $2 WHERE tenant_id = $1 AND path = 'one'`,
        [owner.orgId, other.orgId],
      );
      await expect(valueOf('one', other.orgId)).rejects.toThrow(UnsealError);
    },
    LIMIT_MS,
  );

  it(
    'stay readable after a rekey that was interrupted hours ago, and the next one moves all of them',
    async () => {
      await Promise.all([apart.stop(), service.stop()]);
      // What the tests before have made unreadable.
      await environment.database.query(`DELETE FROM vault_secrets WHERE path IN ('one', 'two')`);
      await sealAsBefore();
      const noted = JSON.stringify({ phase: 'moving', at: Date.now() - 2 * 3_600_000 });
      await environment.database.query('INSERT INTO seal_format (id, sealed_phase) VALUES (1, $1)', [
        ring.sealAs('tenant', noted, sealPhasePlace()),
      ]);
      [apart, service] = await Promise.all([
        ServiceProcess.start(variables),
        ServiceInProcess.start(variables),
      ]);
      expect(await valueOf('three')).toBe('three');
      expect(await set(apart.url, 'four')).toBe(204);
      await until(() => apart.log.includes('a rekey has got no further since'));

      const rekeyed = await runCli(['rekey'], environment.variables);
      expect([rekeyed.code, rekeyed.stderr]).toEqual([
        0,
        expect.stringContaining('waiting until every instance'),
      ]);
      expect(Object.keys(await formats())).toEqual(['2']);
      expect([await valueOf('three'), await valueOf('four')]).toEqual(['three', 'four']);
      const [note] = await environment.database.query<{ sealed: Buffer }>(
        'SELECT sealed_phase AS sealed FROM seal_format',
      );
      expect(JSON.parse(ring.open(note?.sealed ?? Buffer.of(), sealPhasePlace()).toString())).toMatchObject({
        phase: 'current',
      });
    },
    LIMIT_MS,
  );

  async function placeOf(path: string) {
    const [row] = await environment.database.query<{ id: string }>(
      'SELECT id FROM vault_secrets WHERE tenant_id = $1 AND path = $2',
      [owner.orgId, path],
    );
    return { tenantId: owner.orgId, table: 'vault_secrets', column: 'sealed_value', row: row?.id ?? '' };
  }
});
