import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText, isDecoded } from '../../platform/text/index.js';

/** The private keys of projects as files, `<ref>.pem`, that only their owner can read (PKCS#8, RFC 8410). */
export class ProjectKeyFiles {
  constructor(private readonly folder: string) {}

  /** @throws Error that names the file when there is none, or no Ed25519 key in it */
  async read(ref: string): Promise<KeyObject> {
    const path = this.pathOf(ref);
    const decoded = decodeText(await readFile(path));
    if (!isDecoded(decoded)) throw new Error(`${path} ${decoded.problem}`);
    const key = createPrivateKey(decoded.text);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} holds no Ed25519 private key`);
    return key;
  }

  /**
   * Creates a key unless there is one: a key from the operator or from an interrupted creation is kept. The file
   * appears whole or not at all.
   */
  async ensure(ref: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { privateKey } = generateKeyPairSync('ed25519');
    const path = this.pathOf(ref);
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(privateKey.export({ type: 'pkcs8', format: 'pem' }));
      await file.sync();
    } finally {
      await file.close();
    }
    try {
      await link(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }

  async remove(ref: string): Promise<void> {
    await rm(this.pathOf(ref), { force: true });
  }

  private pathOf(ref: string): string {
    return join(this.folder, `${ref}.pem`);
  }
}
