import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { withConnection } from './database.mjs';

/** Of the times in /proc, on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100;

export const PROCESSOR_FIGURES = {
  processor_ms: { title: 'processor time of the program for each, ms', better: 'less' },
  postgresql_ms: { title: 'processor time of PostgreSQL for each, ms', better: 'less' },
  redis_ms: { title: 'processor time of Redis for each, ms', better: 'less' },
  all_processors_ms: { title: 'processor time of the three together for each, ms', better: 'less' },
};

/** The main processes of the servers, which have their other processes as children. */
export async function serverPids({ postgresUrl, redisUrl }) {
  const backend = await withConnection(postgresUrl, async (client) => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    return readStat(rows[0].pid);
  });
  const redis = new Redis(redisUrl);
  try {
    const pid = /^process_id:(\d+)/m.exec(await redis.info('server'))?.[1];
    return { postgresql: backend?.parent ?? null, redis: Number(pid) };
  } finally {
    redis.disconnect();
  }
}

/**
 * Starts to measure processor time. The result is a function that returns the time used since then for each of so
 * many units of work: of the program, of PostgreSQL and of Redis. It returns no figures where /proc does not have them.
 */
export function startProcessorClock({ pids }, { child }) {
  const before = readAll(pids, child.pid);
  return (units) => {
    const after = readAll(pids, child.pid);
    if (before === null || after === null) return {};
    const used = Object.fromEntries(
      Object.keys(after).map((key) => [key, (after[key] - before[key]) / units]),
    );
    return { ...used, all_processors_ms: used.processor_ms + used.postgresql_ms + used.redis_ms };
  };
}

function readAll({ postgresql, redis }, program) {
  const processes = readProcesses();
  if ([postgresql, redis, program].some((pid) => !processes.has(pid))) return null;
  return {
    processor_ms: treeMs(processes, program),
    postgresql_ms: treeMs(processes, postgresql),
    redis_ms: treeMs(processes, redis),
  };
}

/** The time of a process, of its children that have ended, and of all processes below it. */
function treeMs(processes, pid) {
  let ms = processes.get(pid).ms;
  for (const [child, { parent }] of processes) if (parent === pid) ms += treeMs(processes, child);
  return ms;
}

function readProcesses() {
  let names;
  try {
    names = readdirSync('/proc');
  } catch {
    return new Map();
  }
  const entries = names.filter((name) => /^\d+$/.test(name)).map((name) => [Number(name), readStat(name)]);
  return new Map(entries.filter(([, stat]) => stat !== null));
}

function readStat(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name, in parentheses, may hold spaces. After it come the state, the parent and nine more fields, then the user
  // and system time of the process and of its children that have ended.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ms: (ticks * 1_000) / TICKS_PER_SECOND };
}
