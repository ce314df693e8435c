import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { FunctionAccounts } from './function-account.js';
import {
  copyForGroup,
  isReadableByAll,
  isStillThere,
  makeFolderOfCopies,
  removeCopy,
} from './function-copy.js';
import type { FolderOfCopies } from './function-copy.js';
import { linkOutOf, linksIn } from './function-links.js';
import type { FunctionWatchdog } from './function-watchdog.js';
import type { Account } from '../runner/runner-protocol.js';

/** `process`: separated from the program's secrets and rights. `none`: has the rights of the program. */
export type Isolation = 'process' | 'none';

/** Where and with which rights a process runs. */
export interface Confinement {
  /** The functions folder as the process sees it. */
  readonly directory: string;
  readonly file: string;
  /** Arguments for Node. */
  readonly nodeOptions: readonly string[];
  readonly account: Account | null;
  readonly isConfined: boolean;
  /** To be called when the process has ended. */
  readonly release: () => Promise<void>;
}

const NODE_OPTIONS = process.allowedNodeEnvironmentFlags;
/** `--permission` from Node 22.13 and 23.5. */
const PERMISSION = NODE_OPTIONS.has('--permission') ? '--permission' : '--experimental-permission';

/**
 * Keeps functions from the program's secrets. Under Node's permission model, they can read only their folder, write
 * nothing, and start neither processes nor threads. If the program is root, each process also has a user of its own.
 */
export class FunctionConfinements {
  #accounts: Promise<FunctionAccounts | null> | null = null;

  #copies: Promise<FolderOfCopies | null> = Promise.resolve(null);

  /** @param watchdog removes leftover copies */
  constructor(
    private readonly isolation: Isolation,
    private readonly watchdog: FunctionWatchdog,
  ) {}

  /**
   * @param directory the functions folder
   * @param runnerFolder what the runner itself loads
   */
  async prepare(directory: string, file: string, runnerFolder: string): Promise<Confinement> {
    const real = await realpath(directory);
    if (this.isolation === 'none') return unconfined(real, file);
    const link = await linkOutOf(real, await linksIn(real));
    if (link !== null)
      throw new Error(
        `the link ${link} leads out of the functions folder, and functions could read what it leads to`,
      );
    this.#accounts ??= FunctionAccounts.choose();
    const accounts = await this.#accounts;
    if (accounts === null) return confined(real, file, runnerFolder, null, () => Promise.resolve());
    const account = accounts.take();
    let copy: string | null = null;
    const release = async (): Promise<void> => {
      try {
        // Before another process gets the id, which would give it access to the copy.
        if (copy !== null) await removeCopy(copy);
      } finally {
        accounts.release(account);
      }
    };
    try {
      if (!(await isReadableByAll(real))) copy = await this.#copy(real, account);
      return confined(copy ?? real, file, runnerFolder, account, release);
    } catch (error) {
      // The caller needs the first error.
      await release().catch(() => undefined);
      throw error;
    }
  }

  async #copy(folder: string, account: Account): Promise<string> {
    // One after the other, so that two simultaneous starts create only one folder.
    const copies = this.#copies.then(async (known) =>
      known !== null && (await isStillThere(known)) ? known : await makeFolderOfCopies(),
    );
    this.#copies = copies.catch(() => null);
    const { path } = await copies;
    this.watchdog.removeAtEnd(path);
    return await copyForGroup(folder, path, account.gid);
  }
}

function unconfined(directory: string, file: string): Confinement {
  return {
    directory,
    file: join(directory, basename(file)),
    nodeOptions: [],
    account: null,
    isConfined: false,
    release: () => Promise.resolve(),
  };
}

function confined(
  directory: string,
  file: string,
  runnerFolder: string,
  account: Account | null,
  release: () => Promise<void>,
): Confinement {
  const readable = [directory, runnerFolder];
  const unnameable = readable.find((path) => /[*,]/.test(path));
  // Node takes a list, with wildcards, and has no escape for either.
  if (unnameable !== undefined)
    throw new Error(
      `the path ${unnameable} has a comma or an asterisk, which functions cannot be confined to`,
    );
  return {
    directory,
    file: join(directory, basename(file)),
    nodeOptions: [
      PERMISSION,
      ...readable.map((path) => `--allow-fs-read=${path}`),
      // Some releases restrict the network as well, but functions call other services.
      ...optional('--allow-net', '--allow-net'),
      // It opens files without asking the permission model, also for writing.
      ...optional('--experimental-sqlite', '--no-experimental-sqlite'),
      ...optional('--disable-sigusr1', '--disable-sigusr1'),
    ],
    account,
    isConfined: true,
    release,
  };
}

function optional(known: string, option: string): string[] {
  return NODE_OPTIONS.has(known) ? [option] : [];
}
