import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { SigningKeyEntity } from '../../../../identity/index.js';
import {
  Database,
  dataSourceOptions,
  isDatabaseUnavailable,
  primaryServer,
  startupError,
} from '../../../../platform/database/index.js';
import type { DatabaseLocation } from '../../../../platform/database/index.js';
import type { FindingCode } from '../finding-codes.js';
import { fromStartup, problem } from '../finding.js';
import type { Finding } from '../finding.js';

/** Checks of the database run side by side. */
const POOL_SIZE = 3;
const STATEMENT_LIMIT_MS = 5_000;

/** A database that is looked at: over its connections nothing can be written. */
export interface OpenDatabase {
  readonly dataSource: DataSource;
  readonly database: Database;
}

/** @throws whatever connecting throws, see `connectionFinding` */
export async function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  await primaryServer(location.url).find();
  const dataSource = new DataSource(readingOptions(location));
  await dataSource.initialize();
  return { dataSource, database: new Database(dataSource) };
}

/**
 * The options of the program, for connections that only read, also from a server that takes no writes, and that wait for
 * no statement for long.
 */
function readingOptions(location: DatabaseLocation): DataSourceOptions {
  const options = dataSourceOptions({ ...location, poolSize: POOL_SIZE }, [SigningKeyEntity]);
  const extra = options.extra as object;
  const onConnect = async (client: pg.Client): Promise<void> => {
    await client.query(
      `SET statement_timeout = ${STATEMENT_LIMIT_MS}; SET default_transaction_read_only = on`,
    );
  };
  return {
    ...options,
    applicationName: 'servicectl doctor',
    extra: { ...extra, query_timeout: STATEMENT_LIMIT_MS + 1_000, onConnect },
  } as DataSourceOptions;
}

/** By the codes of https://www.postgresql.org/docs/current/errcodes-appendix.html, and those of Node.js. */
const CODES: Readonly<Record<string, FindingCode>> = {
  '08P01': 'postgres_pooler_refused',
  '25006': 'postgres_read_only',
  '28000': 'postgres_account_refused',
  '28P01': 'postgres_password_refused',
  '3D000': 'postgres_database_missing',
  '53300': 'postgres_connections_exhausted',
  ENOTFOUND: 'postgres_unreachable',
};

/** Why there is no connection, in the words of a start that fails for it. */
export function connectionFinding(error: unknown, url: string, server: string): Finding {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const refusal = startupError(error, url);
  if (refusal !== null) return fromStartup(refusalCode(code, refusal.message), refusal.message);
  const reason = typeof message === 'string' && message !== '' ? message : String(code);
  return problem(
    isDatabaseUnavailable(error) ? 'postgres_unreachable' : 'postgres_failed',
    `PostgreSQL at ${server} does not answer (${reason})`,
    'Start it, open the way to it, or correct database.url (SERVICE_DATABASE__URL)',
  );
}

function refusalCode(code: unknown, message: string): FindingCode {
  const known = typeof code === 'string' ? CODES[code] : undefined;
  if (known !== undefined) return known;
  if (message.includes('cannot be trusted')) return 'postgres_certificate_untrusted';
  if (message.includes('TLS')) return 'postgres_tls_refused';
  return message.includes('requires a password') ? 'postgres_password_refused' : 'postgres_refused';
}
