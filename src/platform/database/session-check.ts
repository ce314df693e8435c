import { randomBytes } from 'node:crypto';
import pTimeout from 'p-timeout';
import pg from 'pg';
import { EXIT_CONFIG, StartupError } from '../startup/index.js';
import { addressOf } from './database-startup-error.js';

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
export async function requireSessionPooling(url: string): Promise<void> {
  const channel = `service_session_${randomBytes(8).toString('hex')}`;
  const [listener, notifier] = [clientFor(url), clientFor(url)];
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
    `LISTEN/NOTIFY does not work over the database connection to ${addressOf(url).server}: ` +
      'a connection pooler such as PgBouncer with pool_mode = transaction may be the cause; ' +
      'set pool_mode = session, or point database.url (SERVICE_DATABASE__URL) at PostgreSQL itself',
    { exitCode: EXIT_CONFIG },
  );
}

function clientFor(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'service-start',
    connectionTimeoutMillis: NOTIFICATION_LIMIT_MS,
  });
  client.on('error', () => undefined);
  return client;
}
