import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../../../src/platform/config/index.js';
import { judgeSettings } from '../../../../src/cli/operator/doctor/judgements/settings.js';
import { judgeDataFolder } from '../../../../src/cli/operator/doctor/judgements/data-folder.js';
import {
  judgeProjectKeys,
  judgeSealedValues,
  judgeSigningKeys,
} from '../../../../src/cli/operator/doctor/judgements/keys.js';
import { judgeMail, judgeOutbox } from '../../../../src/cli/operator/doctor/judgements/mail.js';
import {
  judgeClock,
  judgeMigrations,
  judgePostgres,
} from '../../../../src/cli/operator/doctor/judgements/postgres.js';
import type { PostgresFacts } from '../../../../src/cli/operator/doctor/judgements/postgres.js';
import { judgeRedis } from '../../../../src/cli/operator/doctor/judgements/redis.js';
import { judgeInstances, judgeQueue } from '../../../../src/cli/operator/doctor/judgements/work.js';
import type { Verdict } from '../../../../src/cli/operator/doctor/finding.js';

const codesOf = ({ findings }: Verdict): string[] => findings.map(({ code }) => code);

const POSTGRES: PostgresFacts = {
  server: 'db:5432',
  versionNumber: 150_000,
  account: 'service',
  isSuperuser: false,
  isInRecovery: false,
  isReadOnly: false,
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  autovacuum: 'on',
  connections: 97,
  longestTransactionSecs: 600,
  oldestPreparedSecs: 300,
  bloatedTables: [],
  mayCreate: true,
  closedTables: 0,
  waitingMigrations: 0,
  unknownMigrations: [],
  isEmpty: false,
};
const USE = { poolSize: 10, instances: 8, isEmbedded: false };

describe('the doctor, of PostgreSQL', () => {
  const cases: [string, Partial<PostgresFacts>, string[]][] = [
    ['in good order', {}, []],
    ['of release 14', { versionNumber: 140_011 }, ['postgres_too_old']],
    ['as a standby', { isInRecovery: true }, ['postgres_read_only']],
    ['without fsync', { fsync: 'off' }, ['postgres_fsync_off']],
    ['that commits locally only', { synchronousCommit: 'local' }, []],
    ['with one connection too few', { connections: 90 }, ['postgres_too_few_connections']],
    ['with just enough connections', { connections: 91 }, []],
    ['with a transaction of eleven minutes', { longestTransactionSecs: 660 }, ['postgres_long_transaction']],
    ['with a forgotten prepared transaction', { oldestPreparedSecs: 301 }, ['postgres_prepared_transaction']],
    ['whose tables are mostly dead rows', { bloatedTables: ['runs'] }, ['postgres_dead_rows']],
    ['for a superuser', { isSuperuser: true }, ['postgres_account_superuser']],
  ];
  it.each(cases)('judges a server %s', (_title, changed, codes) => {
    expect(codesOf(judgePostgres({ ...POSTGRES, ...changed }, USE))).toEqual(codes);
  });

  it('lets the embedded server have a superuser', () => {
    expect(codesOf(judgePostgres({ ...POSTGRES, isSuperuser: true }, { ...USE, isEmbedded: true }))).toEqual(
      [],
    );
  });

  it('minds rights to create only while migrations wait', () => {
    expect(codesOf(judgeMigrations({ ...POSTGRES, mayCreate: false }))).toEqual([]);
    expect(codesOf(judgeMigrations({ ...POSTGRES, mayCreate: false, waitingMigrations: 1 }))).toEqual([
      'migrations_waiting',
      'postgres_account_may_not_migrate',
    ]);
  });

  it('takes unknown migrations for those of a newer release only where its own have run', () => {
    const unknownMigrations = ['OfTomorrow9000000000000'];
    expect(codesOf(judgeMigrations({ ...POSTGRES, unknownMigrations }))).toEqual(['migrations_newer']);
    expect(codesOf(judgeMigrations({ ...POSTGRES, unknownMigrations, waitingMigrations: 1 }))).toEqual([
      'migrations_waiting',
    ]);
  });

  it('minds clocks that differ by more than five seconds, in both directions', () => {
    expect(codesOf(judgeClock({ PostgreSQL: 5_000, Redis: -5_000 }))).toEqual([]);
    expect(judgeClock({ PostgreSQL: 6_000, Redis: -180_000 }).findings.map(({ message }) => message)).toEqual(
      [
        'the clock of PostgreSQL is 6 s ahead of this machine',
        'the clock of Redis is 3 min behind this machine',
      ],
    );
  });
});

