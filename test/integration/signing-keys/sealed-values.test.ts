import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  mintSigningKey,
  openSigningKey,
  runTokenKeyAssociatedData,
  signingKeyAssociatedData,
} from '../../../src/identity/signing-keys/signing-key-pair.js';
import { KeyRing, UnsealError } from '../../../src/platform/crypto/index.js';
import { createDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';

const REGISTRY = new URL('../../../dist/src/cli/operator/sealed-columns.js', import.meta.url).href;

/** The registry of the built program, as `table.column`. */
async function knownColumns(): Promise<string[]> {
  const script = `const { SEALED_COLUMNS } = await import(${JSON.stringify(REGISTRY)});
    process.stdout.write(JSON.stringify(SEALED_COLUMNS.map(({ table, column }) => table + '.' + column)))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as string[];
}

function dataKey(): string {
  return randomBytes(32).toString('base64');
}

describe('sealed values', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });

  afterAll(async () => {
    await database.drop();
  });

  it('do not open in another row than their own', async () => {
    const ring = new KeyRing([dataKey()]);
    const [first, second] = [await mintSigningKey(ring), await mintSigningKey(ring)];
    const [place, otherPlace] = [signingKeyAssociatedData(first.kid), signingKeyAssociatedData(second.kid)];
    expect(openSigningKey(ring, first.sealedPrivateKey, place).type).toBe('private');
    expect(openSigningKey(ring, first.sealedRunPrivateKey, runTokenKeyAssociatedData(first.kid)).type).toBe(
      'private',
    );
    expect(() => ring.open(first.sealedPrivateKey, otherPlace)).toThrow(UnsealError);
    expect(() => openSigningKey(ring, first.sealedPrivateKey, otherPlace)).toThrow(/data_key/);
    expect(() => openSigningKey(ring, first.sealedRunPrivateKey, place)).toThrow(/data_key/);
  });

  it('are all known to rekey, whatever column they are in', async () => {
    const found = await database.query<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = 'service' AND data_type = 'bytea' AND column_name LIKE 'sealed\\_%'
       ORDER BY place`,
    );
    const sealedUnderTheToken = 'refresh_tokens.sealed_successor';
    expect([...(await knownColumns()), sealedUnderTheToken].sort()).toEqual(found.map(({ place }) => place));
  });
});
