import pg from 'pg';
import { DataSource } from 'typeorm';
import { setTimeout as wait } from 'node:timers/promises';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { dataSourceOptions } from './data-source-options.js';
import { isDatabaseUnavailable } from './database-errors.js';

/**
 * Brings the schema up to date and answers the names of the migrations it ran. Instances that start at
 * once wait for one another on an advisory lock, which a dead one gives up with its connection.
 */
export async function migrate(url: string): Promise<string[]> {
  const guard = new pg.Client({ connectionString: url, application_name: 'service-migrate' });
  // Its end ends its statement, and not the program: the start is tried again.
  guard.on('error', () => undefined);
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
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

/** Migrates as soon as the database answers: beside a database that starts together with the program it may take a while. */
export async function migrateWhenReady(url: string): Promise<string[]> {
  const giveUpAt = Date.now() + READY_LIMIT_MS;
  for (;;) {
    try {
      return await migrate(url);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() > giveUpAt) throw error;
      await wait(READY_RETRY_MS);
    }
  }
}
