import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POLL_MS = 50;

export interface StopStep {
  signal: NodeJS.Signals;
  /** How long the process gets to end before the next step. */
  waitMs: number;
}

/**
 * Tells one life of a pid from the next, so that a recycled pid is not taken for its predecessor. Null when the
 * pid is free or its process is dead but not yet reaped (a container's first process may never reap).
 */
export async function processStart(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') {
    const [state = '', ...started] = (await processColumn(pid, 'stat=,lstart=')).split(/\s+/);
    return state === '' || state.startsWith('Z') ? null : started.join(' ');
  }
  const stat = await readOrEmpty(`/proc/${pid}/stat`);
  // proc(5): the name in parentheses may hold anything; after it come the state (field 3) and on.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTicks = fields[22 - 3];
  if (startTicks === undefined || fields[0] === 'Z' || fields[0] === 'X') return null;
  // The ticks count from boot, so the boot belongs to the identity.
  return `${(await readOrEmpty('/proc/sys/kernel/random/boot_id')).trim()}/${startTicks}`;
}

/** The arguments of a live process, joined by spaces; empty when there is none. */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform !== 'linux') return processColumn(pid, 'command=');
  return (await readOrEmpty(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ').trim();
}

/** Sends each signal in turn until the process has ended; says whether it has. */
export async function endProcess(pid: number, steps: readonly StopStep[]): Promise<boolean> {
  const identity = await processStart(pid);
  if (identity === null) return true;
  for (const { signal, waitMs } of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
      throw error;
    }
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      if ((await processStart(pid)) !== identity) return true;
      await delay(POLL_MS);
    }
  }
  return false;
}

async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

async function processColumn(pid: number, columns: string): Promise<string> {
  // ps exits with 1 when there is no such process.
  return run('ps', ['-ww', '-o', columns, '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}
