import { describe, expect, it } from '@jest/globals';
import { hostFilter } from '../../../src/http/server/allowed-hosts.js';
import { faultyKeys } from '../config/loading.js';

describe('server.allowed_hosts', () => {
  const isAllowed = hostFilter(['ID.example.com', '*.projects.example.com', '127.0.0.1', '::1']);

  it.each([
    'id.example.com',
    'ID.Example.com',
    'id.example.com:8080',
    'id.example.com.',
    'acme.projects.example.com:443',
    '127.0.0.1:8080',
    '[::1]:8080',
    '[::1]',
  ])('allows %s', (host) => {
    expect(isAllowed(host)).toBe(true);
  });

  it.each([
    '',
    'evil.example',
    'id.example.com.evil.example',
    'xid.example.com',
    'projects.example.com',
    '.projects.example.com',
    'id.example.com:8080:1',
    'localhost',
    `${'a'.repeat(3000)}.projects.example.com`,
  ])('does not allow %s', (host) => {
    expect(isAllowed(host)).toBe(false);
  });

  it('allows any host where it names none', () => {
    expect(hostFilter([])('evil.example')).toBe(true);
  });

  it.each(['https://a.example', 'a.example:80', '*', '*.', 'a b', '*a.example'])(
    'is refused at start with %j',
    (host) => {
      expect(faultyKeys({}, `[server]\nallowed_hosts = [${JSON.stringify(host)}]`)).toEqual([
        'server.allowed_hosts',
      ]);
    },
  );
});
