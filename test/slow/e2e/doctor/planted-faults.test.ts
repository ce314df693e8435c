import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { CertificateAuthority } from '../../support/certificates.js';
import { signUp } from '../../../support/client.js';
import { ConfigurablePostgres } from '../../support/configurable-postgres.js';
import { openDatabase } from '../../../support/database.js';
import { programVariables } from '../../../support/environment.js';
import { freePort } from '../../../support/free-port.js';
import { MailServer } from '../../../support/mail-server.js';
import { PgBouncer } from '../../support/pgbouncer.js';
import { PostgresProxy } from '../../../support/postgres-proxy.js';
import { RestartableRedis } from '../../support/restartable-redis.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { diagnose, doctor, expectDiagnosis } from './doctor-run.js';
import type { Fault } from './doctor-run.js';
import { FAULTS_OF_SETTINGS } from './faults-of-settings.js';

const PASSWORD = 'of-the-plain-account';
const RULES = ['host all all 127.0.0.1/32 scram-sha-256'];

let postgres: ConfigurablePostgres;
let redis: RestartableRedis;
let mail: MailServer;
let authority: CertificateAuthority;
let variables: Record<string, string>;
let service: ServiceProcess;

beforeAll(async () => {
  [postgres, redis, mail, authority] = await Promise.all([
    ConfigurablePostgres.start(),
    RestartableRedis.create(),
    MailServer.start(),
    CertificateAuthority.create(),
  ]);
  await postgres.query(`CREATE ROLE plain LOGIN PASSWORD '${PASSWORD}'`);
  await postgres.query(`CREATE ROLE reader LOGIN PASSWORD '${PASSWORD}'`);
  await postgres.query('CREATE DATABASE plain OWNER plain');
  await postgres.query('CREATE DATABASE empty OWNER plain');
  const port = await freePort();
  variables = {
    ...programVariables(),
    ...redis.variables,
    ...mail.variables,
    SERVICE_DATABASE__URL: databaseUrl(() => undefined),
    SERVICE_SERVER__PORT: String(port),
    SERVICE_IDENTITY__PUBLIC_URL: `http://127.0.0.1:${port}`,
    SERVICE_ADMIN__TOKEN: randomBytes(32).toString('hex'),
  };
  service = await ServiceProcess.start(variables);
});

afterAll(async () => {
  await service.stop();
  await Promise.all([postgres.dispose(), redis.dispose(), mail.down(), authority.dispose()]);
});

/** The URL of the account that owns the database of the deployment, changed. */
function databaseUrl(change: (url: URL) => void): string {
  const url = new URL(postgres.url);
  url.username = 'plain';
  url.password = PASSWORD;
  url.pathname = '/plain';
  change(url);
  return url.toString();
}

const withDatabase = (change: (url: URL) => void) => (): Record<string, string> => ({
  SERVICE_DATABASE__URL: databaseUrl(change),
});

/** In the database of the deployment. */
async function query(sql: string): Promise<void> {
  await openDatabase(databaseUrl(() => undefined)).query(sql);
}

/** A fault of a setting of the server, until it is reset. */
const system = (name: string, value: string): Pick<Fault, 'plant' | 'remove'> => ({
  plant: async () => {
    await postgres.setSystem(name, value);
    return {};
  },
  remove: () => postgres.setSystem(name, null),
});

const statements = (plant: string, remove: string): Pick<Fault, 'plant' | 'remove'> => ({
  plant: async () => {
    await query(plant);
    return {};
  },
  remove: () => query(remove),
});

const ofRole = (plant: string, remove: string): Pick<Fault, 'plant' | 'remove'> => ({
  plant: async () => {
    await postgres.query(`ALTER ROLE plain ${plant}`);
    return {};
  },
  remove: () => postgres.query(`ALTER ROLE plain ${remove}`),
});

const redisSetting = (name: string, value: string, usual: string): Pick<Fault, 'plant' | 'remove'> => ({
  plant: async () => {
    await redis.configure(name, value);
    return {};
  },
  remove: () => redis.configure(name, usual),
});

/** A mail server that stands for as long as the doctor looks. */
function mailServer(
  options: () => SMTPServerOptions | Promise<SMTPServerOptions>,
  changed: Record<string, string>,
): Pick<Fault, 'plant' | 'remove'> {
  let other: MailServer | null = null;
  return {
    plant: async () => {
      other = await MailServer.start(await options());
      return { ...other.variables, ...changed };
    },
    remove: async () => {
      await other?.down();
    },
  };
}

