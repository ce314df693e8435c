import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedError } from './embedded-error.js';
import { processStart } from './process-identity.js';

const TAKEOVER_SUFFIX = '.takeover';
const TAKEOVER_DEPTH = 3;
const TAKEOVER_WAIT_MS = 5_000;

/** Held by one live program for one data folder; freed by itself when that program dies. */
export interface InstanceLock {
  release(): Promise<void>;
}

/**
 * Takes the data folder for this program. A lock whose program is dead, or whose pid is now another program's,
 * does not block. Throws EmbeddedError while another live program holds it.
 */
export async function acquireInstanceLock(dataDir: string): Promise<InstanceLock> {
  const path = `${dataDir}/embedded.lock`;
  const holder = await tryLock(path, 0);
  if (holder !== null) {
    throw new EmbeddedError(
      `another Service (pid ${holder}) already uses ${dataDir}; stop it, or set server.data_dir ` +
        '(SERVICE_SERVER__DATA_DIR) to another folder',
    );
  }
  return { release: () => rm(path, { force: true }) };
}

/** Null when the lock is ours now, else the pid that holds it. */
async function tryLock(path: string, depth: number): Promise<number | null> {
  const start = await processStart(process.pid);
  const own = `${process.pid}\n${start ?? ''}\n`;
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, own, { flag: 'wx', mode: 0o644 });
  try {
    for (;;) {
      try {
        // link(2) is atomic and fails when the name exists, and the file is never seen half written.
        await link(temporary, path);
        return null;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const found = await readLock(path);
      if (found === null) continue;
      if (await isHeld(found)) return pidOf(found);
      await removeDeadLock(path, found, depth);
    }
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Of several programs that find the same dead lock only one may remove it: a slower one would remove the lock
 * that the faster has taken since. So removing needs a lock of its own, and looks again under it.
 */
async function removeDeadLock(path: string, dead: string, depth: number): Promise<void> {
  if (depth === TAKEOVER_DEPTH) throw new EmbeddedError(`remove ${path}; programs died while taking it over`);
  const takeover = path + TAKEOVER_SUFFIX;
  const deadline = performance.now() + TAKEOVER_WAIT_MS;
  while ((await tryLock(takeover, depth + 1)) !== null) {
    if (performance.now() > deadline) throw new EmbeddedError(`${takeover} stays taken; try again`);
    await delay(10);
  }
  try {
    if ((await readLock(path)) === dead) await rm(path, { force: true });
  } finally {
    await rm(takeover, { force: true });
  }
}

async function readLock(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function isHeld(content: string): Promise<boolean> {
  const start = await processStart(pidOf(content));
  return start !== null && start === content.split('\n')[1];
}

function pidOf(content: string): number {
  return Number.parseInt(content, 10) || 0;
}
