import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/platform/config/index.js';
import { DATA_KEY, failure, faultyKeys, folderWith, load, problemsOf } from './loading.js';

describe('the file', () => {
  it('is service.toml of the working directory', () => {
    expect(load({}, '[server]\nport = 9000\ntrust_proxy = 1').server).toMatchObject({
      port: 9000,
      trustProxy: 1,
    });
  });

  it('is the one that SERVICE_CONFIG names, relative to the working directory', () => {
    const cwd = folderWith({
      'service.toml': '[server]\nport = 9000',
      'other.toml': '[server]\nport = 9001',
    });
    expect(loadConfig({ env: { SERVICE_CONFIG: 'other.toml' }, cwd }).server.port).toBe(9001);
    expect(loadConfig({ env: { SERVICE_CONFIG: path.join(cwd, 'other.toml') }, cwd }).server.port).toBe(9001);
  });

  it('must exist when SERVICE_CONFIG names it', () => {
    expect(problemsOf({ SERVICE_CONFIG: 'absent.toml' })).toEqual([
      { key: 'SERVICE_CONFIG', reason: 'absent.toml cannot be read (ENOENT); name a TOML file that exists' },
    ]);
  });

  it('with a syntax error is one problem with line and column, and its text is not quoted', () => {
    const { problems, message } = failure(() => load({}, '[admin]\ntoken = "hunter2"\nport = = 1\n'));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      key: 'service.toml',
      reason: expect.stringMatching(/^line 3, column \d+: /),
    });
    expect(message).not.toContain('hunter2');
  });

  it('with a syntax error makes no other key missing and hides no faulty variable', () => {
    const env = { SERVICE_DATABASE__URL: 'postgres://db/service', SERVICE_SERVER__PORT: 'x' };
    expect(faultyKeys(env, '[identity')).toEqual(['service.toml', 'server.port']);
  });
});

describe('variables', () => {
  it('win over the file, key by key', () => {
    const toml =
      '[server]\nport = 9000\ndrain_secs = 5\n[functions.handlers]\na = "http://a"\nb = "http://b"';
    const config = load({ SERVICE_SERVER__PORT: '9001', SERVICE_FUNCTIONS__HANDLERS__b: 'http://c' }, toml);
    expect(config.server).toMatchObject({ port: 9001, drainSecs: 5 });
    expect(config.functions.handlers).toEqual({ a: 'http://a', b: 'http://c' });
  });

  it('that are empty count as unset', () => {
    expect(load({ SERVICE_SERVER__PORT: '', SERVICE_FOO: '' }, '[server]\nport = 9000').server.port).toBe(
      9000,
    );
  });

  it('of the command line in the same shell are ignored', () => {
    const env = { SERVICE_URL: 'http://localhost', SERVICE_API_KEY: 'svc_x', SERVICE_CLI_CONFIG: '/tmp/x' };
    expect(load(env).server.port).toBe(8080);
    expect(faultyKeys({ ...env, SERVICE_APIKEY: 'svc_x' })).toEqual(['SERVICE_APIKEY']);
  });

  it('override a faulty value of the file', () => {
    expect(load({ SERVICE_SERVER__PORT: '9001' }, '[server]\nport = "high"').server.port).toBe(9001);
  });

  it('keep the case of handler names, and any underscores in them', () => {
    const { handlers } = load({
      SERVICE_FUNCTIONS__HANDLERS__sendMail: 'http://a',
      SERVICE_FUNCTIONS__HANDLERS__SENDMAIL: 'http://b',
      SERVICE_FUNCTIONS__HANDLERS__a__b: 'http://c',
    }).functions;
    expect(handlers).toEqual({ sendMail: 'http://a', SENDMAIL: 'http://b', a__b: 'http://c' });
    expect(handlers.constructor).toBeUndefined();
  });

  it.each([
    ['app, audit ,', ['app', 'audit']],
    ['["app","audit"]', ['app', 'audit']],
    ['app', ['app']],
    ['[]', []],
  ])('give a list as %j', (value, expected) => {
    expect(load({ SERVICE_JOBS__DATA_EVENT_SCHEMAS: value }).jobs.dataEventSchemas).toEqual(expected);
  });

  it.each([
    ['SERVICE_SERVER__PORT', '80a'],
    ['SERVICE_SERVER__PORT', '8e3'],
    ['SERVICE_SERVER__PORT', ' 80'],
    ['SERVICE_SERVER__PORT', '0x50'],
    ['SERVICE_SERVER__PORT', '65536'],
    ['SERVICE_SERVER__PORT', '-1'],
    ['SERVICE_SERVER__TRUST_PROXY', 'yes'],
    ['SERVICE_SERVER__TRUST_PROXY', 'TRUE'],
    ['SERVICE_JOBS__DATA_EVENT_SCHEMAS', '["app"'],
    ['SERVICE_JOBS__DATA_EVENT_SCHEMAS', '[1]'],
  ])('are read strictly: %s=%s is a problem that shows the value and the variable', (variable, value) => {
    const [problem] = problemsOf({ [variable]: value });
    expect(problem?.reason).toContain(JSON.stringify(value));
    expect(problem?.reason).toContain(`set by the variable ${variable}`);
  });

  it.each([
    ['SERVICE_SERVER__PROT', 'server.prot', 'SERVICE_SERVER__PORT'],
    ['SERVICE_SERVER__PORT__X', 'server.port.x', 'SERVICE_SERVER__PORT__X'],
    ['SERVICE_SERVR__PORT', 'servr.port', 'SERVICE_SERVER__PORT'],
    ['SERVICE_Server__Port', 'server.port', 'SERVICE_SERVER__PORT'],
    ['SERVICE_IDENTITY__SMTP', 'identity.smtp', 'SERVICE_IDENTITY__SMTP'],
    ['SERVICE_FUNCTIONS__HANDLERS', 'functions.handlers', 'SERVICE_FUNCTIONS__HANDLERS__<name>'],
    ['SERVICE_FUNCTIONS__HANDLERS__', 'functions.handlers.', 'SERVICE_FUNCTIONS__HANDLERS__'],
    ['SERVICE_ROLES', 'SERVICE_ROLES', 'SERVICE_ROLE'],
    ['SERVICE_PORT', 'SERVICE_PORT', 'enableServiceLinks'],
  ])('that nothing reads do not pass silently: %s', (variable, key, hint) => {
    const problems = problemsOf({ [variable]: 'x' });
    expect(problems).toEqual([{ key, reason: expect.stringContaining(hint) }]);
  });

  it('of other programs are ignored', () => {
    expect(() => load({ PORT: '1', MY_SERVICE_PORT: '2', SERVICEX: '3', service_port: '4' })).not.toThrow();
  });
});