describe('the doctor, of Redis', () => {
  const INFO =
    'redis_version:7.2.4\r\nrole:master\r\nused_memory:100\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n';
  const cases: [string, [string, string], string[]][] = [
    ['in good order', ['', ''], []],
    ['of release 6.0', ['7.2.4', '6.0.16'], ['redis_too_old']],
    ['of release 6.2', ['7.2.4', '6.2.0'], []],
    ['that is a replica', ['role:master', 'role:slave'], ['redis_replica']],
    ['that evicts keys', ['noeviction', 'volatile-lru'], ['redis_evicts']],
    ['that is nearly full', ['maxmemory:0', 'maxmemory:110'], ['redis_full']],
    ['with room', ['maxmemory:0', 'maxmemory:112'], []],
  ];
  it.each(cases)('judges a server %s', (_title, [from, to], codes) => {
    expect(codesOf(judgeRedis('redis:6379', INFO.replace(from, to)))).toEqual(codes);
  });

  it('only warns where it may not ask', () => {
    expect(judgeRedis('redis:6379', null).findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['redis_info_denied', 'warning'],
    ]);
  });
});

describe('the doctor, of mail', () => {
  it.each([
    [null, []],
    ['ECONNREFUSED', ['mail_unreachable']],
    ['timeout', ['mail_unreachable']],
    ['ETLS', ['mail_tls_refused']],
    ['EAUTH 535', ['mail_login_refused']],
    [
      'the mail server cannot be trusted: the certificate has expired; renew it on the server',
      ['mail_certificate_untrusted'],
    ],
  ])('judges a greeting that ended with %s', (reason, codes) => {
    expect(codesOf(judgeMail('mail:587', reason))).toEqual(codes);
  });

  it('judges mails that fail and mails that nobody sends', () => {
    const outbox = { waiting: 1, failing: 0, reason: null, overdueSecs: 300 };
    expect(codesOf(judgeOutbox(outbox))).toEqual([]);
    expect(codesOf(judgeOutbox({ ...outbox, overdueSecs: 301 }))).toEqual(['mails_overdue']);
    expect(codesOf(judgeOutbox({ ...outbox, failing: 1, reason: 'EDNS' }))).toEqual(['mails_failing']);
  });
});

describe('the doctor, of keys', () => {
  const NOW = new Date('2026-06-01T00:00:00Z');
  const PLAN = { rotationDays: 90, leadSecs: 1_200 };
  const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);
  const active = (days: number) => ({
    state: 'active' as const,
    signsAt: daysAgo(days),
    activeAt: daysAgo(days),
    retiresAt: null,
  });
  it.each([
    ['a young key', [active(1)], []],
    ['no key', [], ['signing_key_missing']],
    ['a key that should have been replaced', [active(91)], ['signing_keys_overdue']],
  ])('judges %s', (_title, keys, codes) => {
    expect(codesOf(judgeSigningKeys(keys, NOW, PLAN))).toEqual(codes);
  });

  it('never calls a key overdue that is rotated by hand', () => {
    expect(codesOf(judgeSigningKeys([active(900)], NOW, { ...PLAN, rotationDays: 0 }))).toEqual([]);
  });

  it('tells a wrong data key from one that is missing beside the current one', () => {
    const sample = {
      column: 'factors.sealed_secret',
      opened: 0,
      underUnknownKey: 2,
      altered: 0,
      toRewrite: 0,
    };
    const wrong = judgeSealedValues([sample]);
    const missing = judgeSealedValues([sample, { ...sample, opened: 3, underUnknownKey: 0 }]);
    expect([codesOf(wrong), codesOf(missing)]).toEqual([['data_key_wrong'], ['data_key_wrong']]);
    expect(wrong.findings[0]?.remedy).toContain('first used with');
    expect(missing.findings[0]?.remedy).toContain('identity.data_key_previous');
  });

  it('names some of the projects whose keys are gone', () => {
    expect(judgeProjectKeys(4, []).findings).toEqual([]);
    expect(judgeProjectKeys(4, ['a', 'b', 'c', 'd']).findings[0]?.message).toMatch(
      /^the private key of 4 projects .*a, b, c$/,
    );
  });
});

