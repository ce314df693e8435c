import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { secretValues } from '../../../src/platform/config/index.js';
import { DATA_KEY, load } from './loading.js';

describe('secretValues', () => {
  it('is empty when nothing secret is configured', () => {
    expect(secretValues(load({ SERVICE_SERVER__HOST: 'localhost' }))).toEqual([]);
  });

  it('holds every secret, and the passwords inside addresses as written and decoded', () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const secrets = secretValues(
      load({
        SERVICE_DATABASE__URL: 'postgres://user:p%40ss@db/service?password=query',
        SERVICE_REDIS__URL: 'redis://:cachepass@cache',
        SERVICE_IDENTITY__DATA_KEY: DATA_KEY,
        SERVICE_IDENTITY__DATA_KEY_PREVIOUS: Buffer.alloc(32, 1).toString('base64'),
        SERVICE_IDENTITY__SMTP__HOST: 'mail',
        SERVICE_IDENTITY__SMTP__FROM: 'a@example.com',
        SERVICE_IDENTITY__SMTP__USER: 'mailuser',
        SERVICE_IDENTITY__SMTP__PASSWORD: 'mailpass',
        SERVICE_AUTH__JWT_PEM: pem,
        SERVICE_JOBS__WEBHOOK_SECRET: 'hookpass',
        SERVICE_FUNCTIONS__URL: 'https://caller:urlpass@example.com/{handler}',
        SERVICE_FUNCTIONS__HANDLERS__a: 'https://caller:handlerpass@example.com/',
        SERVICE_ADMIN__TOKEN: 'adminpass',
      }),
    );
    const expected = [
      'p%40ss',
      'p@ss',
      'query',
      'cachepass',
      DATA_KEY,
      Buffer.alloc(32, 1).toString('base64'),
      'mailpass',
      pem,
      pem.split('\n')[1],
      'hookpass',
      'urlpass',
      'handlerpass',
      'adminpass',
    ];
    expect(secrets).toEqual(expect.arrayContaining(expected));
    for (const open of ['', 'mailuser', 'a@example.com', 'mail', '-----BEGIN PRIVATE KEY-----']) {
      expect(secrets).not.toContain(open);
    }
  });

  it('holds the password of a database on several servers', () => {
    const url = 'postgres://user:p%40ss@first:5432,second:5433/service';
    const secrets = secretValues(load({ SERVICE_DATABASE__URL: url, SERVICE_IDENTITY__DATA_KEY: DATA_KEY }));
    expect(secrets).toEqual(expect.arrayContaining([url, 'p%40ss', 'p@ss']));
  });
});
