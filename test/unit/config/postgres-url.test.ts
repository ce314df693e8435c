import { optionsOf } from '../../../src/platform/config/index.js';
import { DATA_KEY, failure, load } from './loading.js';

function refusalsOf(parameters: string, servers = 'db'): string[] {
  const toml = `[database]\nurl = "postgres://${servers}/service?${parameters}"\n[identity]\ndata_key = "${DATA_KEY}"`;
  return failure(() => load({}, toml)).problems.map(({ key, reason }) => `${key}: ${reason}`);
}

describe('database.url', () => {
  it.each([
    'sslmode=disable',
    'sslmode=verify-full&sslnegotiation=direct',
    'options=-c%20default_transaction_read_only%3Doff',
    'options=-c%20work_mem%3D64MB%20-csession_replication_role%3Dorigin',
  ])('may say %s', (parameters) => {
    const url = `postgres://db/service?${parameters}`;
    const env = { SERVICE_DATABASE__URL: url, SERVICE_IDENTITY__DATA_KEY: DATA_KEY };
    expect(load(env).database.url).toBe(url);
  });

  it.each(['sslmode=bogus', 'sslmode=', 'sslmode=allow', 'sslmode=Require', 'sslmode=disable&sslmode=on'])(
    'is refused with %s, and told what is accepted',
    (parameters) => {
      expect(refusalsOf(parameters)).toEqual([
        'database.url: must have one of these as sslmode: disable, no-verify, prefer, require, verify-ca, verify-full',
      ]);
    },
  );

  it('is refused with another sslnegotiation, and told what is accepted', () => {
    expect(refusalsOf('sslnegotiation=tls')).toEqual([
      'database.url: must have one of these as sslnegotiation: postgres, direct',
    ]);
  });

  it.each([
    ['-c default_transaction_read_only=on', 'default_transaction_read_only', 'the program may not write'],
    ['--default-transaction-read-only=TRUE', 'default_transaction_read_only', 'the program may not write'],
    [
      '-c work_mem=1MB -cdefault_transaction_read_only=1',
      'default_transaction_read_only',
      'the program may not write',
    ],
    ['-c transaction_read_only=yes', 'transaction_read_only', 'the program may not write'],
    [
      '-c session_replication_role=replica',
      'session_replication_role',
      'triggers and cascades do not take place',
    ],
  ])('is refused with the options %s, of one server or several', (options, name, effect) => {
    const parameters = `options=${encodeURIComponent(options)}`;
    const refusal = `database.url: must not set ${name} in its options, with which ${effect}; remove it from the URL`;
    expect(refusalsOf(parameters)).toEqual([refusal]);
    expect(refusalsOf(parameters, 'first:5432,second:5433')).toEqual([refusal]);
  });

  it('has its options read as PostgreSQL reads them', () => {
    const url = 'postgres://db/service?options=-c%20Work_Mem%3D1MB%20--statement-timeout%3D5s%20-cjit%3Doff';
    expect([...optionsOf(url)]).toEqual([
      ['work_mem', '1MB'],
      ['statement_timeout', '5s'],
      ['jit', 'off'],
    ]);
  });
});
