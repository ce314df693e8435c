import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { DataTriggerRepository } from '../../../../src/jobs/data-events/data-trigger.repository.js';
import { DatabaseTriggers } from '../../../../src/jobs/data-events/database-triggers.js';
import { OrganizationTenancy } from '../../../../src/orgs/tenancy/tenant-resolver.js';
import { Database, dataSourceOptions, migrate } from '../../../../src/platform/database/index.js';
import type { TenantId } from '../../../../src/http/index.js';
import { loadConfig } from '../../../../src/platform/config/index.js';

const PASSWORD = 'of the suite';
const UNUSED = null as never;

interface CapturedEvent extends Record<string, unknown> {
  readonly table_name: string;
  readonly event: string;
  readonly record: Record<string, unknown> | null;
}

/** A database with an account of the program and one of a customer who has tables and types there. */
export class DeployedDatabase {
  readonly tenantId = randomUUID() as TenantId;
  readonly otherTenantId = randomUUID() as TenantId;
  readonly triggers = new DataTriggerRepository();
  private source: DataSource | null = null;

  private constructor(
    private readonly server: string,
    readonly name: string,
    readonly account: string,
    readonly customer: string,
  ) {}

  /**
   * @param server a superuser's URL
   * @param attributes of the program's account
   * @param hasRole whether an operator made the role that captures changes
   */
  static async make(server: string, attributes: string, hasRole: boolean): Promise<DeployedDatabase> {
    const name = `suite_${randomBytes(8).toString('hex')}`;
    const deployed = new DeployedDatabase(server, name, `${name}_account`, `${name}_customer`);
    const { account, customer } = deployed;
    await deployed.asSuperuser(
      `CREATE ROLE ${customer} LOGIN PASSWORD '${PASSWORD}'; CREATE ROLE ${account} LOGIN PASSWORD '${PASSWORD}' ${attributes};
       GRANT ${customer} TO ${account}`,
      'postgres',
    );
    if (hasRole)
      await deployed.asSuperuser(
        `CREATE ROLE ${account}_capture NOLOGIN; GRANT ${account}_capture TO ${account}`,
        'postgres',
      );
    await deployed.asSuperuser(`CREATE DATABASE ${name} OWNER ${account}`, 'postgres');
    await migrate({ url: deployed.url(account), schema: 'service' });
    await deployed.asSuperuser(`CREATE SCHEMA shop AUTHORIZATION ${customer}`);
    for (const tenantId of [deployed.tenantId, deployed.otherTenantId])
      await deployed.asSuperuser(
        `INSERT INTO jobs (tenant_id, id, name, handler, timeout_ms, retries, retry_backoff, triggers)
         VALUES ('${tenantId}', 'watch', 'watch', 'take', 1000, 0, '{}', '[]')`,
      );
    return deployed;
  }

  /** As the registration of a job does, apart from its refusals. */
  async watch(schema: string, name: string, tenantId = this.tenantId): Promise<void> {
    const database = await this.database();
    const events = ['insert', 'update', 'delete'] as const;
    await database.transaction(async (tx) => {
      const watches = events.map((event) => ({ schema, name, event, jobId: 'watch', columns: null }));
      await this.triggers.insertWatches(tx, tenantId, watches);
      await new DatabaseTriggers(
        this.triggers,
        new OrganizationTenancy(UNUSED, UNUSED, UNUSED, UNUSED),
        loadConfig({ env: {} }),
      ).reconcile(tx, null);
    });
  }

  /** Connected as the program is. */
  async database(): Promise<Database> {
    this.source ??= await new DataSource(
      dataSourceOptions({ url: this.url(this.account), schema: 'service', poolSize: 2 }, []),
    ).initialize();
    return new Database(this.source);
  }

  async asSuperuser(sql: string, database = this.name): Promise<Record<string, unknown>[]> {
    const url = new URL(this.server);
    url.pathname = `/${database}`;
    return await query(url.toString(), sql);
  }

  async asAccount(sql: string): Promise<Record<string, unknown>[]> {
    return await query(this.url(this.account), sql);
  }

  async asCustomer(sql: string): Promise<Record<string, unknown>[]> {
    return await query(this.url(this.customer), sql);
  }

  /** What was captured since the last look, oldest first. */
  async events(): Promise<CapturedEvent[]> {
    const found = await this.asSuperuser(
      'WITH gone AS (DELETE FROM data_events RETURNING *) SELECT table_name, event, record FROM gone ORDER BY id',
    );
    return found as CapturedEvent[];
  }

  async drop(): Promise<void> {
    await this.source?.destroy();
    await this.asSuperuser(`DROP DATABASE ${this.name} WITH (FORCE)`, 'postgres');
    await this.asSuperuser(
      `DROP ROLE IF EXISTS ${this.account}_capture; DROP ROLE IF EXISTS ${this.account}, ${this.customer}`,
      'postgres',
    );
  }

  private url(role: string): string {
    const url = new URL(this.server);
    Object.assign(url, { username: role, password: PASSWORD, pathname: `/${this.name}` });
    return url.toString();
  }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const answer: unknown = await client.query(sql);
    const last = (Array.isArray(answer) ? answer.at(-1) : answer) as pg.QueryResult<Record<string, unknown>>;
    return last.rows;
  } finally {
    await client.end();
  }
}
