import { EXIT_CONFIG, StartupError } from '../startup/index.js';
import { certificateProblem } from '../tls/index.js';

const NO_TLS = 'The server does not support SSL connections';

/** The server, account and database that a database URL names, without its password. */
export function addressOf(url: string): { server: string; account: string; database: string } {
  const { hostname, port, username, pathname } = new URL(url);
  const account = decodeURIComponent(username);
  const database = decodeURIComponent(pathname.slice(1));
  return { server: `${hostname}:${port === '' ? '5432' : port}`, account, database: database || account };
}

/**
 * Explains why the database refuses the program, and what the operator can do about it.
 * @returns null for an error of another kind
 */
export function startupError(error: unknown, url: string): StartupError | null {
  const reason = reasonOf(error, url);
  return reason === null ? null : new StartupError(reason, { exitCode: EXIT_CONFIG, cause: error });
}

/** By the codes of https://www.postgresql.org/docs/current/errcodes-appendix.html. */
function reasonOf(error: unknown, url: string): string | null {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  const { server, account, database } = addressOf(url);
  const certificate = certificateProblem(error);
  if (certificate !== null) return `PostgreSQL at ${server} cannot be trusted: ${certificate}`;
  if (message === NO_TLS)
    return `PostgreSQL at ${server} does not offer TLS, which database.url (SERVICE_DATABASE__URL) requires; enable TLS on the server, or remove sslmode from the URL`;
  switch (code) {
    case '28P01':
      return `PostgreSQL at ${server} refused the password of the account "${account}"; correct database.url (SERVICE_DATABASE__URL)`;
    case '28000':
      return `PostgreSQL at ${server} does not allow the account "${account}" to connect: ${message}; correct database.url (SERVICE_DATABASE__URL), or allow the account in pg_hba.conf`;
    case '3D000':
      return `PostgreSQL at ${server} has no database "${database}"; create the database, or correct database.url (SERVICE_DATABASE__URL)`;
    case '42501':
      return `PostgreSQL at ${server} denies the account "${account}" a permission that the program needs (${message}); make the account the owner of the database: ALTER DATABASE "${database}" OWNER TO "${account}"`;
    default:
      return null;
  }
}
