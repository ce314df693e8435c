import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../../src/platform/embedded/index.js';
import type { EmbeddedServers } from '../../../src/platform/embedded/index.js';
import type { Certificate } from './certificates.js';
import { until } from '../../support/until.js';

/** A PostgreSQL of the suite's own, whom it lets in and by which certificate being up to the test. */
export class ConfigurablePostgres {
  private constructor(
    private readonly folder: string,
    private readonly servers: EmbeddedServers,
    private readonly admin: pg.Client,
    readonly url: string,
  ) {}

  static async start(): Promise<ConfigurablePostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'service-postgres-'));
    const servers = await startEmbedded({
      dataDir: folder,
      postgres: true,
      redis: false,
      log: () => undefined,
    });
    if (servers.postgresUrl === null) throw new Error('the embedded PostgreSQL has no URL');
    const admin = new pg.Client({ connectionString: servers.postgresUrl });
    await admin.connect();
    return new ConfigurablePostgres(folder, servers, admin, servers.postgresUrl);
  }

  async query(sql: string): Promise<void> {
    await this.admin.query(sql);
  }

  /** From now on the server runs with this value, or with its own for null. Of settings that need no restart. */
  async setSystem(name: string, value: string | null): Promise<void> {
    await this.admin.query(
      value === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = ${value}`,
    );
    await this.reload();
  }

  /** From now on new connections are judged by these lines of pg_hba.conf. */
  async setRules(lines: readonly string[]): Promise<void> {
    await writeFile(join(this.folder, 'postgres', 'pg_hba.conf'), `${lines.join('\n')}\n`);
    await this.reload();
  }

  /** From now on new connections may ask for TLS, and see this certificate. */
  async setCertificate({ cert, key }: Certificate): Promise<void> {
    const data = join(this.folder, 'postgres');
    const { uid, gid } = await stat(data);
    for (const [name, content] of [
      ['server.crt', cert],
      ['server.key', key],
    ] as const) {
      const file = join(data, name);
      await writeFile(file, content);
      await chmod(file, 0o600);
      await chown(file, uid, gid);
    }
    await this.admin.query('ALTER SYSTEM SET ssl = on');
    await this.reload();
  }

  async dispose(): Promise<void> {
    await this.admin.end();
    await this.servers.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Whoever connects after this is met by the new settings: the server loads them before it takes another connection. */
  private async reload(): Promise<void> {
    const loadedAt = async (): Promise<string> =>
      (await this.admin.query<{ at: string }>('SELECT pg_conf_load_time()::text AS at')).rows[0]?.at ?? '';
    const before = await loadedAt();
    await this.admin.query('SELECT pg_reload_conf()');
    await until(async () => (await loadedAt()) !== before);
  }
}
