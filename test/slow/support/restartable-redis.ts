import { Redis } from 'ioredis';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';

/** A Redis that can die, stay away, hang, and come back on its port with its data. */
export class RestartableRedis {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async create(): Promise<RestartableRedis> {
    const folder = await mkdtemp(join(tmpdir(), 'service-redis-'));
    const redis = new RestartableRedis(folder, await freePort());
    await redis.start();
    return redis;
  }

  get variables(): Record<string, string> {
    return { SERVICE_REDIS__URL: `redis://127.0.0.1:${this.port}` };
  }

  async start(): Promise<void> {
    const settings = { port: this.port, bind: '127.0.0.1', dir: this.folder, appendonly: 'yes', save: '' };
    const settingArguments = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]);
    this.child = spawn('redis-server', settingArguments, { stdio: 'ignore' });
    await until(() => this.answers());
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Takes connections and commands, and answers none. */
  hang(): void {
    this.child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.child?.kill('SIGCONT');
  }

  async dispose(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  async flush(): Promise<void> {
    await this.withClient((client) => client.flushall());
  }

  /** Changes a setting while it runs. */
  async configure(key: string, value: string): Promise<void> {
    await this.withClient((client) => client.config('SET', key, value));
  }

  private async answers(): Promise<boolean> {
    return await this.withClient((client) => client.ping()).then(
      () => true,
      () => false,
    );
  }

  private async withClient<Result>(work: (client: Redis) => Promise<Result>): Promise<Result> {
    const client = new Redis(this.port, '127.0.0.1', {
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      disconnectTimeout: 50,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await work(client);
    } finally {
      client.disconnect();
    }
  }
}