describe('the doctor, of instances, the queue and the data folder', () => {
  const CREW = {
    instances: [{ roles: ['api', 'scheduler', 'worker'], version: '0.1.0' }],
    workers: 1,
    schedulerTicks: true,
    version: '0.1.0',
  };
  it.each([
    ['with every role', {}, []],
    [
      'that is not running, and nothing that follows from it',
      { instances: [], workers: 0, schedulerTicks: false },
      ['no_instance'],
    ],
    ['without workers', { workers: 0 }, ['no_worker']],
    ['without a scheduler', { schedulerTicks: false }, ['no_scheduler']],
    ['without the role api', { instances: [{ roles: ['worker'], version: '0.1.0' }] }, ['no_api']],
    ['of another release than the command', { version: '0.2.0' }, ['versions_differ']],
  ])('judges a deployment %s', (_title, changed, codes) => {
    expect(codesOf(judgeInstances({ ...CREW, ...changed }))).toEqual(codes);
  });

  it('judges runs that wait for long and runs that should be gone', () => {
    const queue = { tenants: 1, oldestWaitMs: 600_000, keepsExpiredRuns: false };
    expect(codesOf(judgeQueue(queue))).toEqual([]);
    expect(codesOf(judgeQueue({ ...queue, oldestWaitMs: 601_000, keepsExpiredRuns: true }))).toEqual([
      'queue_old',
      'retention_behind',
    ]);
  });

  it('judges secrets that are gone or open, and a full disk', () => {
    const folder = {
      path: '.service',
      open: [],
      missing: [],
      closed: [],
      hasRedisPassword: true,
      secrets: { dataKey: null, adminToken: null },
      freeBytes: 2 ** 30,
    };
    expect(codesOf(judgeDataFolder(folder))).toEqual([]);
    expect(
      codesOf(
        judgeDataFolder({
          ...folder,
          missing: ['data_key'],
          closed: ['admin_token'],
          open: ['secrets'],
          freeBytes: 2 ** 30 - 1,
        }),
      ),
    ).toEqual(['secrets_missing', 'secrets_closed', 'secrets_readable', 'disk_nearly_full']);
  });
});

describe('the doctor, of settings that the program accepts', () => {
  const config = (changed: Readonly<Record<string, string>>) =>
    loadConfig({
      env: {
        SERVICE_DATABASE__URL: 'postgres://service@db/service',
        SERVICE_IDENTITY__DATA_KEY: randomBytes(32).toString('base64'),
        SERVICE_IDENTITY__PUBLIC_URL: 'http://localhost:8080',
        ...changed,
      },
      cwd: '/nowhere',
    });
  const cases: [string, Readonly<Record<string, string>>, string[]][] = [
    ['a public address on this machine', {}, []],
    [
      'a public address of a proxy that is trusted',
      {
        SERVICE_IDENTITY__PUBLIC_URL: 'https://service.example.com',
        SERVICE_SERVER__TRUST_PROXY: '1',
      },
      [],
    ],
    [
      'a public address of a proxy that is not',
      { SERVICE_IDENTITY__PUBLIC_URL: 'https://service.example.com' },
      ['proxy_not_trusted'],
    ],
    [
      'passkeys of a domain above the public address',
      {
        SERVICE_IDENTITY__PUBLIC_URL: 'https://service.example.com',
        SERVICE_SERVER__TRUST_PROXY: '1',
        SERVICE_IDENTITY__PASSKEYS__RP_ID: 'example.com',
        SERVICE_IDENTITY__PASSKEYS__ORIGINS: 'https://app.example.com',
      },
      [],
    ],
    [
      'passkeys of a domain whose name ends alike',
      {
        SERVICE_IDENTITY__PUBLIC_URL: 'https://service.example.com',
        SERVICE_SERVER__TRUST_PROXY: '1',
        SERVICE_IDENTITY__PASSKEYS__RP_ID: 'ample.com',
      },
      ['passkeys_elsewhere'],
    ],
    [
      'an origin for which passkeys of the public address are none',
      {
        SERVICE_IDENTITY__PUBLIC_URL: 'https://service.example.com',
        SERVICE_SERVER__TRUST_PROXY: '1',
        SERVICE_IDENTITY__PASSKEYS__ORIGINS: 'https://app.example.com',
      },
      ['passkeys_elsewhere'],
    ],
    ['a short token', { SERVICE_ADMIN__TOKEN: randomBytes(8).toString('hex') }, ['admin_token_weak']],
    ['a token of few characters', { SERVICE_ADMIN__TOKEN: 'abc'.repeat(20) }, ['admin_token_weak']],
    ['a random token', { SERVICE_ADMIN__TOKEN: randomBytes(16).toString('hex') + 'ghij' }, []],
  ];
  it.each(cases)('judges %s', (_title, changed, codes) => {
    expect(codesOf(judgeSettings(config(changed), 'deployment'))).toEqual(codes);
  });

  it('takes a missing public address for a problem where the deployment sends mail, and for a warning elsewhere', () => {
    const severities = (['deployment', 'projects', 'nobody'] as const).map(
      (mail) => judgeSettings(config({ SERVICE_IDENTITY__PUBLIC_URL: '' }), mail).findings[0]?.severity,
    );
    expect(severities).toEqual(['problem', 'warning', 'warning']);
  });

  it('demands a mail server for proven addresses, but none of a deployment whose projects have their own', () => {
    const strict = config({ SERVICE_IDENTITY__REQUIRE_VERIFIED_EMAIL: 'true' });
    expect(codesOf(judgeSettings(strict, 'nobody'))).toEqual(['mail_required']);
    expect(codesOf(judgeSettings(strict, 'projects'))).toEqual([]);
  });
});
