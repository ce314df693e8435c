import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProjectKeyFiles } from '../../../src/projects/keys/project-key-files.js';

describe('the file of a project key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-keys-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function read(bytes: Buffer): Promise<string> {
    await writeFile(join(folder, 'ref.pem'), bytes);
    const { x } = (await new ProjectKeyFiles(folder).read('ref')).export({ format: 'jwk' });
    return x ?? '';
  }

  it.each([
    ['UTF-8', Buffer.from(pem)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${pem}`)],
    ['UTF-16, as editors of Windows write it', Buffer.from(`\ufeff${pem}`, 'utf16le')],
    ['lines that end as on Windows', Buffer.from(pem.replaceAll('\n', '\r\n'))],
  ])('is read in %s', async (_, bytes) => {
    expect(await read(bytes)).toBe(publicKey.export({ format: 'jwk' }).x);
  });

  it('is named where it is no text', async () => {
    await expect(read(Buffer.from([0x30, 0x2e, 0xff, 0x80]))).rejects.toThrow(/ref\.pem is not UTF-8$/);
  });
});
