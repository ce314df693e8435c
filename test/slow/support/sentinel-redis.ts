import { Redis } from 'ioredis';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';

export const PRIMARY_NAME = 'wake-ups';
const PASSWORD = 'of-the-sentinel';

/** A Redis with a replica, and a Sentinel that makes it the primary when the first one dies. */
export class SentinelRedis {
  private constructor(
    private readonly folder: string,
    private readonly children: readonly ChildProcess[],
    private readonly replicaPort: number,
    private readonly sentinelPort: number,
  ) {}

  static async start(): Promise<SentinelRedis> {
    const folder = await mkdtemp(join(tmpdir(), 'service-sentinel-'));
    const [primary, replica, sentinel] = [await freePort(), await freePort(), await freePort()];
    const children: ChildProcess[] = [];
    const run = async (port: number, lines: readonly string[], ...more: string[]): Promise<void> => {
      const file = join(folder, `${port}.conf`);
      await writeFile(file, ['bind 127.0.0.1', `port ${port}`, `dir ${folder}`, ...lines].join('\n'));
      children.push(spawn('redis-server', [file, ...more], { stdio: 'ignore' }));
    };
    await run(primary, ['save ""']);
    await run(replica, ['save ""', `replicaof 127.0.0.1 ${primary}`, 'repl-diskless-sync-delay 0']);
    await until(async () => (await replication(replica)).includes('master_link_status:up'));
    const monitored = [
      `requirepass ${PASSWORD}`,
      `sentinel monitor ${PRIMARY_NAME} 127.0.0.1 ${primary} 1`,
      `sentinel down-after-milliseconds ${PRIMARY_NAME} 1000`,
      `sentinel failover-timeout ${PRIMARY_NAME} 5000`,
    ];
    await run(sentinel, monitored, '--sentinel');
    const started = new SentinelRedis(folder, children, replica, sentinel);
    // A Sentinel that does not know the replica yet has nothing to promote.
    await until(async () => (await started.knownReplicas()) === 1);
    return started;
  }

  get variables(): Record<string, string> {
    return {
      SERVICE_REDIS__URL: `redis://${PRIMARY_NAME}`,
      SERVICE_REDIS__SENTINELS: `127.0.0.1:${this.sentinelPort}`,
      SERVICE_REDIS__SENTINEL_PASSWORD: PASSWORD,
    };
  }

  killPrimary(): void {
    this.children[0]?.kill('SIGKILL');
  }

  /** The primary takes connections and answers nothing, like one behind a network that was cut. */
  hangPrimary(): void {
    this.children[0]?.kill('SIGSTOP');
  }

  async isReplicaPromoted(): Promise<boolean> {
    return (await replication(this.replicaPort)).includes('role:master');
  }

  /** How many connections of the program the former replica has. */
  async programsAtReplica(): Promise<number> {
    const list = await ask(this.replicaPort, (redis) => redis.client('LIST'));
    return String(list)
      .split('\n')
      .filter((line) => /\bname=service\b/.test(line)).length;
  }

  async dispose(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async knownReplicas(): Promise<number> {
    const found = await ask(
      this.sentinelPort,
      (redis) => redis.call('SENTINEL', 'REPLICAS', PRIMARY_NAME),
      PASSWORD,
    );
    return Array.isArray(found) ? found.length : 0;
  }
}

async function replication(port: number): Promise<string> {
  return String(await ask(port, (redis) => redis.info('replication')));
}

/** Null while the server does not answer. */
async function ask<Answer>(
  port: number,
  question: (redis: Redis) => Promise<Answer>,
  password?: string,
): Promise<Answer | null> {
  const options = {
    lazyConnect: true,
    retryStrategy: () => null,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
  };
  const redis = new Redis({
    port,
    host: '127.0.0.1',
    ...options,
    ...(password === undefined ? {} : { password }),
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await question(redis);
  } catch {
    return null;
  } finally {
    redis.disconnect();
  }
}
