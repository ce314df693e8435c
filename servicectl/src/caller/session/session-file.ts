import { join } from 'node:path';
import type { SessionStorage } from '../../../../client/src/index.js';
import { PrivateFile } from './private-file.js';

/** A lock whose holder has not renewed it for so long is a dead one's. */
const STALE_MS = 10_000;
/** A refresh may take a slow server 30 s, a few times over. */
const WAITS = { retries: 1_000, minTimeout: 20, maxTimeout: 200 };

/** The session at a server, in a file that all commands share: each refresh is good for one use. */
export class SessionFile implements SessionStorage {
  private readonly file: PrivateFile;

  constructor(folder: string, url: string) {
    this.file = new PrivateFile(join(folder, 'sessions', `${encodeURIComponent(url)}.json`));
  }

  getItem(): string | null {
    return this.file.read();
  }

  setItem(_key: string, value: string): void {
    this.file.write(value);
  }

  removeItem(): void {
    this.file.remove();
  }

  async withLock<Result>(_key: string, work: () => Promise<Result>): Promise<Result> {
    const { default: lockfile } = await import('proper-lockfile');
    this.file.makeFolder();
    const release = await lockfile.lock(this.file.path, { realpath: false, stale: STALE_MS, retries: WAITS });
    try {
      return await work();
    } finally {
      await release();
    }
  }
}
