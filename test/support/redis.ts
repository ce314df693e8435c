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

/** The databases of the run's Redis server, which has 16. The shared programs use 1 and 2. */
const FIRST_DATABASE = 4;
const DATABASES_OF_A_WORKER = 3;
const free = Array.from({ length: DATABASES_OF_A_WORKER }, (_, index) => index);

/** An empty database of the Redis server that the run shares. No other suite uses it while this suite runs. */
export async function emptyRedisDatabase(): Promise<TestRedis> {
  const { TEST_REDIS_URL: server, JEST_WORKER_ID: worker = '1' } = process.env;
  if (server === undefined) throw new Error('run the tests with npm test, which starts Redis for them');
  const index = free.shift();
  if (index === undefined)
    throw new Error(`a suite has at most ${DATABASES_OF_A_WORKER} databases of the shared Redis at a time`);
  const url = `${server}/${FIRST_DATABASE + (Number(worker) - 1) * DATABASES_OF_A_WORKER + index}`;
  const client = new Redis(url);
  await client.flushdb();
  return {
    url,
    client,
    stop: () => {
      free.push(index);
      client.disconnect();
      return Promise.resolve();
    },
  };
}

/** A Redis server of the suite's own, so that it can be emptied or inspected without disturbing others. */
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
