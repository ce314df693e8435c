import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** Linux keeps what lies there in memory. */
const IN_MEMORY = '/dev/shm';
/** What the servers of the gate write is a quarter of this, and the processes of a run need the rest. */
const FREE_BYTES = 2 * 1024 ** 3;

/**
 * The folder in which the servers of a run may have theirs. Suites of the gate create some hundred databases of a thousand
 * files, which costs less in memory. On durable servers, it would prove less.
 */
export async function serverFolder(lane) {
  return lane === 'gate' && (await isMemoryPlentiful()) ? IN_MEMORY : tmpdir();
}

async function isMemoryPlentiful() {
  if (process.availableMemory() < 4 * FREE_BYTES) return false;
  try {
    const { bavail, bsize } = await statfs(IN_MEMORY);
    return bavail * bsize >= FREE_BYTES;
  } catch {
    return false;
  }
}
