import { optionsOf, serverUrls } from '../config/index.js';
import { EXIT_CONFIG, StartupError } from '../startup/index.js';
import { certificateProblem } from '../tls/index.js';
import { driverError, isUnanswered } from './database-errors.js';

const URL_SETTING = 'database.url (SERVICE_DATABASE__URL)';

/** The servers, account and database that a database URL names, without its password. */
export function addressOf(url: string): { server: string; account: string; database: string } {
  const servers = serverUrls(url).map((server) => new URL(server));
  const { username, pathname } = new URL(serverUrls(url)[0]);
  const account = decodeURIComponent(username);
  const database = decodeURIComponent(pathname.slice(1));
  const server = servers
    .map(({ hostname, port }) => `${hostname}:${port === '' ? '5432' : port}`)
    .join(' and ');
  return { server, account, database: database || account };
}

/**
 * Explains why the database refuses the program, and what the operator can do about it.
 * @returns null for an error of another kind
 */
export function startupError(error: unknown, url: string): StartupError | null {
  const reason = reasonOf(error, url);
  return reason === null ? null : new StartupError(reason, { exitCode: EXIT_CONFIG, cause: error });
}

/** Whether the server may accept the program a moment later, such as one that is still starting. */
export function isNotReadyYet(error: unknown): boolean {
  return isUnanswered(error) && poolerRefusal(error) === undefined;
}

interface Refused extends ReturnType<typeof addressOf> {
  readonly message: string;
}

/** By the codes of https://www.postgresql.org/docs/current/errcodes-appendix.html, and those of Node.js. */
const REASONS: Readonly<Record<string, (refused: Refused) => string>> = {
  '25P04': (refused) => timeoutReason('transaction_timeout', refused),
  '25006': ({ server }) =>
    `PostgreSQL at ${server} is read-only; set ${URL_SETTING} to the primary server, or turn default_transaction_read_only off`,
  '28000': ({ server, account, message }) =>
    `PostgreSQL at ${server} does not allow the account "${account}" to connect: ${message}; ` +
    (message.endsWith('no encryption')
      ? `if the server requires TLS, add ?sslmode=verify-full to ${URL_SETTING}; otherwise allow the account in pg_hba.conf`
      : `correct ${URL_SETTING}, or allow the account in pg_hba.conf`),
  '28P01': ({ server, account }) =>
    `PostgreSQL at ${server} refused the password of the account "${account}"; correct ${URL_SETTING}`,
  '3D000': ({ server, database }) =>
    `PostgreSQL at ${server} has no database "${database}"; create the database, or correct ${URL_SETTING}`,
  '42501': ({ server, account, database, message }) =>
    message.includes('session_replication_role')
      ? `PostgreSQL at ${server} has session_replication_role = replica for the server, the database "${database}" or the account "${account}", which turns triggers and cascades off, and the account may not change it; ` +
        resetOf('session_replication_role', { account, database })
      : `PostgreSQL at ${server} denies the account "${account}" a permission that the program needs (${message}); make the account the owner of the database: ALTER DATABASE "${database}" OWNER TO "${account}"`,
  '57P05': (refused) => timeoutReason('idle_session_timeout', refused),
  '58P01': ({ server, message }) =>
    `PostgreSQL at ${server} cannot load a library for the connections of the program (${message}); install it, or remove it from local_preload_libraries or session_preload_libraries of the server, the database or the account`,
  '53300': ({ server, message }) =>
    `PostgreSQL at ${server} has no free connection for the program (${message}); raise max_connections or the CONNECTION LIMIT of the account or the database, or lower database.pool_size`,
  '55000': ({ server, database, message }) =>
    `PostgreSQL at ${server} does not accept connections to the database "${database}": ${message}; allow them, or correct ${URL_SETTING}`,
  ENOTFOUND: ({ server }) => `the host of ${server} does not exist; correct ${URL_SETTING}`,
};

/** A limit that ends a connection before the program can lift it. */
function timeoutReason(setting: string, { server, account, database, message }: Refused): string {
  return (
    `PostgreSQL at ${server} ended the connection at once (${message}): ${setting} is too short for the server, the database "${database}" or the account "${account}"; ` +
    resetOf(setting, { account, database })
  );
}

