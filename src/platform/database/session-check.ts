import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { EXIT_CONFIG, StartupError } from '../startup/index.js';
import { addressOf } from './database-startup-error.js';

/** A notification within one server takes milliseconds; only one that never comes takes this long. */
const NOTIFICATION_LIMIT_MS = 5_000;

/**
 * Refuses a connection pooler that hands each transaction to another server connection (PgBouncer with
 * `pool_mode = transaction` or `statement`): locks of a session would stay behind on pooled connections, and
 * notifications would never arrive. One connection listens while another notifies, so that both can only meet
 * when the first one keeps its session.
 * @throws StartupError, and whatever connecting throws
 */
export async function requireOwnSessions(url: string): Promise<void> {
  const channel = `service_session_${randomBytes(8).toString('hex')}`;
  const [listener, notifier] = [clientFor(url), clientFor(url)];
  try {
    await Promise.all([listener.connect(), notifier.connect()]);
    const heard = new Promise<true>((resolve) => {
      listener.on('notification', () => {
        resolve(true);
      });
    });
    await listener.query(`LISTEN ${channel}`);
    await notifier.query('SELECT pg_notify($1, $2)', [channel, '']);
    // Counted from the commit: a slow database is no reason.
    if (await Promise.race([heard, wait(NOTIFICATION_LIMIT_MS, false, { ref: false })])) return;
  } finally {
    await Promise.allSettled([listener.end(), notifier.end()]);
  }
  throw new StartupError(
    `notifications (LISTEN, NOTIFY) do not pass through the database connection to ${addressOf(url).server}: ` +
      'is it PgBouncer with pool_mode = transaction? The program needs connections that stay with one session; ' +
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
