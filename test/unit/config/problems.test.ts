import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DATA_KEY, failure, faultyKeys, load, problemsOf } from './loading.js';

describe('problems', () => {
  it('are listed all at once, one a line', () => {
    const toml = `
      [server]
      port = "eighty"
      prot = 80
      [database]
      url = "mysql://db/service"
      [identity]
      refresh_reuse_grace_secs = 61
      data_key = "${DATA_KEY}"
      [log]
      level = "loud"
    `;
    const { problems, message } = failure(() => load({}, toml));
    const expected = [
      'server.prot: is not a known key. Did you mean server.port? Remove or rename it',
      'server.port: must be an integer from 0 to 65535; it is "eighty"',
      'database.url: must be a URL that begins with postgres:// or postgresql://, with one host or several with commas between them',
      'identity.refresh_reuse_grace_secs: must be an integer from 0 to 60; it is 61',
      'log.level: must be one of "fatal", "error", "warn", "info", "debug", "trace"; it is "loud"',
    ];
    expect(problems.map(({ key, reason }) => `${key}: ${reason}`)).toEqual(expected);
    expect(message.split('\n').slice(1)).toEqual(expected);
  });

  it('come from the file and from variables together', () => {
    const env = { SERVICE_ROLE: 'cook', SERVICE_SERVER__PORT: 'x', SERVICE_FOO: '1' };
    expect(faultyKeys(env, '[cloud]\nregion = 1').sort()).toEqual(
      ['SERVICE_FOO', 'SERVICE_ROLE', 'cloud', 'server.port'].sort(),
    );
  });

  it.each([
    ['port = 1', 'port', 'outside of every section'],
    ['[identiti]\nx = 1', 'identiti', 'Did you mean identity?'],
    ['[identity.smpt]\nhost = "x"', 'identity.smpt', 'Did you mean identity.smtp?'],
    ['server = 1', 'server', 'must be a section'],
    ['[server]\nport.number = 1', 'server.port', 'must be an integer'],
    ['[identity]\n"smtp.host" = "x"', 'identity.smtp.host', 'is not a known key'],
    ['[functions]\nhandlers = "x"', 'functions.handlers', 'must be a table'],
    ['[__proto__]\nx = 1', '__proto__', 'is not a section'],
  ])('include what the file should not hold: %j', (toml, key, hint) => {
    expect(problemsOf({}, toml)).toEqual([{ key, reason: expect.stringContaining(hint) }]);
  });

  it.each([
    ['[server]\nport = 8080.0', 'server.port'],
    ['[server]\nport = "8080"', 'server.port'],
    ['[server]\nport = true', 'server.port'],
    ['[server]\ntrust_proxy = "true"', 'server.trust_proxy'],
    ['[server]\ntrust_proxy = 0', 'server.trust_proxy'],
    ['[server]\ntrust_proxy = ["10.0.0.0/33"]', 'server.trust_proxy'],
    ['[server]\ntrust_proxy = ["0.0.0.0/0"]', 'server.trust_proxy'],
    ['[server]\ntrust_proxy = ["0x7f.1"]', 'server.trust_proxy'],
    ['[server]\nhost = 127', 'server.host'],
    ['[server]\nhost = "http://localhost"', 'server.host'],
    ['[server]\ndata_dir = ""', 'server.data_dir'],
    ['[server]\ncors_origins = "https://a.example"', 'server.cors_origins'],
    ['[server]\ncors_origins = ["https://a.example/app"]', 'server.cors_origins'],
    ['[database]\npool_size = 1', 'database.pool_size'],
    ['[database]\npool_size = 101', 'database.pool_size'],
    ['[redis]\nurl = "http://localhost"', 'redis.url'],
    ['[identity]\nprofile = "both"', 'identity.profile'],
    ['[identity]\ndata_key = "c2hvcnQ="', 'identity.data_key'],
    ['[identity]\ndata_key_previous = ["c2hvcnQ="]', 'identity.data_key_previous'],
    ['[identity]\naccess_ttl_secs = 0', 'identity.access_ttl_secs'],
    ['[identity]\nargon2_memory_kib = 8191', 'identity.argon2_memory_kib'],
    ['[identity]\nhash_concurrency = 0', 'identity.hash_concurrency'],
    ['[identity]\npublic_url = "example.com"', 'identity.public_url'],
    ['[identity]\npublic_url = 1979-05-27', 'identity.public_url'],
    ['[identity.passkeys]\nrp_id = "https://example.com"', 'identity.passkeys.rp_id'],
    ['[identity.passkeys]\norigins = ["https://example.com/"]', 'identity.passkeys.origins'],
    ['[identity.passkeys]\norigins = ["http://example.com"]', 'identity.passkeys.origins'],
    ['[identity.passkeys]\norigins = ["https://Example.com"]', 'identity.passkeys.origins'],
    ['[identity.passkeys]\norigins = ["https://*.example.com"]', 'identity.passkeys.origins'],
    ['[identity.passkeys]\norigins = "*"', 'identity.passkeys.origins'],
    ['[auth]\njwt_pem = "-----BEGIN"', 'auth.jwt_pem'],
    ['[auth]\nproject_domain = ".example.com"', 'auth.project_domain'],
    ['[jobs]\nscheduler_interval_ms = 99', 'jobs.scheduler_interval_ms'],
    ['[jobs]\ndata_event_schemas = ["public", ""]', 'jobs.data_event_schemas'],
    ['[functions]\nurl = "https://example.com/handler"', 'functions.url'],
    ['[functions]\nurl = "ftp://example.com/{handler}"', 'functions.url'],
    ['[functions]\nurl = "https://example.com/{tenant}/{handler}"', 'functions.url'],
    ['[functions.handlers]\n"send.mail" = "mail"', 'functions.handlers.send.mail'],
    ['[admin]\ntoken = ""', 'admin.token'],
  ])('include a value of the wrong type or out of range: %j', (toml, key) => {
    expect(problemsOf({}, toml)).toEqual([{ key, reason: expect.stringMatching(/^must be /) }]);
  });

  it('say what stands for trust_proxy = true, which believed whatever a client wrote', () => {
    for (const [env, toml] of [
      [{}, '[server]\ntrust_proxy = true'],
      [{ SERVICE_SERVER__TRUST_PROXY: 'true' }, undefined],
    ] as const)
      expect(problemsOf(env, toml)).toEqual([
        { key: 'server.trust_proxy', reason: expect.stringContaining('in place of true write how many') },
      ]);
  });

  it('show a long value only in part', () => {
    const [problem] = problemsOf({ SERVICE_LOG__LEVEL: 'x'.repeat(5000) });
    expect(problem?.reason.length).toBeLessThan(300);
  });

  it('include a missing data key exactly when the database is external', () => {
    expect(problemsOf({ SERVICE_DATABASE__URL: 'postgres://db/service' })).toEqual([
      { key: 'identity.data_key', reason: expect.stringContaining('openssl rand -base64 32') },
    ]);
    expect(load({ SERVICE_REDIS__URL: 'rediss://cache:6380' }).identity.dataKey).toBeNull();
  });

  it('include a time after which a worker counts as dead that is less than two of its heartbeats', () => {
    const [heartbeat, dead] = [
      'SERVICE_TIMING__WORKERS__HEARTBEAT_MS',
      'SERVICE_TIMING__WORKERS__DEAD_AFTER_MS',
    ];
    expect(faultyKeys({ [dead]: '5999' })).toEqual(['timing.workers.dead_after_ms']);
    expect(faultyKeys({ [heartbeat]: '4501' })).toEqual(['timing.workers.dead_after_ms']);
    expect(load({ [heartbeat]: '4500' }).timing.workers.heartbeatMs).toBe(4500);
  });

  it('include a time for failing endpoints that the figures it is read from do not last', () => {
    const [failing, kept] = [
      'SERVICE_TIMING__LIVES__FAILING_ENDPOINT_DAYS',
      'SERVICE_TIMING__LIVES__FIGURES_OF_HOURS_DAYS',
    ];
    expect(faultyKeys({ [failing]: '100' })).toEqual(['timing.lives.failing_endpoint_days']);
    expect(faultyKeys({ [kept]: '7' })).toEqual(['timing.lives.failing_endpoint_days']);
    expect(load({ [failing]: '30', [kept]: '31' }).timing.lives.failingEndpointDays).toBe(30);
  });

  it('include a typing error in a section of times, in the file and in a variable', () => {
    expect(problemsOf({}, '[timing.redis]\nanswer_limit = 1')[0]?.reason).toContain(
      'Did you mean timing.redis.answer_limit_ms?',
    );
    expect(problemsOf({}, '[timing.reddis]\nx = 1')[0]?.reason).toContain('Did you mean timing.redis?');
    expect(problemsOf({ SERVICE_TIMING__REDIS__ANSWER_LIMIT: '1' })[0]?.reason).toContain(
      'is not a known key',
    );
  });

  it('count a faulty data key once, not also as missing', () => {
    const env = { SERVICE_DATABASE__URL: 'postgres://db/service', SERVICE_IDENTITY__DATA_KEY: 'short' };
    expect(faultyKeys(env)).toEqual(['identity.data_key']);
  });

  it.each([
    ['port = 25', ['identity.smtp.host', 'identity.smtp.from']],
    ['host = "mail"\nfrom = "a@example.com"\npassword = "p"', ['identity.smtp.user']],
    ['host = "mail"\nfrom = "a@example.com"\nuser = "u"', ['identity.smtp.password']],
    ['host = "mail"\nfrom = "nobody"', ['identity.smtp.from']],
    ['host = "mail"\nfrom = "a@example.com"\ntls = "ssl"', ['identity.smtp.tls']],
  ])('include incomplete mail settings: %j', (keys, expected) => {
    expect(faultyKeys({}, `[identity.smtp]\n${keys}`)).toEqual(expected);
  });

  it.each([
    ['', 'bundle_dir = "b"', ['jobs.bundle_org']],
    ['', 'bundle_dir = "b"\nbundle_project = "p"', ['jobs.bundle_org', 'jobs.bundle_project']],
    ['profile = "project"', 'bundle_dir = "b"\nbundle_org = "o"', ['jobs.bundle_project', 'jobs.bundle_org']],
  ])(
    'include a bundle without the owner of its profile: [identity] %j, [jobs] %j',
    (identity, jobs, expected) => {
      expect(faultyKeys({}, `[identity]\n${identity}\n[jobs]\n${jobs}`)).toEqual(expected);
    },
  );

  it.each(['cook', 'api;worker', 'all,api', ',', 'API'])('include the role %j', (role) => {
    expect(faultyKeys({ SERVICE_ROLE: role })).toEqual(['SERVICE_ROLE']);
  });
});

