import { Redis } from 'ioredis';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../src/platform/embedded/index.js';

export interface TestRedis {
  readonly url: string;
  readonly client: Redis;
  stop(): Promise<void>;
}

/** A Redis server of the suite's own, so that it may be emptied or counted without disturbing another. */
export async function startRedis(): Promise<TestRedis> {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-redis-'));
  const servers = await startEmbedded({ dataDir, postgres: false, redis: true, log: () => undefined });
  if (servers.redisUrl === null) throw new Error('the embedded Redis has no URL');
  const client = new Redis(servers.redisUrl);
  return {
    url: servers.redisUrl,
    client,
    stop: async () => {
      client.disconnect();
      await servers.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
