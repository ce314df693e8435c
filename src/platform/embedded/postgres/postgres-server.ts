import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresClient } from '../../postgres/index.js';
import { EmbeddedError } from '../processes/embedded-error.js';
import type { LogLine, LogSink } from '../processes/embedded-error.js';
import type { PostgresAccount } from './postgres-account.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { POSTGRES_USER } from './postgres-cluster.js';
import { commandLine, endProcess } from '../processes/process-identity.js';
import type { ServerCommand } from '../processes/server-child.js';
import type { ServerKind } from '../processes/supervised-server.js';

const DATABASE = 'service';
const CONNECT_BOUND_MS = 5_000;
const MAX_CONNECTIONS = 200;
/** Another server that holds the port for a moment refuses the password too; ours goes on refusing. */
const REFUSALS_BELIEVED = 30;
const INVALID_PASSWORD = '28P01';

export function postgresUrl(password: string, port: number, database = DATABASE): string {
  return `postgres://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${database}`;
}

/** PostgreSQL on an existing cluster, reached by TCP on 127.0.0.1 and by password only. */
export class PostgresServer implements ServerKind {
  readonly name = 'postgres';
  readonly title = 'PostgreSQL';
  /** INT is the fast shutdown, which waits for no client; QUIT the immediate one, after which it recovers. */
  readonly stopSteps = [
    { signal: 'SIGINT', waitMs: 15_000 },
    { signal: 'SIGQUIT', waitMs: 5_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ] as const;
  #refusals = 0;

  constructor(
    private readonly folder: string,
    private readonly password: string,
    private readonly binaries: PostgresBinaries,
    private readonly account: PostgresAccount,
    private readonly log: LogSink,
  ) {}

  url(port: number): string {
    return postgresUrl(this.password, port);
  }

  /**
   * PostgreSQL refuses to start while the pid in postmaster.pid is anybody's, and that of a killed server may
   * be another program's by now. The caller holds the instance lock, so a live one is a left-over.
   */
  async clearStale(): Promise<void> {
    const lockFile = join(this.folder, 'postmaster.pid');
    const pid = Number.parseInt(await readFile(lockFile, 'utf8').catch(() => ''), 10);
    if (pid > 0 && `${await commandLine(pid)} `.includes(` -D ${this.folder} `)) {
      this.log({ level: 'info', message: `ending the PostgreSQL (pid ${pid}) of a Service that was killed` });
      if (!(await endProcess(pid, this.stopSteps))) {
        throw new EmbeddedError(`an earlier PostgreSQL (pid ${pid}) still uses ${this.folder}; end it`);
      }
    }
    await rm(lockFile, { force: true });
  }

  command(port: number): Promise<ServerCommand> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      // A socket's path has to be short, and its folder writable for the account.
      unix_socket_directories: '',
      max_connections: String(MAX_CONNECTIONS),
      lc_messages: 'C',
      timezone: 'UTC',
      log_timezone: 'UTC',
      log_destination: 'stderr',
      logging_collector: 'off',
      log_line_prefix: '',
      log_checkpoints: 'off',
      // Above ERROR: a refused statement is the application's to report, and its text may hold secrets.
      log_min_messages: 'log',
      log_min_error_statement: 'panic',
    };
    const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    // clearStale recognises the server by its `-D`.
    return Promise.resolve(this.account.command(this.binaries.postgres, ['-D', this.folder, ...options]));
  }

  async answers(port: number): Promise<boolean> {
    const client = new PostgresClient(postgresUrl(this.password, port, 'postgres'), {
      connectionTimeoutMillis: CONNECT_BOUND_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
      if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code !== INVALID_PASSWORD) return false;
      this.#refusals += 1;
      if (this.#refusals < REFUSALS_BELIEVED) return false;
      throw new EmbeddedError(
        `the PostgreSQL in ${this.folder} refuses the password in secrets/postgres_password beside it; restore ` +
          'that file, or move both away to start empty',
      );
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /**
   * The port may have been taken meanwhile, and the processes of a killed server take a moment to notice and
   * to let go of its shared memory.
   */
  curesFailedStart(output: string): Promise<boolean> {
    return Promise.resolve(
      /could not bind|could not create any TCP|pre-existing shared memory block/.test(output),
    );
  }

  classify(line: string): LogLine['level'] | null {
    if (/^(FATAL|PANIC):/.test(line)) {
      // Connections that end with a database or by an administrator's word are no trouble of the server's.
      return /terminating connection|the database system is/.test(line) ? null : 'error';
    }
    return /^WARNING:|terminated by signal|No space left/.test(line) ? 'warn' : null;
  }
}
