import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { Redis } from 'ioredis';
import { repoRoot } from '../../scripts/prepare/report.mjs';
import { withConnection } from './database.mjs';

const packageFile = new URL('../package.json', import.meta.url);

/** What the figures depend on besides the programs. */
export async function describeMachine({ postgresUrl, redisUrl }) {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.versions.node,
    postgresql: await postgresOf(postgresUrl),
    redis: await redisOf(redisUrl),
  };
}

async function postgresOf(url) {
  return await withConnection(url, async (client) => {
    const { rows } = await client.query(
      `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
              current_setting('synchronous_commit') AS synchronous_commit,
              current_setting('shared_buffers') AS shared_buffers`,
    );
    return rows[0];
  });
}

async function redisOf(url) {
  const redis = new Redis(url);
  try {
    const version = /^(?:redis|valkey)_version:(\S+)/m.exec(await redis.info('server'))?.[1];
    const [, appendonly] = await redis.config('GET', 'appendonly');
    const [, appendfsync] = await redis.config('GET', 'appendfsync');
    return { version, appendonly, appendfsync };
  } finally {
    redis.disconnect();
  }
}

/** The exact versions of the peers and of what measures them. */
export function versionsOfPeers() {
  return JSON.parse(readFileSync(packageFile, 'utf8')).dependencies;
}

const MEASURED = ['src', 'migrations', 'package-lock.json'];

/** What was measured: the newest commit that touches the program, and whether its files differ from that. */
export function commitOfProgram() {
  const git = (...args) => execFileSync('git', args, { cwd: repoRoot, encoding: 'utf8' }).trim();
  try {
    return {
      commit: git('log', '-1', '--format=%h', '--abbrev=10', '--', ...MEASURED),
      is_changed: git('status', '--porcelain', '--', ...MEASURED) !== '',
    };
  } catch {
    return { commit: 'unknown', is_changed: true };
  }
}
