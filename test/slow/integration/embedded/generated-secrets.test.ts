import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedError, ensureGeneratedSecrets } from '../../../../src/platform/embedded/index.js';

describe('generated secrets', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'service-secrets-'));
  });

  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  test('are made once and stay the same', () => {
    const made = ensureGeneratedSecrets(dataDir);
    expect(Buffer.from(made.dataKey, 'base64')).toHaveLength(32);
    expect(made.adminToken).toMatch(/^[\w-]{43}$/);
    expect(ensureGeneratedSecrets(dataDir)).toEqual(made);
  });

  test('can be read by their owner only', async () => {
    ensureGeneratedSecrets(dataDir);
    const modes = await Promise.all(
      ['secrets', 'secrets/data_key', 'secrets/admin_token'].map(async (path) => {
        return (await stat(join(dataDir, path))).mode & 0o777;
      }),
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  test.each([
    ['empty', '', 'is empty'],
    ['not a key', 'short', 'does not hold 32 bytes'],
  ])('are never replaced when the file is %s', async (_case, content, reason) => {
    ensureGeneratedSecrets(dataDir);
    await writeFile(join(dataDir, 'secrets', 'data_key'), content);
    expect(() => ensureGeneratedSecrets(dataDir)).toThrow(EmbeddedError);
    expect(() => ensureGeneratedSecrets(dataDir)).toThrow(reason);
  });
});
