import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file of the user's own, which nobody else may read. */
export class PrivateFile {
  constructor(readonly path: string) {}

  /** Null where there is none. */
  read(): string | null {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Whole or not at all, whatever happens meanwhile. */
  write(text: string): void {
    this.makeFolder();
    const temporary = `${this.path}.${randomUUID()}`;
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, this.path);
  }

  makeFolder(): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
