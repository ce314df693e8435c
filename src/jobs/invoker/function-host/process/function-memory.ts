import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const IS_LINUX = process.platform === 'linux';
/** On other systems, each measurement starts a process. */
export const MEMORY_CHECK_MS = IS_LINUX ? 100 : 1000;

/** Bytes of a process that are in memory; 0 when it is gone. */
export async function residentBytes(pid: number): Promise<number> {
  if (IS_LINUX) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  }
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '0' }));
  return Number(stdout.trim()) * 1024;
}

/** If the machine runs out of memory, Linux kills a function before the program or its database. */
export async function preferAtShortage(pid: number): Promise<void> {
  // This is not Linux, or the container forbids it.
  await writeFile(`/proc/${pid}/oom_score_adj`, '500').catch(() => undefined);
}
