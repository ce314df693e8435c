import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError } from '../processes/embedded-error.js';
import type { PostgresAccount } from './postgres-account.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { ServerChild } from '../processes/server-child.js';
import type { Watchdog } from '../processes/watchdog.js';

export const POSTGRES_USER = 'service';

const INITDB_OPTIONS = [
  `--username=${POSTGRES_USER}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  // The same order and case rules on every machine, whatever its C library knows.
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

/**
 * Makes the data folder once. It is built under another name and renamed when complete, so that one that was
 * killed half-way is never taken for a cluster. Throws EmbeddedError for a folder of another major version.
 */
export async function ensurePostgresCluster(
  folder: string,
  password: string,
  binaries: PostgresBinaries,
  account: PostgresAccount,
  watchdog: Watchdog,
): Promise<void> {
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const version = await readClusterVersion(folder);
  if (version !== null) {
    if (version === String(binaries.major)) return;
    throw new EmbeddedError(
      `${folder} was made by PostgreSQL ${version}, this program brings PostgreSQL ${binaries.major}; start the ` +
        'earlier release and dump the data with pg_dump, or set server.data_dir (SERVICE_SERVER__DATA_DIR) to ' +
        'another folder to start empty',
    );
  }
  const data = join(unfinished, 'data');
  const passwordFile = join(unfinished, 'password');
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  await account.own(unfinished);

  const initdb = new ServerChild(
    account.command(binaries.initdb, [...INITDB_OPTIONS, `--pgdata=${data}`, `--pwfile=${passwordFile}`]),
  );
  watchdog.watch('initdb', initdb.pid);
  const ending = await initdb.ended;
  watchdog.watch('initdb', null);
  if (ending !== 'exit code 0') {
    throw new EmbeddedError(`initdb could not make ${folder} (${ending}); it said:\n${initdb.output}`);
  }
  await chmod(data, 0o700);
  await rename(data, folder);
  await rm(unfinished, { recursive: true, force: true });
}

/** Null when there is no cluster yet. */
async function readClusterVersion(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const entries = await readdir(folder).catch(() => []);
  if (entries.length > 0) {
    throw new EmbeddedError(`${folder} is neither empty nor a PostgreSQL data folder; move it away`);
  }
  await rm(folder, { recursive: true, force: true });
  return null;
}
