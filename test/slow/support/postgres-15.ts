import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';

/** As Debian installs it, and as `npm test` unpacks it (scripts/prepare/test-programs.mjs). */
const PLACES = [
  { postgres: '/usr/lib/postgresql/15/bin/postgres', initdb: '/usr/lib/postgresql/15/bin/initdb' },
  ...(process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => ({ postgres: join(folder, 'postgres-15'), initdb: join(folder, 'initdb-15') })),
];

/** The programs of the oldest PostgreSQL that is supported; undefined where they cannot be had. */
export const POSTGRES_15 = PLACES.find(({ postgres, initdb }) => existsSync(postgres) && existsSync(initdb));

const ACCOUNT = 'nobody';
/** PostgreSQL refuses to run as root. The other account may pass through folders that are closed to it. */
const AS_OTHER_ACCOUNT = [
  `--reuid=${ACCOUNT}`,
  '--clear-groups',
  '--securebits=+no_setuid_fixup',
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=-all,+dac_override',
  '--bounding-set=-all,+dac_override',
];

const isRoot = process.getuid?.() === 0;

/** A command line that is run by an account that PostgreSQL accepts. */
export function asServerAccount(file: string, args: readonly string[]): [string, string[]] {
  return isRoot ? ['setpriv', [...AS_OTHER_ACCOUNT, file, ...args]] : [file, [...args]];
}

/** The data of a new server, whose superuser is `service`, in a folder of its own. */
export async function newData(): Promise<{ folder: string; data: string }> {
  if (POSTGRES_15 === undefined)
    throw new Error('there is no PostgreSQL 15: install the package postgresql-15');
  const folder = await mkdtemp(join(tmpdir(), 'service-postgres-15-'));
  if (isRoot) await chown(folder, Number(execFileSync('id', ['-u', ACCOUNT])), 0);
  await chmod(folder, 0o700);
  const data = join(folder, 'data');
  const options = ['-U', 'service', '--auth=trust', '--encoding=UTF8', '--locale=C', '-N'];
  execFileSync(...asServerAccount(POSTGRES_15.initdb, ['-D', data, ...options]), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { folder, data };
}

/** A server on a port of its own, which can be ended and started again. */
export class Postgres15 {
  readonly url: string;
  private server: ChildProcess | null = null;

  constructor(
    private readonly data: string,
    readonly port: number,
    private readonly settings: Readonly<Record<string, string>> = {},
  ) {
    this.url = `postgres://service@127.0.0.1:${port}/postgres`;
  }

  /** Starts it, and waits until it answers. */
  async start(): Promise<void> {
    const settings = {
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      ...this.settings,
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(...asServerAccount(POSTGRES_15?.postgres ?? '', ['-D', this.data, ...options]), {
      stdio: 'ignore',
    });
    this.server = server;
    await until(
      () => answers(this.url),
      60_000,
      () => `PostgreSQL 15 ended with ${server.exitCode}`,
    );
  }

  /** Ends it: by SIGINT in good order, by SIGQUIT as a crash does. */
  async end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const { server } = this;
    if (server === null || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }
}

export interface OldestPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one of the suite's own, with a superuser of its own. */
export async function startPostgres15(): Promise<OldestPostgres> {
  const { folder, data } = await newData();
  const server = new Postgres15(data, await freePort());
  await server.start();
  return {
    url: server.url,
    stop: async () => {
      await server.end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
