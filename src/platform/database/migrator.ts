import pg from 'pg';
import { DataSource } from 'typeorm';
import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '../startup/index.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { dataSourceOptions } from './data-source-options.js';
import { isDatabaseUnavailable } from './database-errors.js';
import { requireSessionPooling } from './session-check.js';
import { addressOf, startupError } from './database-startup-error.js';

/** Receives what the migrator is waiting for, each time that changes. */
type Progress = (waitsFor: string) => void;

/**
 * Migrates the schema and returns the names of the migrations it ran. Instances that start at the same time wait for
 * each other on an advisory lock, which PostgreSQL releases when an instance dies.
 */
export async function migrate(url: string, progress: Progress = () => undefined): Promise<string[]> {
  const guard = new pg.Client({
    connectionString: url,
    application_name: 'service-migrate',
    connectionTimeoutMillis: 5_000,
  });
  // If this connection is lost, its statement fails and startup is retried. Without a listener the process would end.
  guard.on('error', () => undefined);
  await guard.connect();
  try {
    progress('the migrations of another instance to finish');
    await guard.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
    progress('migrations to finish');
    const dataSource = new DataSource(dataSourceOptions({ url, poolSize: 2 }, []));
    await dataSource.initialize();
    try {
      const ran = await dataSource.runMigrations({ transaction: 'each' });
      return ran.map((migration) => migration.name);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await guard.end();
  }
}

const READY_LIMIT_MS = 60_000;
const READY_RETRY_MS = 500;
const REPORT_INTERVAL_MS = 3_000;

/**
 * Migrates as soon as the database answers. A database that starts together with the program may take a while.
 * @param report called every few seconds with what the program is waiting for
 * @throws StartupError when the database refuses the program, or does not answer within a minute
 */
export async function migrateWhenReady(url: string, report: (message: string) => void): Promise<string[]> {
  const { server } = addressOf(url);
  let waitsFor = `PostgreSQL at ${server} to answer`;
  const reporting = setInterval(() => {
    report(`waiting for ${waitsFor}`);
  }, REPORT_INTERVAL_MS);
  const giveUpAt = performance.now() + READY_LIMIT_MS;
  try {
    for (;;) {
      try {
        await requireSessionPooling(url);
        return await migrate(url, (next) => {
          waitsFor = next;
        });
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw startupError(error, url) ?? error;
        const reason = error instanceof Error ? error.message : String(error);
        if (performance.now() > giveUpAt)
          throw new StartupError(
            `PostgreSQL at ${server} did not answer within ${READY_LIMIT_MS / 1_000} s: ${reason}; ` +
              'start it, or correct database.url (SERVICE_DATABASE__URL)',
          );
        waitsFor = `PostgreSQL at ${server} to answer (${reason})`;
        await wait(READY_RETRY_MS);
      }
    }
  } finally {
    clearInterval(reporting);
  }
}
