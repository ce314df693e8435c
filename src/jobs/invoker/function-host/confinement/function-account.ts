import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { Account } from '../runner/runner-protocol.js';

/**
 * systemd's range for dynamic users, which are in no file and own nothing
 * (https://systemd.io/UIDS-GIDS). Container runtimes map them as well.
 */
const FIRST_ID = 61_184;
const LAST_ID = 65_519;
/** Numbers from capabilities(7): to own a copy, to end the process, and to become its user. */
const CAP_CHOWN = 0n;
const CAP_KILL = 5n;
const CAP_SETGID = 6n;
const CAP_SETUID = 7n;
const NEEDED_CAPABILITIES = [CAP_CHOWN, CAP_KILL, CAP_SETGID, CAP_SETUID];

/** The users that functions run as if the program is root: a separate one for each process. */
export class FunctionAccounts {
  readonly #used = new Set<number>();

  private constructor(private readonly taken: ReadonlySet<number>) {}

  /** Null if the program cannot become another user, or could not control a process of one. */
  static async choose(): Promise<FunctionAccounts | null> {
    if (process.getuid?.() !== 0 || !(await mayChangeUser())) return null;
    const [users, groups] = await Promise.all(['/etc/passwd', '/etc/group'].map(readOrEmpty));
    const ids = [users, groups].flatMap((file = '') => [...file.matchAll(/^[^:\n]*:[^:\n]*:(\d+)/gm)]);
    return new FunctionAccounts(new Set(ids.map((match) => Number(match[1]))));
  }

  /** @throws when every id is in use */
  take(): Account {
    const start = randomInt(FIRST_ID, LAST_ID + 1);
    let id = start;
    while (this.taken.has(id) || this.#used.has(id)) {
      id = id === LAST_ID ? FIRST_ID : id + 1;
      if (id === start) throw new Error(`no user id from ${FIRST_ID} to ${LAST_ID} is free for the function`);
    }
    this.#used.add(id);
    return { uid: id, gid: id };
  }

  release({ uid }: Account): void {
    this.#used.delete(uid);
  }
}

/** Root may lack the rights in a container, and the users may not exist there. */
async function mayChangeUser(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const [status, ...maps] = await Promise.all(
    ['/proc/self/status', '/proc/self/uid_map', '/proc/self/gid_map'].map(readOrEmpty),
  );
  const capabilities = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status ?? '')?.[1] ?? '0'}`);
  const mayChange = NEEDED_CAPABILITIES.every((bit) => (capabilities >> bit) % 2n === 1n);
  return mayChange && maps.every(mapsIds);
}

/** user_namespaces(7): the first id inside, the first outside, and how many. */
function mapsIds(map: string): boolean {
  return map.split('\n').some((line) => {
    const [inside = NaN, , count = NaN] = line.trim().split(/\s+/).map(Number);
    return inside <= FIRST_ID && inside + count > LAST_ID;
  });
}

async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
