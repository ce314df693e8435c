import { describe, expect, it } from '@jest/globals';
import { serverUrls } from '../../../src/platform/config/index.js';
import { DATA_KEY, load } from './loading.js';

describe('the servers that a PostgreSQL URL names', () => {
  it.each([
    ['postgres://db/service', ['postgres://db/service']],
    [
      'postgres://user:pass@db:5432/service?sslmode=require',
      ['postgres://user:pass@db:5432/service?sslmode=require'],
    ],
    [
      'postgres://user:a,b@first:5432,second/service?sslmode=require',
      [
        'postgres://user:a,b@first:5432/service?sslmode=require',
        'postgres://user:a,b@second/service?sslmode=require',
      ],
    ],
    ['postgres://[::1]:5432,[::2]:5433', ['postgres://[::1]:5432', 'postgres://[::2]:5433']],
    ['not a URL', ['not a URL']],
  ])('of %s are %j', (url, servers) => {
    expect(serverUrls(url)).toEqual(servers);
  });

  it.each([
    'postgres://first:5432,/service',
    'postgres://,second/service',
    'postgres://first:x,second/service',
  ])('are all needed: %s is refused', (url) => {
    expect(() => load({ SERVICE_DATABASE__URL: url, SERVICE_IDENTITY__DATA_KEY: DATA_KEY })).toThrow(
      /database\.url: must be a URL/,
    );
  });
});
