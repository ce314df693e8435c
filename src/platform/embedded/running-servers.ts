import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresClient } from '../postgres/index.js';
import { ensureServerPassword } from './generated-secrets.js';
import { postgresUrl } from './postgres/postgres-server.js';
import { redisUrl } from './redis-server.js';

const CONNECT_BOUND_MS = 5_000;
/** https://www.postgresql.org/docs/current/storage-file-layout.html: postmaster.pid, counted from 0 */
const PORT_LINE = 3;

/** Whether a program has made its PostgreSQL in this data folder; `PG_VERSION` is in every data folder of PostgreSQL. */
export function hasEmbeddedPostgres(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres', 'PG_VERSION'));
}

/**
 * Where the PostgreSQL of a program that runs on this data folder answers, for a second program beside it; null
 * when none runs. The server itself writes its port into its folder, so nothing else has to be kept up to date.
 */
export async function runningPostgresUrl(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => dataDir);
  const lines = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split(
    '\n',
  );
  const port = Number.parseInt(lines[PORT_LINE] ?? '', 10);
  if (!(port > 0)) return null;
  const url = postgresUrl(ensureServerPassword(folder, 'postgres'), port);
  const client = new PostgresClient(url, { connectionTimeoutMillis: CONNECT_BOUND_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return url;
  } catch {
    // What a killed server left behind, or another one on its port.
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The same of Redis, by the file that its program starts it with; null when there is none. It may no longer run. */
export async function runningRedisUrl(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => dataDir);
  const settings = await readFile(join(folder, 'redis', 'redis.conf'), 'utf8').catch(() => '');
  const port = Number.parseInt(/^port (\d+)$/m.exec(settings)?.[1] ?? '', 10);
  return port > 0 ? redisUrl(ensureServerPassword(folder, 'redis'), port) : null;
}
