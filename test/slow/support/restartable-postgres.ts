import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { isDatabaseUnavailable } from '../../../src/platform/database/index.js';
import { startEmbedded } from '../../../src/platform/embedded/index.js';
import type { EmbeddedServers } from '../../../src/platform/embedded/index.js';
import { until } from '../../support/until.js';

/** A PostgreSQL of the suite's own, which can be ended in any way and comes back on its port with its data. */
export class RestartablePostgres {
  private readonly pool: pg.Pool;

  private constructor(
    private readonly folder: string,
    private readonly servers: EmbeddedServers,
    readonly url: string,
  ) {
    this.pool = new pg.Pool({ connectionString: url, options: '-c search_path=public,service', max: 4 });
    this.pool.on('error', () => undefined);
  }

  static async start(): Promise<RestartablePostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'service-postgres-'));
    const servers = await startEmbedded({
      dataDir: folder,
      postgres: true,
      redis: false,
      log: () => undefined,
    });
    if (servers.postgresUrl === null) throw new Error('the embedded PostgreSQL has no URL');
    return new RestartablePostgres(folder, servers, servers.postgresUrl);
  }

  /**
   * The rows of one statement, asked again for as long as the database is away. So it must be one that may run
   * twice: the answer to the first may be what was lost.
   */
  async query<Row extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    let found: Row[] = [];
    await until(async () => {
      try {
        found = (await this.pool.query<Row>(sql, parameters)).rows;
        return true;
      } catch (error) {
        if (isDatabaseUnavailable(error)) return false;
        throw error;
      }
    });
    return found;
  }

  /** Ends it: by SIGINT in good order, by SIGQUIT as a crash does. Resolves when it answers again. */
  async restart(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const before = await this.pid();
    process.kill(before, signal);
    // It has its supervisor, as the program's embedded one has.
    await until(async () => (await this.pid().catch(() => before)) !== before);
    await this.query('SELECT 1');
  }

  /** Cuts every connection but the one that says so. */
  async terminateBackends(): Promise<void> {
    await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }

  async dispose(): Promise<void> {
    await this.pool.end();
    await this.servers.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async pid(): Promise<number> {
    const [pid = ''] = (await readFile(join(this.folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    if (pid === '') throw new Error('PostgreSQL is about to write its pid');
    return Number(pid);
  }
}