describe('references', () => {
  it('to a variable are followed, from the file and from a variable', () => {
    const env = { KEY: DATA_KEY, PORT: '9000', COUNT: '12', SERVICE_SERVER__PORT: 'env:PORT' };
    const config = load(env, '[identity]\ndata_key = "env:KEY"\n[jobs]\nworker_count = "env:COUNT"\n');
    expect(config.identity.dataKey).toBe(DATA_KEY);
    expect(config.server.port).toBe(9000);
    expect(config.jobs.workerCount).toBe(12);
  });

  it('may name a variable that would otherwise be unknown', () => {
    const env = { SERVICE_WEBHOOK_SECRET: 'whsec' };
    expect(load(env, '[jobs]\nwebhook_secret = "env:SERVICE_WEBHOOK_SECRET"').jobs.webhookSecret).toBe(
      'whsec',
    );
  });

  it('to a file are followed relative to the working directory, without the newline at its end', () => {
    const cwd = folderWith({ token: 'letmein\n', 'service.toml': '[admin]\ntoken = "file:token"' });
    expect(loadConfig({ env: {}, cwd }).admin.token).toBe('letmein');
    const env = { SERVICE_ADMIN__TOKEN: `file:${path.join(cwd, 'token')}` };
    expect(loadConfig({ env, cwd: folderWith() }).admin.token).toBe('letmein');
  });

  it('are followed in the items of a list, and for a whole list', () => {
    const other = Buffer.alloc(32, 9).toString('base64');
    const env = { A: DATA_KEY, B: other, BOTH: `${DATA_KEY},${other}` };
    const previous = (toml: string, more = {}): readonly string[] =>
      load({ ...env, ...more }, toml).identity.dataKeyPrevious;
    expect(previous('[identity]\ndata_key_previous = ["env:A", "env:B"]')).toEqual([DATA_KEY, other]);
    expect(previous('[identity]\ndata_key_previous = "env:BOTH"')).toEqual([DATA_KEY, other]);
    expect(previous('', { SERVICE_IDENTITY__DATA_KEY_PREVIOUS: 'env:A, env:B' })).toEqual([DATA_KEY, other]);
    expect(previous('', { SERVICE_IDENTITY__DATA_KEY_PREVIOUS: 'env:BOTH' })).toEqual([DATA_KEY, other]);
  });

  it('are followed once: what they lead to is literal', () => {
    expect(load({ A: 'env:B', B: 'x' }, '[admin]\ntoken = "env:A"').admin.token).toBe('env:B');
  });

  it('that lead nowhere are problems that name what is missing', () => {
    const toml =
      '[admin]\ntoken = "env:ABSENT"\n[jobs]\nwebhook_secret = "file:absent"\n[log]\nlevel = "env:"';
    expect(problemsOf({ ABSENT: '' }, toml)).toEqual([
      { key: 'admin.token', reason: expect.stringContaining('the variable ABSENT, which is not set') },
      {
        key: 'jobs.webhook_secret',
        reason: expect.stringContaining('the file absent, which cannot be read (ENOENT)'),
      },
      { key: 'log.level', reason: expect.stringContaining('env:NAME') },
    ]);
  });

  it('are distinguished from text that only resembles them', () => {
    expect(load({ SERVICE_ADMIN__TOKEN: 'environment:A' }).admin.token).toBe('environment:A');
  });
});
