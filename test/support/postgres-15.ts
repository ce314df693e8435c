import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.js';
import { until } from './until.js';

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

export interface OldestPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one of the suite's own, with a superuser of its own. */
export async function startPostgres15(): Promise<OldestPostgres> {
  if (POSTGRES_15 === undefined)
    throw new Error('there is no PostgreSQL 15: install the package postgresql-15');
  const folder = await mkdtemp(join(tmpdir(), 'service-postgres-15-'));
  const isRoot = process.getuid?.() === 0;
  const command = (file: string, args: string[]): [string, string[]] =>
    isRoot ? ['setpriv', [...AS_OTHER_ACCOUNT, file, ...args]] : [file, args];
  if (isRoot) await chown(folder, Number(execFileSync('id', ['-u', ACCOUNT])), 0);
  await chmod(folder, 0o700);
  const data = join(folder, 'data');
  execFileSync(
    ...command(POSTGRES_15.initdb, [
      '-D',
      data,
      '-U',
      'service',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '-N',
    ]),
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const server = spawn(
    ...command(POSTGRES_15.postgres, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]),
    { stdio: 'ignore' },
  );
  const ended = once(server, 'exit');
  const url = `postgres://service@127.0.0.1:${port}/postgres`;
  await until(
    () => answers(url),
    30_000,
    () => `PostgreSQL 15 ended with ${server.exitCode}`,
  );
  return {
    url,
    stop: async () => {
      server.kill('SIGINT');
      await ended;
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
