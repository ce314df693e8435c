import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../support/free-port.js';
import { asServerAccount, newData, Postgres15 } from './postgres-15.js';
import { PostgresProxy } from '../../support/postgres-proxy.js';
import { until } from '../../support/until.js';

/** Between them, a commit waits until the standby has it (`synchronous_commit` is on). */
const SYNCHRONOUS = { synchronous_standby_names: '*' };

/** A primary server and its synchronous standby, each behind a network of its own that can be cut. */
export class ReplicatedPostgres {
  private constructor(
    private readonly folders: readonly string[],
    readonly primary: Postgres15,
    readonly standby: Postgres15,
    readonly networkOfPrimary: PostgresProxy,
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const [first, second, port, portOfStandby] = await Promise.all([
      newData(),
      newData(),
      freePort(),
      freePort(),
    ]);
    // The data of a server that was never started is a backup of it.
    await rm(second.data, { recursive: true });
    execFileSync(...asServerAccount('cp', ['-a', first.data, second.data]));
    await writeFile(join(second.data, 'standby.signal'), '');
    appendFileSync(
      join(second.data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=service application_name=standby'\n`,
    );
    const primary = new Postgres15(first.data, port, SYNCHRONOUS);
    const standby = new Postgres15(second.data, portOfStandby);
    await primary.start();
    await standby.start();
    const servers = new ReplicatedPostgres(
      [first.folder, second.folder],
      primary,
      standby,
      await PostgresProxy.start(primary.url),
    );
    await until(async () => (await servers.query(primary, 'SELECT FROM pg_stat_replication')).length === 1);
    return servers;
  }

  /** As a program is given it; the standby is named first. */
  get url(): string {
    return this.standby.url.replace('/postgres', `,${new URL(this.networkOfPrimary.url).host}/postgres`);
  }

  /** The standby accepts writes from here on. */
  async promote(): Promise<void> {
    await this.query(this.standby, 'SELECT pg_promote()');
  }

  async query<Row extends pg.QueryResultRow>(server: Postgres15, sql: string): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: server.url,
      options: '-c search_path=public,service',
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  async dispose(): Promise<void> {
    await this.networkOfPrimary.stop();
    await this.standby.end('SIGQUIT');
    await this.primary.end('SIGQUIT');
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true });
  }
}
