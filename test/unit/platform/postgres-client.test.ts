import { userInfo } from 'node:os';
import { PostgresClient } from '../../../src/platform/postgres/index.js';

/** Every variable that the driver or its library for ~/.pgpass reads. */
const OF_THE_SHELL: Readonly<Record<string, string>> = {
  PGAPPNAME: 'shell',
  PGBINARY: '1',
  PGCLIENT_ENCODING: 'LATIN1',
  PGCONNECT_TIMEOUT: '1',
  PGDATABASE: 'shell',
  PGHOST: 'shell.invalid',
  PGOPTIONS: '-c search_path=shell',
  PGPASSFILE: '/nowhere/pgpass',
  PGPASSWORD: 'of the shell',
  PGPORT: '1',
  PGREPLICATION: 'database',
  PGSSLMODE: 'require',
  PGSSLNEGOTIATION: 'direct',
  PGUSER: 'shell',
  USER: 'shell',
};

/** What the driver will send to the server, and how. */
interface Sent {
  getStartupConf(): Record<string, string>;
  readonly binary: boolean;
  readonly connection: { readonly ssl: unknown; readonly sslNegotiation: string };
}

function sentFor(
  url: string,
  options?: ConstructorParameters<typeof PostgresClient>[1],
): Record<string, unknown> {
  const client = new PostgresClient(url, options);
  const { binary, connection } = client as unknown as Sent;
  return {
    host: client.host,
    port: client.port,
    password: client.password,
    ssl: connection.ssl,
    negotiation: connection.sslNegotiation,
    binary,
    ...(client as unknown as Sent).getStartupConf(),
  };
}

describe('a connection to PostgreSQL', () => {
  const saved = new Map<string, string | undefined>();

  beforeAll(() => {
    for (const [name, value] of Object.entries(OF_THE_SHELL)) {
      saved.set(name, process.env[name]);
      process.env[name] = value;
    }
  });

  afterAll(() => {
    for (const [name, value] of saved)
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
  });

  it('takes nothing from the environment that its URL leaves open', () => {
    expect(sentFor('postgres:///')).toEqual({
      host: 'localhost',
      port: 5432,
      user: userInfo().username,
      database: userInfo().username,
      password: '',
      ssl: false,
      negotiation: 'postgres',
      binary: false,
      application_name: 'service',
    });
  });

  it('takes what its URL says, and before the program what both say', () => {
    const url =
      'postgres://shop:p%40ss@db.example.com:6432/orders' +
      '?sslmode=no-verify&application_name=theirs&options=-c%20work_mem%3D64MB&statement_timeout=5000';
    expect(sentFor(url, { application_name: 'service', statement_timeout: 1 })).toEqual({
      host: 'db.example.com',
      port: 6432,
      user: 'shop',
      database: 'orders',
      password: 'p@ss',
      ssl: { rejectUnauthorized: false },
      negotiation: 'postgres',
      binary: false,
      application_name: 'theirs',
      options: '-c work_mem=64MB',
      statement_timeout: '5000',
    });
  });

  it('leads where its own URL does, whichever one the pool was made with', () => {
    const former = 'postgres://shop@former.example.com:1/other?application_name=former';
    const ofPool = { connectionString: former, application_name: 'service' };
    expect(sentFor('postgres:///', ofPool)).toEqual(sentFor('postgres:///'));
  });

  it('takes what the program says where its URL is silent', () => {
    expect(
      sentFor('postgres://shop@db.example.com', { application_name: 'service-locks', keepAlive: true }),
    ).toMatchObject({ database: 'shop', application_name: 'service-locks', password: '' });
  });
});