const FAULTS: Readonly<Record<string, Fault>> = {
  ...FAULTS_OF_SETTINGS,
  'a new data key before rekey': {
    finds: 'rekey_unfinished',
    advises: /servicectl rekey/,
    plant: () => ({
      SERVICE_IDENTITY__DATA_KEY: randomBytes(32).toString('base64'),
      SERVICE_IDENTITY__DATA_KEY_PREVIOUS: variables.SERVICE_IDENTITY__DATA_KEY ?? '',
    }),
  },
  'PostgreSQL away': {
    finds: 'postgres_unreachable',
    advises: /Start it/,
    plant: async () => {
      const port = await freePort();
      return withDatabase((url) => (url.port = String(port)))();
    },
  },
  'a wrong password of the database': {
    finds: 'postgres_password_refused',
    advises: /Correct database\.url/,
    plant: withDatabase((url) => (url.password = 'wrong')),
  },
  'a database that does not exist': {
    finds: 'postgres_database_missing',
    advises: /Create the database/,
    plant: withDatabase((url) => (url.pathname = '/nowhere')),
  },
  'TLS that the database does not offer': {
    finds: 'postgres_tls_refused',
    advises: /Enable TLS on the server/,
    plant: withDatabase((url) => (url.search = '?sslmode=require')),
  },
  'an account that pg_hba.conf rejects': {
    finds: 'postgres_account_refused',
    advises: /pg_hba\.conf/,
    plant: async () => {
      await postgres.setRules([
        'host all service 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 reject',
      ]);
      return {};
    },
    remove: () => postgres.setRules(RULES),
  },
  'fsync off': { finds: 'postgres_fsync_off', advises: /fsync = on/, ...system('fsync', 'off') },
  'full_page_writes off': {
    finds: 'postgres_full_page_writes_off',
    advises: /full_page_writes = on/,
    ...system('full_page_writes', 'off'),
  },
  'autovacuum off': {
    finds: 'postgres_autovacuum_off',
    advises: /autovacuum = on/,
    ...system('autovacuum', 'off'),
  },
  'synchronous_commit off': {
    finds: 'postgres_synchronous_commit_off',
    advises: /synchronous_commit = on/,
    ...ofRole('SET synchronous_commit = off', 'RESET synchronous_commit'),
  },
  'a database that takes no writes': {
    finds: 'postgres_read_only',
    advises: /default_transaction_read_only/,
    ...ofRole('SET default_transaction_read_only = on', 'RESET default_transaction_read_only'),
  },
  'fewer connections than an instance may need': {
    finds: 'postgres_too_few_connections',
    advises: /Raise max_connections/,
    ...ofRole('CONNECTION LIMIT 13', 'CONNECTION LIMIT -1'),
  },
  'a superuser as the account': {
    finds: 'postgres_account_superuser',
    advises: /an account of its own/,
    plant: () => {
      const url = new URL(postgres.url);
      url.pathname = '/plain';
      return { SERVICE_DATABASE__URL: url.toString() };
    },
  },
  'an account without rights on the tables': {
    finds: 'postgres_account_lacks_rights',
    advises: /REASSIGN OWNED/,
    plant: withDatabase((url) => (url.username = 'reader')),
  },
  'an account that may not migrate': {
    finds: 'postgres_account_may_not_migrate',
    advises: /OWNER TO "reader"/,
    plant: withDatabase((url) => {
      url.username = 'reader';
      url.pathname = '/empty';
    }),
  },
  'a database that no program has migrated': {
    finds: 'migrations_waiting',
    advises: /servicectl migrate/,
    plant: withDatabase((url) => (url.pathname = '/empty')),
  },
  'a migration of a newer release': {
    finds: 'migrations_newer',
    advises: /Finish the upgrade/,
    ...statements(
      `INSERT INTO migrations (timestamp, name) VALUES (9000000000000, 'OfTomorrow9000000000000')`,
      `DELETE FROM migrations WHERE name = 'OfTomorrow9000000000000'`,
    ),
  },
  'Redis away': {
    finds: 'redis_unreachable',
    advises: /Start Redis/,
    plant: async () => ({ SERVICE_REDIS__URL: `redis://127.0.0.1:${await freePort()}` }),
  },
  'a wrong password of Redis': {
    finds: 'redis_password_refused',
    advises: /redis\.url/,
    plant: () => ({
      SERVICE_REDIS__URL: (variables.SERVICE_REDIS__URL ?? '').replace('redis://', 'redis://nobody:wrong@'),
    }),
  },
  'a Redis that evicts keys': {
    finds: 'redis_evicts',
    advises: /maxmemory-policy noeviction/,
    ...redisSetting('maxmemory-policy', 'allkeys-lru', 'noeviction'),
  },
  'a Redis without memory left': {
    finds: 'redis_full',
    advises: /Raise maxmemory/,
    ...redisSetting('maxmemory', '1000000', '0'),
  },
  'a mail server with a certificate of its own making': {
    finds: 'mail_certificate_untrusted',
    advises: /NODE_EXTRA_CA_CERTS|by a name that the certificate carries|Renew it/,
    ...mailServer(
      async () => ({ disabledCommands: ['AUTH'], ...(await authority.selfSigned('mail', '/CN=localhost')) }),
      {
        SERVICE_IDENTITY__SMTP__TLS: 'starttls',
      },
    ),
  },
  'a mail server that refuses the sign-in': {
    finds: 'mail_login_refused',
    advises: /identity\.smtp\.password/,
    ...mailServer(
      () => ({
        disabledCommands: ['STARTTLS'],
        allowInsecureAuth: true,
        onAuth: (_auth, _session, answer) => {
          answer(new Error('not you'));
        },
      }),
      { SERVICE_IDENTITY__SMTP__USER: 'service', SERVICE_IDENTITY__SMTP__PASSWORD: 'wrong' },
    ),
  },
  'a mail that the mail server refuses': {
    finds: 'mails_failing',
    advises: /Mail page of the console/,
    ...statements(
      `INSERT INTO outgoing_mails (id, realm_id, kind, recipient, sealed_message, next_attempt_at, attempts, last_error)
       VALUES ('00000000-0000-7000-8000-000000000001', '00000000-0000-0000-0000-000000000000',
               'recovery', 'a@example.com', '\\x00', now() + interval '1 hour', 3, 'ECONNECTION')`,
      'DELETE FROM outgoing_mails',
    ),
  },
  'a sealed value that was altered': {
    finds: 'sealed_value_altered',
    advises: /Restore these rows/,
    ...statements(
      `INSERT INTO outgoing_mails (id, realm_id, kind, recipient, sealed_message, next_attempt_at)
       VALUES ('00000000-0000-7000-8000-000000000001', '00000000-0000-0000-0000-000000000000',
               'recovery', 'a@example.com', '\\x02', now() + interval '1 hour')`,
      'DELETE FROM outgoing_mails',
    ),
  },
  'an instance of another release': {
    finds: 'versions_differ',
    advises: /Finish the upgrade/,
    ...statements(
      `INSERT INTO instances (id, roles, version)
       VALUES ('00000000-0000-7000-8000-000000000001', '{api}', '0.0.9')`,
      `DELETE FROM instances WHERE version = '0.0.9'`,
    ),
  },
};

