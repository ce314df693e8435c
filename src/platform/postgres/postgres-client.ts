import { userInfo } from 'node:os';
import pg from 'pg';
import { parse } from 'pg-connection-string';

/** What the code that connects decides. Where the server is, as whom and how is the URL's. */
export type ClientOptions = Omit<
  pg.ClientConfig,
  | 'binary'
  | 'client_encoding'
  | 'connectionString'
  | 'database'
  | 'host'
  | 'options'
  | 'password'
  | 'port'
  | 'user'
>;

const DEFAULT_NAME = 'service';

/** What a URL may say beside them, and says with precedence. */
const URL_PARAMETERS = [
  'fallback_application_name',
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'query_timeout',
  'statement_timeout',
] as const;

/** As the driver sends it in its first message. */
interface StartupParameters {
  options: string | undefined;
  replication: string | undefined;
}

/**
 * A connection of PostgreSQL's driver that takes nothing from the environment. Whatever the URL leaves open, the driver
 * would take from variables such as PGSSLMODE, PGOPTIONS and PGPASSWORD, or from ~/.pgpass. They belong to the shell that
 * happens to start the program, and a second instance would not have them.
 */
export class PostgresClient extends pg.Client {
  /** @throws the error of a file that the URL names and that cannot be read */
  constructor(url: string, options: ClientOptions = {}) {
    const said = parse(url);
    const name = textOr(said.application_name, options.application_name ?? DEFAULT_NAME);
    // TypeORM's pool passes on the URL that it was made with. To the driver it has precedence over everything else, and
    // after a failover it names the former primary.
    const fromHere = { connectionString: undefined, ...explicitOptions(said), application_name: name };
    super({ ...options, ...fromHere });
    // An absent value of these means to the driver that the variable counts.
    const { connectionParameters } = this as unknown as { connectionParameters: StartupParameters };
    connectionParameters.options = said.options;
    connectionParameters.replication = undefined;
    this.password = said.password ?? '';
  }
}

function explicitOptions(said: ReturnType<typeof parse>): pg.ClientConfig {
  const { host, port, database, ssl } = said;
  const user = said.user === undefined || said.user === '' ? ownAccount() : said.user;
  return {
    ...Object.fromEntries(URL_PARAMETERS.flatMap((name) => (name in said ? [[name, said[name]]] : []))),
    user,
    host: textOr(host, 'localhost'),
    port: Number(textOr(port, '5432')),
    database: textOr(database, user),
    client_encoding: 'UTF8',
    ssl: (ssl ?? false) as pg.ClientConfig['ssl'],
    sslnegotiation: said.sslnegotiation ?? 'postgres',
  };
}

/** As libpq does. A container may run as a number without a name, which then is none of PostgreSQL's either. */
function ownAccount(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

function textOr(text: string | null | undefined, otherwise: string): string {
  return text === null || text === undefined || text === '' ? otherwise : text;
}
