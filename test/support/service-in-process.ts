import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { register } from 'prom-client';
import { DataSource } from 'typeorm';
import type { Logger as StatementLogger } from 'typeorm';
import { Application } from '../../src/application.js';
import { CacheInvalidation } from '../../src/cache-invalidation/index.js';
import { loadConfig } from '../../src/platform/config/index.js';
import { Database } from '../../src/platform/database/index.js';
import { ProgramLog } from '../../src/platform/logging/index.js';
import { SecondConnections } from './second-connections.js';
import { newLogFile, recordSecretsOfVariables } from './secrets/secret-journal.js';

/** Statements that timers run: an instance's heartbeat, what it has counted since the last one, kinds of hashes. */
const BY_THE_CLOCK = /INSERT INTO (?:instances|sign_in_stats)\b|imported_hash IS NOT NULL/;

const TRANSACTION = /^\s*(?:START TRANSACTION|BEGIN|COMMIT|ROLLBACK)/i;

/** The program in the test's own process, where its SQL statements can be counted. */
export class ServiceInProcess {
  private statements: string[] = [];
  private readonly secondConnections: SecondConnections;

  private constructor(
    readonly application: Application,
    readonly url: string,
  ) {
    const counting: StatementLogger = {
      logQuery: (sql: string) => {
        if (!TRANSACTION.test(sql) && !BY_THE_CLOCK.test(sql)) this.statements.push(sql);
      },
      logQueryError: () => undefined,
      logQuerySlow: () => undefined,
      logSchemaBuild: () => undefined,
      logMigration: () => undefined,
      log: () => undefined,
    };
    const dataSource = application.get(DataSource);
    dataSource.setOptions({ logging: ['query'], logger: counting });
    this.secondConnections = new SecondConnections(dataSource, application.get(Database));
  }

  static async start(variables: Readonly<Record<string, string>>): Promise<ServiceInProcess> {
    recordSecretsOfVariables(variables);
    const env = { SERVICE_LOG__LEVEL: 'debug', ...variables };
    const config = loadConfig({ env, cwd: process.cwd() });
    const log = new ProgramLog(config, pino.destination({ dest: newLogFile() ?? '/dev/null', sync: true }));
    Logger.overrideLogger(log);
    const application = await Application.start(config, log);
    return new ServiceInProcess(application, await application.url());
  }

  /** The SQL statements that ran during `work`, without BEGIN, COMMIT and those of timers. */
  async statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    this.statements = [];
    await work();
    return this.statements;
  }

  /** The SQL statements of `work` when it runs a second time and nothing changes. */
  async statementsOnceWarm(work: () => Promise<unknown>): Promise<string[]> {
    await this.hearOfChanges();
    await work();
    return await this.statementsOf(work);
  }

  /**
   * Waits until this instance has received every change that was made so far. A change empties caches, and its
   * notification may arrive later than the response to the request that made it. Notifications arrive in the order of
   * the commits, so once the last one has arrived, all have. The instance that makes a change receives it twice: when
   * it commits, and as a notification.
   */
  async hearOfChanges(): Promise<void> {
    const last = { kind: 'user', id: randomUUID() } as const;
    const changes = this.application.get(CacheInvalidation);
    let received = 0;
    const heard = new Promise<void>((resolve) => {
      changes.onChange((change) => {
        if (change === 'everything' || change.id !== last.id) return;
        received += 1;
        if (received === 2) resolve();
      });
    });
    await this.application.get(Database).transaction((tx) => changes.announce(tx, last));
    await heard;
  }

  async stop(): Promise<void> {
    await this.application.stop();
    // The registry belongs to the process, and the next program in it registers the same metrics.
    register.clear();
    this.secondConnections.requireNone();
  }
}