describe('servicectl doctor', () => {
  it('finds nothing in a healthy deployment, and prints no secret', async () => {
    const { code, findings, output } = await doctor(variables);
    expect([findings, code]).toEqual([[], 0]);
    const { SERVICE_IDENTITY__DATA_KEY: dataKey, SERVICE_ADMIN__TOKEN: token } = variables;
    for (const secret of [PASSWORD, dataKey, token]) expect(output).not.toContain(secret);
  });

  it.each(Object.entries(FAULTS))('finds %s, and says what to do', async (_title, fault) => {
    const diagnosis = await diagnose(fault, variables);
    expectDiagnosis(diagnosis, fault);
    expect(diagnosis.output).not.toContain(PASSWORD);
  });

  it('finds another server at the public address, and says where to look', async () => {
    const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const found = await doctor({ ...variables, SERVICE_IDENTITY__PUBLIC_URL: url });
    other.close();
    expectDiagnosis(found, { finds: 'public_url_elsewhere', advises: /proxy/, plant: () => ({}) });
  });

  it('finds a pooler that shares sessions, and names the setting', async () => {
    const pooler = await PgBouncer.start(
      databaseUrl(() => undefined),
      'transaction',
    );
    const found = await doctor({ ...variables, SERVICE_DATABASE__URL: pooler.url });
    await pooler.stop();
    expectDiagnosis(found, {
      finds: 'postgres_pooler_shares_sessions',
      advises: /pool_mode = session/,
      plant: () => ({}),
    });
  });

  it('finds a database of the other profile, and names the setting', async () => {
    await signUp(service.url ?? '');
    const found = await doctor({
      ...variables,
      SERVICE_IDENTITY__PROFILE: 'project',
      SERVICE_AUTH__JWT_DIR: '/nowhere',
    });
    expectDiagnosis(found, { finds: 'profile_wrong', advises: /identity\.profile/, plant: () => ({}) });
  });

  it('ends within half a minute when servers hang', async () => {
    const proxy = await PostgresProxy.start(databaseUrl(() => undefined));
    proxy.hang();
    redis.hang();
    const begun = performance.now();
    const found = await doctor({ ...variables, SERVICE_DATABASE__URL: proxy.url });
    const tookMs = performance.now() - begun;
    redis.goOn();
    proxy.goOn();
    await proxy.stop();
    expect(found.findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['postgres_unreachable', 'redis_unreachable']),
    );
    expect(tookMs).toBeLessThan(30_000);
  });
});
