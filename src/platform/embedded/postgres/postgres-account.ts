import { execFile } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedError } from '../processes/embedded-error.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import type { ServerCommand } from '../processes/server-child.js';

const run = promisify(execFile);
const ACCOUNT_NAMES = ['postgres', 'nobody'];
const SETPRIV_PATHS = ['/usr/bin/setpriv', '/bin/setpriv', '/usr/sbin/setpriv', '/sbin/setpriv'];

/**
 * The account that PostgreSQL runs as. PostgreSQL refuses to run as root, and its data folder must belong to
 * its account, so root needs another one; everybody else runs it as himself.
 */
export class PostgresAccount {
  private constructor(
    /** Null: the program's own account. */
    private readonly ids: { uid: number; gid: number } | null,
    private readonly setpriv: string | null,
  ) {}

  /** `dataFolder` is the cluster's; it need not exist. */
  static async choose(binaries: PostgresBinaries, dataFolder: string): Promise<PostgresAccount> {
    const ownUid = process.getuid?.() ?? 0;
    const owner = await stat(dataFolder).catch(() => null);
    if (ownUid !== 0) {
      if (owner !== null && owner.uid !== ownUid) {
        throw new EmbeddedError(
          `${dataFolder} belongs to the account with uid ${owner.uid}; run the Service as that account, or set ` +
            'server.data_dir (SERVICE_SERVER__DATA_DIR) to another folder',
        );
      }
      return new PostgresAccount(null, null);
    }
    const ids = owner !== null && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : await findAccount();
    const reachable = await reaches(ids, dirname(dataFolder), binaries);
    const account = new PostgresAccount(ids, reachable ? null : await findSetpriv(dataFolder));
    // A folder that was copied or restored as root would otherwise stay closed to the account.
    if (owner?.uid === 0) await account.own(dataFolder);
    return account;
  }

  /** Gives a file or folder, with all that it holds, to the account. */
  async own(path: string): Promise<void> {
    if (this.ids !== null) await run('chown', ['-R', `${this.ids.uid}:${this.ids.gid}`, path]);
  }

  command(file: string, args: readonly string[]): ServerCommand {
    if (this.ids === null) return { file, args };
    if (this.setpriv === null) return { file, args, ...this.ids };
    // The account may pass through folders that are closed to it, and nothing else of root's power remains.
    // Without no_setuid_fixup access(2), by which PostgreSQL looks for its own files, would not see that.
    const options = [
      `--reuid=${this.ids.uid}`,
      `--regid=${this.ids.gid}`,
      '--clear-groups',
      '--securebits=+no_setuid_fixup',
      '--inh-caps=-all,+dac_override',
      '--ambient-caps=-all,+dac_override',
      '--bounding-set=-all,+dac_override',
    ];
    return { file: this.setpriv, args: [...options, file, ...args] };
  }
}

async function findAccount(): Promise<{ uid: number; gid: number }> {
  for (const name of ACCOUNT_NAMES) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // `id` exits with 1 for an unknown name; the next one is tried.
    }
  }
  throw new EmbeddedError(
    'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it as; run the ' +
      'Service as an ordinary user, or set database.url (SERVICE_DATABASE__URL) to a PostgreSQL that you run',
  );
}

async function findSetpriv(dataFolder: string): Promise<string> {
  for (const path of SETPRIV_PATHS) {
    const isRunnable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isRunnable) return path;
  }
  throw new EmbeddedError(
    `started by root, PostgreSQL runs as an unprivileged account, which cannot enter ${dirname(dataFolder)} or the ` +
      'program’s own folder; move them to where everybody may enter, run the Service as an ordinary user, ' +
      'or set database.url (SERVICE_DATABASE__URL) to a PostgreSQL that you run',
  );
}

async function reaches(
  ids: { uid: number; gid: number },
  dataParent: string,
  { root, postgres }: PostgresBinaries,
): Promise<boolean> {
  const readable = [join(root, 'lib'), join(root, 'share', 'postgresql', 'postgres.bki')];
  const checks: [path: string, bits: number][] = [
    [postgres, 5],
    ...readable.map((path): [string, number] => [path, 4]),
  ];
  for (const start of [dataParent, dirname(postgres), ...readable.map((path) => dirname(path))]) {
    for (let folder = start; ; folder = dirname(folder)) {
      checks.push([folder, 1]);
      if (folder === dirname(folder)) break;
    }
  }
  for (const [path, bits] of checks) {
    const { uid, gid, mode } = await stat(path);
    const shift = uid === ids.uid ? 6 : gid === ids.gid ? 3 : 0;
    if (((mode >> shift) & bits) !== bits) return false;
  }
  return true;
}
