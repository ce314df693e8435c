import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { asEmbeddedError, EmbeddedError } from './processes/embedded-error.js';
import { ensureServerPassword } from './generated-secrets.js';
import { acquireInstanceLock } from './processes/instance-lock.js';
import type { InstanceLock } from './processes/instance-lock.js';
import type { LogSink } from './processes/embedded-error.js';
import { PostgresAccount } from './postgres/postgres-account.js';
import { locatePostgresBinaries } from './postgres/postgres-binaries.js';
import { ensurePostgresCluster } from './postgres/postgres-cluster.js';
import { PostgresServer } from './postgres/postgres-server.js';
import { RedisServer } from './redis-server.js';
import { SupervisedServer } from './processes/supervised-server.js';
import { Watchdog } from './processes/watchdog.js';

export interface EmbeddedOptions {
  /** Made when missing; one live program at a time may use it. */
  dataDir: string;
  postgres: boolean;
  redis: boolean;
  log: LogSink;
  /** Called when the processes of all servers run; they do not answer yet. Not called when a start fails before. */
  launched?: () => void;
}

export interface EmbeddedServers {
  postgresUrl: string | null;
  redisUrl: string | null;
  /** Ends the servers and frees the data folder. May be called again. */
  stop(): Promise<void>;
}

/**
 * Runs PostgreSQL and Redis as children on loopback, on free ports, with their data under `dataDir`. Both
 * answer when this resolves. They end with the program, however it ends. Throws EmbeddedError.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServers> {
  if (process.platform === 'win32') {
    throw new EmbeddedError(
      'the embedded servers do not run on Windows; use WSL, or set database.url (SERVICE_DATABASE__URL) and ' +
        'redis.url (SERVICE_REDIS__URL)',
    );
  }
  try {
    return await startInFolder(options);
  } catch (error) {
    throw asEmbeddedError(error, options.dataDir);
  }
}

async function startInFolder(options: EmbeddedOptions): Promise<EmbeddedServers> {
  await mkdir(options.dataDir, { recursive: true });
  // One spelling of the path, as left-over servers are recognised by it.
  const dataDir = await realpath(options.dataDir);
  const group = new ServerGroup(await acquireInstanceLock(dataDir), options);
  try {
    const starts = [
      options.postgres ? group.startPostgres(dataDir) : Promise.resolve(null),
      options.redis ? group.startRedis(dataDir) : Promise.resolve(null),
    ] as const;
    // A server that is still starting when its neighbour fails could not be stopped properly.
    await Promise.allSettled(starts);
    const [postgresUrl, redisUrl] = await Promise.all(starts);
    return { postgresUrl, redisUrl, stop: () => group.stop() };
  } catch (error) {
    await group.stop();
    throw error;
  }
}

class ServerGroup {
  readonly #watchdog = new Watchdog();
  readonly #servers: SupervisedServer[] = [];
  readonly #log: LogSink;
  readonly #launched: () => void;
  #stopped: Promise<void> | null = null;

  constructor(
    private readonly lock: InstanceLock,
    { postgres, redis, log, launched = () => undefined }: EmbeddedOptions,
  ) {
    this.#log = log;
    let missing = Number(postgres) + Number(redis);
    this.#launched = () => {
      missing -= 1;
      if (missing === 0) launched();
    };
  }

  async startPostgres(dataDir: string): Promise<string> {
    const folder = join(dataDir, 'postgres');
    const binaries = await locatePostgresBinaries();
    const account = await PostgresAccount.choose(binaries, folder);
    const password = ensureServerPassword(dataDir, 'postgres');
    await ensurePostgresCluster(folder, password, binaries, account, this.#watchdog);
    const kind = new PostgresServer(folder, password, binaries, account, this.#log);
    return kind.url(await this.#supervise(kind));
  }

  async startRedis(dataDir: string): Promise<string> {
    const kind = new RedisServer(join(dataDir, 'redis'), ensureServerPassword(dataDir, 'redis'), this.#log);
    return kind.url(await this.#supervise(kind));
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #supervise(kind: PostgresServer | RedisServer): Promise<number> {
    const server = new SupervisedServer(kind, this.#watchdog, this.#log, this.#launched);
    this.#servers.push(server);
    return server.start();
  }

  async #stopAll(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
    await this.#watchdog.finish();
    await this.lock.release();
  }
}
