import { randomBytes } from 'node:crypto';
import pTimeout from 'p-timeout';
import type pg from 'pg';
import { EXIT_CONFIG, StartupError, reportedWait } from '../startup/index.js';
import { addressOf, isNotReadyYet, startupError } from './database-startup-error.js';
import { DataSource } from 'typeorm';
import { setTimeout as wait } from 'node:timers/promises';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { dataSourceOptions } from './data-source-options.js';
import { clientFor } from './primary/following-client.js';
import type { DatabaseLocation } from './primary/following-client.js';
import { primaryServer } from './primary/primary-server.js';
import { prepareSchema } from './session/database-requirements.js';
import { migrations } from '../../../migrations/index.js';

/**
 * A notification within one server takes milliseconds. After this time, the program assumes that it never arrives.
 */
const NOTIFICATION_LIMIT_MS = 5_000;

/**
 * Refuses a connection pooler that may use a different server connection for each transaction (PgBouncer with
 * `pool_mode = transaction` or `statement`). With such a pooler, session locks would stay behind on pooled
 * connections and notifications would never arrive. To detect it, one connection listens while another notifies: the
 * notification arrives only if the listening connection keeps its session.
 * @throws StartupError, and whatever connecting throws
 */
export async function requireSessionPooling(location: DatabaseLocation): Promise<void> {
  const channel = `service_session_${randomBytes(8).toString('hex')}`;
  await primaryServer(location.url).find();
  const [listener, notifier] = [clientOf(location), clientOf(location)];
  try {
    await Promise.all([listener.connect(), notifier.connect()]);
    const notified = new Promise<true>((resolve) => {
      listener.on('notification', () => {
        resolve(true);
      });
    });
    await listener.query(`LISTEN ${channel}`);
    await notifier.query('SELECT pg_notify($1, $2)', [channel, '']);
    // The time counts from the commit, so a slow database does not fail this check.
    if (await pTimeout(notified, { milliseconds: NOTIFICATION_LIMIT_MS, fallback: () => false })) return;
  } finally {
    await Promise.allSettled([listener.end(), notifier.end()]);
  }
  throw new StartupError(
    `LISTEN/NOTIFY does not work over the database connection to ${addressOf(location.url).server}: ` +
      'a connection pooler such as PgBouncer with pool_mode = transaction may be the cause; ' +
      'set pool_mode = session, or point database.url (SERVICE_DATABASE__URL) at PostgreSQL itself',
    { exitCode: EXIT_CONFIG },
  );
}

function clientOf(location: DatabaseLocation): pg.Client {
  const client = clientFor(location, {
    application_name: 'service-start',
    connectionTimeoutMillis: NOTIFICATION_LIMIT_MS,
  });
  client.on('error', () => undefined);
  return client;
}

/** Receives what the migrator is waiting for, each time that changes. */
type Progress = (waitsFor: string) => void;

/**
 * Migrates the schema and returns the names of the migrations it ran. Instances that start at the same time wait for
 * each other on an advisory lock, which PostgreSQL releases when an instance dies.
 * @throws StartupError for a pooler that shares sessions, which would keep the lock, and for a database where the program
 *   cannot have its tables
 */
export async function migrate(
  location: DatabaseLocation,
  progress: Progress = () => undefined,
): Promise<string[]> {
  await requireSessionPooling(location);
  const guard = clientFor(location, {
    application_name: 'service-migrate',
    connectionTimeoutMillis: 5_000,
  });
  // If this connection is lost, its statement fails and startup is retried. Without a listener the process would end.
  guard.on('error', () => undefined);
  await guard.connect();
  try {
    progress('the migrations of another instance to finish');
    await takeLock(guard, location.schema);
    progress('migrations to finish');
    const names = migrations.map(({ name }) => name);
    await prepareSchema(guard, location.schema, names);
    const dataSource = new DataSource(dataSourceOptions({ ...location, poolSize: 2 }, []));
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

const LOCK_RETRY_MS = 100;

/**
 * Asks again and again, since a statement that waits for the lock would have a snapshot, for whose end the holder's
 * `CREATE INDEX CONCURRENTLY` waits.
 */
async function takeLock(guard: pg.Client, schema: string): Promise<void> {
  const sql = 'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken';
  const parameters = [ADVISORY_LOCKS.migrations, schema];
  while ((await guard.query<{ taken: boolean }>(sql, parameters)).rows[0]?.taken !== true)
    await wait(LOCK_RETRY_MS);
}

const READY_LIMIT_MS = 60_000;
const READY_RETRY_MS = 500;

/**
 * Migrates as soon as the database answers. A database that starts together with the program may take a while.
 * @param report called every few seconds with what the program is waiting for
 * @throws StartupError when the database refuses the program, or does not answer within a minute
 */
export async function migrateWhenReady(
  location: DatabaseLocation,
  report: (message: string) => void,
): Promise<string[]> {
  return await reporting(location.url, report, (progress) => untilMigrated(location, progress));
}

/**
 * Like `migrateWhenReady`, but fails at once when the database does not answer, for operators who are watching.
 * @throws StartupError when the database refuses the program, and any error of connecting
 */
export async function migrateNow(
  location: DatabaseLocation,
  report: (message: string) => void,
): Promise<string[]> {
  try {
    return await reporting(location.url, report, (progress) => migrate(location, progress));
  } catch (error) {
    throw startupError(error, location.url) ?? error;
  }
}

async function reporting(
  url: string,
  report: (message: string) => void,
  work: (progress: Progress) => Promise<string[]>,
): Promise<string[]> {
  let waitsFor = `PostgreSQL at ${addressOf(url).server} to answer`;
  const migrated = work((next) => {
    waitsFor = next;
  });
  return await reportedWait(migrated, () => waitsFor, report);
}

async function untilMigrated(location: DatabaseLocation, progress: Progress): Promise<string[]> {
  const { url } = location;
  const { server } = addressOf(url);
  const giveUpAt = performance.now() + READY_LIMIT_MS;
  for (;;) {
    try {
      return await migrate(location, progress);
    } catch (error) {
      if (!isNotReadyYet(error)) throw startupError(error, url) ?? error;
      const reason = textOf(error);
      if (performance.now() > giveUpAt)
        throw (
          startupError(error, url) ??
          new StartupError(
            `PostgreSQL at ${server} did not answer within ${READY_LIMIT_MS / 1_000} s: ${reason}; ` +
              'start it, or correct database.url (SERVICE_DATABASE__URL)',
          )
        );
      progress(`PostgreSQL at ${server} to answer (${reason})`);
      await wait(READY_RETRY_MS);
    }
  }
}

/** A host name with several addresses fails with one error for each. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
