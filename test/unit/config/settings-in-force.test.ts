import { generateKeyPairSync } from 'node:crypto';
import { secretValues, settingsInForce } from '../../../src/platform/config/index.js';
import type { SettingInForce } from '../../../src/platform/config/index.js';
import { load, DATA_KEY } from './loading.js';

describe('the settings in force', () => {
  function inForce(file: string, env: NodeJS.ProcessEnv = {}): (name: string) => SettingInForce {
    const config = load(env, file);
    const all = settingsInForce(config, config.written);
    return (name) => {
      const found = all.find((setting) => setting.name === name);
      if (found === undefined) throw new Error(`${name} is no setting`);
      return found;
    };
  }

  it('say whether the file, a variable or the default gives each value', () => {
    const of = inForce(
      '[server]\nport = 9000\n[audit]\nretention_days = 5\n[identity.brand]\ncolor = "#0842A0"\n',
      {
        SERVICE_AUDIT__RETENTION_DAYS: '7',
      },
    );
    expect(of('server.port')).toMatchObject({
      value: 9000,
      default: 8080,
      source: 'file',
      variable: 'SERVICE_SERVER__PORT',
      isSecret: false,
    });
    expect(of('audit.retention_days')).toMatchObject({ value: 7, default: 0, source: 'env' });
    expect(of('jobs.max_org_worker_share')).toMatchObject({ value: 0.75, source: 'default' });
    expect(of('jobs.max_org_worker_share').description).not.toBe('');
    expect(of('identity.smtp.host')).toMatchObject({ value: null, source: 'default' });
    expect(of('identity.brand.color')).toMatchObject({ value: '#0842a0', source: 'file', isSecret: false });
    expect(of('identity.default_locale')).toMatchObject({ value: 'en', source: 'default' });
  });

  it('show no secret, and of an address neither the password nor unknown parameters', () => {
    const of = inForce('', {
      SERVICE_ADMIN__TOKEN: 'a-token-of-the-operator-with-many-characters',
      SERVICE_DATABASE__URL: 'postgres://ada:p%40ss@db.example:5432/service?sslmode=require&password=hidden',
      SERVICE_REDIS__URL: 'redis://:secret@cache.example:6379/1',
      SERVICE_IDENTITY__DATA_KEY: DATA_KEY,
    });
    expect(of('admin.token')).toMatchObject({ value: '••••••••', source: 'env', isSecret: true });
    expect(of('identity.data_key').value).toBe('••••••••');
    expect(of('database.url').value).toBe(
      'postgres://ada:••••••••@db.example:5432/service?sslmode=require&password=••••••••',
    );
    expect(of('redis.url').value).toBe('redis://:••••••••@cache.example:6379/1');
  });

  it('show every server of a database, without the password', () => {
    const of = inForce('', {
      SERVICE_DATABASE__URL:
        'postgres://ada:p%40ss@first.example:5432,second.example:5433/service?sslmode=require',
      SERVICE_IDENTITY__DATA_KEY: DATA_KEY,
    });
    expect(of('database.url').value).toBe(
      'postgres://ada:••••••••@first.example:5432,second.example:5433/service?sslmode=require',
    );
  });

  it('mask every secret setting, also one that looks like an address', () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const token = 'https://a-token.example/of-the-operator?with=many-characters';
    const config = load({
      SERVICE_ADMIN__TOKEN: token,
      SERVICE_AUTH__JWT_PEM: pem,
      SERVICE_DATABASE__URL: 'postgres://ada:p%40ss@db.example:5432/service?password=hidden',
      SERVICE_FUNCTIONS__URL: 'https://caller:of-functions@functions.example/{handler}?key=parameter',
      SERVICE_IDENTITY__DATA_KEY: DATA_KEY,
      SERVICE_IDENTITY__DATA_KEY_PREVIOUS: Buffer.alloc(32, 9).toString('base64'),
      SERVICE_IDENTITY__SMTP__FROM: 'service@example.com',
      SERVICE_IDENTITY__SMTP__HOST: 'mail.example',
      SERVICE_IDENTITY__SMTP__PASSWORD: 'of-the-mail-server',
      SERVICE_IDENTITY__SMTP__USER: 'service',
      SERVICE_JOBS__WEBHOOK_SECRET: 'a-secret-of-webhooks-with-many-characters',
      SERVICE_REDIS__SENTINEL_PASSWORD: 'of-the-sentinels',
      SERVICE_REDIS__URL: 'redis://:of-redis@cache.example:6379/1',
      SERVICE_TELEMETRY__OTLP_HEADERS: 'authorization=of-the-collector',
    });
    const all = settingsInForce(config, config.written);
    const shownNowhere = [...secretValues(config), 'parameter', 'a-token.example'];
    expect(shownNowhere).toEqual(
      expect.arrayContaining(['p@ss', 'hidden', 'of-functions', 'of-redis', token]),
    );
    const values = JSON.stringify(all.map(({ value, default: usual }) => [value, usual]));
    expect(shownNowhere.filter((secret) => values.includes(secret))).toEqual([]);
    // A new secret setting has to be written above.
    const unset = all.filter(({ isSecret, value }) => isSecret && value === null).map(({ name }) => name);
    expect(unset).toEqual(['identity.breached_passwords_url', 'identity.public_url', 'telemetry.otlp_url']);
  });

  it('show lists and addresses without credentials as they were written', () => {
    const of = inForce('[server]\ncors_origins = ["https://app.example"]\n', {
      SERVICE_IDENTITY__PUBLIC_URL: 'https://id.example',
    });
    expect(of('server.cors_origins').value).toEqual(['https://app.example']);
    expect(of('identity.public_url').value).toBe('https://id.example');
  });

  it('show neither the user of a web address nor the path before a handler, which may be tokens', () => {
    const of = inForce('[functions]\nurl = "https://token@fn.example.com/hook/T0/{handler}/run?x=1"\n');
    expect(of('functions.url').value).toBe(
      'https://••••••••@fn.example.com/••••••••/••••••••/{handler}/••••••••?x=••••••••',
    );
  });

  it('keep the braces of an address of handlers', () => {
    const of = inForce('[functions]\nurl = "https://{org}.functions.example/{handler}"\n');
    expect(of('functions.url').value).toBe('https://{org}.functions.example/{handler}');
  });
});
