import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/platform/config/index.js';
import { DATA_KEY, folderWith, load } from './loading.js';

describe('defaults', () => {
  it('are those of the contract when nothing is configured', () => {
    const cwd = folderWith();
    expect(loadConfig({ env: {}, cwd })).toEqual({
      roles: new Set(['api', 'worker', 'scheduler']),
      written: {},
      server: {
        dataDir: path.join(cwd, '.service'),
        host: '127.0.0.1',
        port: 8080,
        bodyLimitBytes: 1048576,
        trustProxy: false,
        allowedHosts: [],
        corsOrigins: [],
        drainSecs: 30,
        unreadSecs: 30,
      },
      database: { url: null, schema: 'service', poolSize: 10 },
      redis: { url: null, sentinels: null, sentinelPassword: null },
      identity: {
        profile: 'organization',
        dataKey: null,
        dataKeyPrevious: [],
        jwtIssuer: 'service',
        jwtAudience: 'service',
        accessTtlSecs: 3600,
        refreshTtlSecs: 2592000,
        refreshReuseGraceSecs: 0,
        keyPublishLeadSecs: 1200,
        keyRotationDays: 90,
        mailHistoryDays: 30,
        signUp: 'open',
        organizationCreation: 'anyone',
        requireVerifiedEmail: false,
        passwordCheck: 'common',
        breachedPasswordsUrl: null,
        passwordMinLength: 8,
        argon2MemoryKib: 65536,
        argon2TimeCost: 3,
        argon2Parallelism: 1,
        hashConcurrency: null,
        hashQueueLimit: 64,
        publicUrl: null,
        redirectUrls: [],
        defaultLocale: 'en',
        smtp: null,
        passkeys: { rpId: null, rpName: null, origins: [] },
        brand: { name: null, logoUrl: null, color: null, supportUrl: null },
      },
      auth: { jwtDir: null, jwtPem: null, projectDomain: null, privateMailHosts: false },
      jobs: {
        workerCount: 4,
        schedulerIntervalMs: 1000,
        defaultTimeoutMs: 600000,
        webhookSecret: null,
        maxOrgConcurrentRuns: 50,
        maxOrgWorkerShare: 0.75,
        maxPayloadBytes: 1048576,
        retentionDays: 30,
        dataEventSchemas: ['public'],
        privateEndpoints: false,
        bundleDir: null,
        bundleOrg: null,
        bundleProject: null,
      },
      functions: { url: null, handlers: {}, dir: null, isolation: 'process' },
      limits: {
        signInFailuresPerAccount: 10,
        signInFailuresPerAccountHourly: 100,
        signUpsPerAddress: 30,
        requestsPerAddress: 300,
        formerSlugs: 10,
        logFollowers: 100,
        searches: 8,
        auditExports: 4,
        mailIntervalSecs: 60,
        mailsPerRecipient: 10,
        mailsPerSender: 200,
        organizationsPerAccount: 100,
        membershipsPerAccount: 1000,
        membersPerOrganization: 10000,
        pendingInvitations: 500,
        roles: 200,
        apiKeys: 200,
        jobs: 2000,
        waitingRuns: 100000,
        waitingPayloadBytes: 1073741824,
        secrets: 1000,
      },
      audit: { retentionDays: 0 },
      admin: { token: null },
      console: { enabled: true },
      log: { level: 'info', format: 'auto' },
      telemetry: { otlpUrl: null, otlpHeaders: null, serviceName: 'service', sampleRatio: 1 },
      // Of each group, those that the contract or the documentation names.
      timing: expect.objectContaining({
        workers: expect.objectContaining({ heartbeatMs: 3000, deadAfterMs: 9000 }),
        cache: expect.objectContaining({ lifetimeMs: 30000 }),
      }),
    });
  });

  it('serve the functions of the deploy bundle, unless a folder is given', () => {
    const env = { SERVICE_JOBS__BUNDLE_DIR: '/srv/bundle', SERVICE_JOBS__BUNDLE_ORG: 'acme' };
    expect(load(env).functions.dir).toBe('/srv/bundle/functions');
    expect(load({ ...env, SERVICE_FUNCTIONS__DIR: '/srv/others' }).functions.dir).toBe('/srv/others');
  });

  it('listen on every address once the database is external, unless the host is given', () => {
    const env = { SERVICE_DATABASE__URL: 'postgresql://db/service', SERVICE_IDENTITY__DATA_KEY: DATA_KEY };
    expect(load(env).server.host).toBe('0.0.0.0');
    expect(load({ ...env, SERVICE_SERVER__HOST: '10.0.0.5' }).server.host).toBe('10.0.0.5');
  });

  it('make access tokens last 15 minutes in profile project, unless the lifetime is given', () => {
    const env = { SERVICE_IDENTITY__PROFILE: 'project' };
    expect(load(env).identity.accessTtlSecs).toBe(900);
    expect(load({ ...env, SERVICE_IDENTITY__ACCESS_TTL_SECS: '60' }).identity.accessTtlSecs).toBe(60);
  });

  it('complete the mail section as soon as it is used', () => {
    const config = load({}, '[identity.smtp]\nhost = "mail.example.com"\nfrom = "Service <a@example.com>"');
    expect(config.identity.smtp).toEqual({
      host: 'mail.example.com',
      port: 587,
      user: null,
      password: null,
      from: 'Service <a@example.com>',
      tls: 'starttls',
    });
  });
});

describe('a loaded configuration', () => {
  it('cannot be changed at any depth', () => {
    const config = load({
      SERVICE_IDENTITY__SMTP__HOST: 'mail',
      SERVICE_IDENTITY__SMTP__FROM: 'a@example.com',
      SERVICE_FUNCTIONS__HANDLERS__welcome: 'http://localhost/welcome',
    });
    const thaw = (value: unknown, at: string): string[] => {
      if (typeof value !== 'object' || value === null) return [];
      const inner = Object.entries(value).flatMap(([key, each]) => thaw(each, `${at}.${key}`));
      return Object.isFrozen(value) ? inner : [at, ...inner];
    };
    expect(thaw(config, 'config')).toEqual([]);
    const roles = config.roles as Set<string>;
    expect(() => roles.add('admin')).toThrow('The configuration is read-only');
    expect(() => {
      roles.clear();
    }).toThrow('The configuration is read-only');
    expect(roles.size).toBe(3);
  });
});

describe('the type of a configuration', () => {
  it('is as narrow as the declaration of each key', () => {
    // The compiler is the judge: widening any of these makes the assignment an error.
    const { identity, jobs, functions, log } = load();
    const profile: 'organization' | 'project' = identity.profile;
    const level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' = log.level;
    const tls: 'starttls' | 'tls' | 'none' | undefined = identity.smtp?.tls;
    const hashConcurrency: number | null = identity.hashConcurrency;
    const schemas: readonly string[] = jobs.dataEventSchemas;
    const handlers: Readonly<Record<string, string>> = functions.handlers;
    expect([profile, level, tls, hashConcurrency, schemas, handlers]).toEqual([
      'organization',
      'info',
      undefined,
      null,
      ['public'],
      {},
    ]);
  });
});

describe('roles', () => {
  it.each([
    [undefined, ['api', 'worker', 'scheduler']],
    ['', ['api', 'worker', 'scheduler']],
    ['all', ['api', 'worker', 'scheduler']],
    ['worker', ['worker']],
    ['scheduler, api', ['api', 'scheduler']],
    ['api,api', ['api']],
  ])('of SERVICE_ROLE=%s are %j', (value, expected) => {
    expect([...load({ SERVICE_ROLE: value }).roles]).toEqual(expected);
  });
});
