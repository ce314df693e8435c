import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isNotWritable, repoRoot, say } from './report.mjs';

const POLL_MS = 200;
const REPORT_INTERVAL_MS = 5_000;
const TAKEOVER_DEPTH = 3;

/** Runs the work while no other preparation of this clone runs. The lock of a dead one does not block. */
export async function withPrepareLock(work) {
  const folder = fileURLToPath(new URL('.cache/', repoRoot));
  const path = `${folder}prepare.lock`;
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    if (!isNotWritable(error)) throw error;
    // Whoever cannot write here has nothing to prepare, or fails at it.
    return await work();
  }
  let sayAgainAt = 0;
  for (let holder = tryLock(path); holder !== null; holder = tryLock(path)) {
    if (performance.now() >= sayAgainAt) {
      say(`Waiting for the preparation that runs already (pid ${holder}) …`);
      sayAgainAt = performance.now() + REPORT_INTERVAL_MS;
    }
    await delay(POLL_MS);
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** Null when the lock is ours now, else the pid that holds it. */
function tryLock(path, depth = 0) {
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, `${process.pid}\n${startOf(process.pid)}\n`, { flag: 'wx' });
  try {
    for (;;) {
      try {
        // Atomic, and fails when the name exists; the file is never seen half written.
        linkSync(temporary, path);
        return null;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const found = readOrEmpty(path);
      if (found === '') continue;
      const [pid, start] = found.split('\n');
      if (startOf(pid) === start) return pid;
      // Only under a lock of its own: a slower one of two that found the same dead lock would remove the
      // lock that the faster has taken since.
      const takeover = `${path}.takeover`;
      const rival = depth < TAKEOVER_DEPTH ? tryLock(takeover, depth + 1) : pid;
      if (rival !== null) return rival;
      if (readOrEmpty(path) === found) rmSync(path, { force: true });
      rmSync(takeover, { force: true });
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Tells one life of a pid from the next; empty for a dead one. */
function startOf(pid) {
  if (process.platform === 'linux') {
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? '' : (fields[22 - 3] ?? '');
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