function resetOf(setting: string, { account, database }: Pick<Refused, 'account' | 'database'>): string {
  return `reset it, such as with: ALTER DATABASE "${database}" RESET ${setting}; ALTER ROLE "${account}" RESET ${setting}`;
}

/** Errors of the PostgreSQL driver, which have no code. */
const BY_DRIVER: readonly (readonly [RegExp, (refused: Refused) => string])[] = [
  [
    /^The server does not support SSL connections/,
    ({ server }) =>
      `PostgreSQL at ${server} does not offer TLS, which ${URL_SETTING} requires; enable TLS on the server, or remove sslmode from the URL`,
  ],
  [
    /client password must be a (?:non-empty )?string/,
    ({ server, account }) =>
      `PostgreSQL at ${server} requires a password for the account "${account}"; add it to ${URL_SETTING}`,
  ],
];

/** What PostgreSQL answers to `options` of the URL that it does not take, by code. */
const OPTIONS_REFUSED = new Set(['22023', '42601', '42704']);

/** What a refusal is due to that the server, the database, the account or `options` of the URL may have set. */
const SETTINGS_BEHIND: Readonly<Record<string, string>> = {
  '25006': 'default_transaction_read_only',
  '25P04': 'transaction_timeout',
  '57P05': 'idle_session_timeout',
};

function settingBehind(code: string, message: string): string | undefined {
  if (code === '42501') return /parameter "(\w+)"/.exec(message)?.[1];
  if (code === '58P01') return 'local_preload_libraries';
  return SETTINGS_BEHIND[code];
}

/** PgBouncer reports every refusal with the code of a protocol violation, so only the message tells them apart. */
const BY_POOLER: readonly (readonly [RegExp, (refused: Refused) => string])[] = [
  [/^no such database|^database ".*" does not exist/, (refused) => reason('3D000', refused)],
  [
    /^bouncer config error/,
    ({ server, database, message }) =>
      `the pooler at ${server} cannot connect to the database "${database}" (${message}); correct the section [databases] of PgBouncer, or ${URL_SETTING}`,
  ],
  [/authentication failed|empty password|^no such user/, (refused) => reason('28P01', refused)],
  [
    /^unsupported startup parameter/,
    ({ server, message }) =>
      `the pooler at ${server} refuses the connection (${message}); remove the parameter from ${URL_SETTING}, or add it to ignore_startup_parameters of PgBouncer`,
  ],
];

function reason(code: string, refused: Refused): string {
  return REASONS[code]?.(refused) ?? refused.message;
}

function reasonOf(error: unknown, url: string): string | null {
  const { code, message, path } = partsOf(error);
  const refused = { ...addressOf(url), message };
  const certificate = certificateProblem(driverError(error));
  if (certificate !== null) return `PostgreSQL at ${refused.server} cannot be trusted: ${certificate}`;
  if (path !== undefined)
    return `a file that ${URL_SETTING} names cannot be read (${message}); correct the path or the permissions`;
  if (OPTIONS_REFUSED.has(code) && hasOptions(url))
    return `PostgreSQL at ${refused.server} refuses the options of ${URL_SETTING}: ${message}; correct them`;
  const setting = settingBehind(code, message);
  if (setting !== undefined && optionsOf(url).has(setting))
    return `${URL_SETTING} sets ${setting} in its options, with which PostgreSQL at ${refused.server} refuses the program (${message}); remove it from the URL`;
  const known = REASONS[code] ?? BY_DRIVER.find(([pattern]) => pattern.test(message))?.[1];
  return (known ?? poolerRefusal(error))?.(refused) ?? null;
}

function hasOptions(url: string): boolean {
  return serverUrls(url).some((server) => new URL(server).searchParams.has('options'));
}

function poolerRefusal(error: unknown): ((refused: Refused) => string) | undefined {
  const { code, message } = partsOf(error);
  return code === '08P01' ? BY_POOLER.find(([pattern]) => pattern.test(message))?.[1] : undefined;
}

function partsOf(error: unknown): { code: string; message: string; path: string | undefined } {
  const { code, message, path } = driverError(error);
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : '',
    path: typeof path === 'string' ? path : undefined,
  };
}