describe('secrets', () => {
  it.each(['whsec_YWJj ', 'whsec_YWJjZ', 'whsec_', 'v1,whsec_YWJj'])(
    'of webhooks that would verify nothing are problems: %j',
    (secret) => {
      expect(faultyKeys({ SERVICE_JOBS__WEBHOOK_SECRET: secret })).toEqual(['jobs.webhook_secret']);
      expect(load({ SERVICE_JOBS__WEBHOOK_SECRET: 'whsec_YWJj' }).jobs.webhookSecret).toBe('whsec_YWJj');
    },
  );

  const SECRET = 'correct-horse-battery';

  it.each([
    `[database]\nurl = "postgras://user:${SECRET}@db/service"`,
    `[redis]\nurl = "http://:${SECRET}@cache"`,
    `[identity]\ndata_key = "${SECRET}"`,
    `[identity]\ndata_key = ["${SECRET}"]`,
    `[identity]\ndata_key_previous = ["${SECRET}"]`,
    `[identity]\npublic_url = "https://user:${SECRET}@example.com"`,
    `[identity.smtp]\npassword = "${SECRET}"`,
    `[identity.smtp]\npasword = "${SECRET}"`,
    `[auth]\njwt_pem = "${SECRET}"`,
    `[jobs]\nwebhook_secret = ["${SECRET}"]`,
    `[functions]\nurl = "https://user:${SECRET}@example.com/"`,
    `[functions.handlers]\na = "ftp://user:${SECRET}@example.com/"`,
    `[admin]\ntoken = { value = "${SECRET}" }`,
    `[admin]\ntoken = "${SECRET}`,
  ])('never appear in a problem: %j', (toml) => {
    const error = failure(() => load({}, toml));
    expect(JSON.stringify(error.problems) + error.message + String(error.stack)).not.toContain(SECRET);
  });

  it('never appear in a problem of a variable or of what a reference leads to', () => {
    const error = failure(() =>
      load({
        SERVICE_IDENTITY__DATA_KEY: SECRET,
        SERVICE_AUTH__JWT_PEM: 'env:HIDDEN',
        SERVICE_LOG__LEVEL: 'env:HIDDEN',
        SERVICE_ADMIN__TOKN: SECRET,
        HIDDEN: SECRET,
      }),
    );
    expect(error.problems).toHaveLength(4);
    expect(error.message).not.toContain(SECRET);
  });
});

describe('accepted values', () => {
  it('drop the slash at the end of the public address', () => {
    expect(load({ SERVICE_IDENTITY__PUBLIC_URL: 'https://id.example.com/' }).identity.publicUrl).toBe(
      'https://id.example.com',
    );
  });

  it('include an Ed25519 key, but no RSA key, for the project profile', () => {
    const format = { type: 'pkcs8', format: 'pem' } as const;
    const pem = generateKeyPairSync('ed25519').privateKey.export(format).toString();
    expect(load({ SERVICE_AUTH__JWT_PEM: pem }).auth.jwtPem).toBe(pem);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(format).toString();
    expect(faultyKeys({ SERVICE_AUTH__JWT_PEM: rsa })).toEqual(['auth.jwt_pem']);
  });

  it('include handler addresses with the organization in the host', () => {
    const url = 'https://{org}.example.com/{handler}';
    expect(load({ SERVICE_FUNCTIONS__URL: url }).functions.url).toBe(url);
  });
});
