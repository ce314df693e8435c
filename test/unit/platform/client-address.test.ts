import { describe, expect, it } from '@jest/globals';
import { clientAddress, isLoopback, rateKeyOf, trustOf } from '../../../src/http/server/client-address.js';
import { load } from '../config/loading.js';

describe('the client address', () => {
  it.each<[string, false | number | readonly string[], string | undefined, string]>([
    ['is the peer where no proxy is trusted', false, '203.0.113.7', '10.0.0.9'],
    ['is the peer where the header is missing', 1, undefined, '10.0.0.9'],
    ['is the last entry behind one proxy', 1, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['is the last but one behind two', 2, '192.0.2.1, 198.51.100.1, 203.0.113.7', '198.51.100.1'],
    ['is the farthest known where fewer proxies wrote than stand there', 3, '203.0.113.7', '203.0.113.7'],
    [
      'is the first from the right that is no listed proxy',
      ['10.0.0.0/8'],
      '1.2.3.4, 9.9.9.9, 10.1.1.1',
      '9.9.9.9',
    ],
    ['is the peer where the list does not hold it', ['192.0.2.0/24'], '203.0.113.7', '10.0.0.9'],
    ['may be listed without a mask', ['10.0.0.9'], '203.0.113.7', '203.0.113.7'],
    ['is the peer where the entry is no address', 1, 'x'.repeat(3000), '10.0.0.9'],
    ['is the peer where the entry is a number', 1, '1', '10.0.0.9'],
    ['is the peer where an entry is empty', 1, '203.0.113.7,', '10.0.0.9'],
    ['is the peer where the address has a zone of any text', 1, `fe80::1%${'z'.repeat(3000)}`, '10.0.0.9'],
    ['is taken without a port', 1, '203.0.113.7:51234', '203.0.113.7'],
    ['is taken without brackets and port', 1, '[2001:DB8::1]:51234', '2001:db8::1'],
    ['is IPv4 where it is written in IPv6 form', 1, '::ffff:203.0.113.7', '203.0.113.7'],
  ])('%s', (_title, proxies, forwardedFor, expected) => {
    expect(clientAddress('::ffff:10.0.0.9', forwardedFor, trustOf(proxies))).toBe(expected);
  });
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['', ''],
])('limits count %j by %j', (address, key) => {
  expect(rateKeyOf(address)).toBe(key);
});

it.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['2001:db8::1', false],
  ['', false],
])('%j is an address of the machine itself: %j', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

it.each<[string, false | number | string[]]>([
  ['false', false],
  ['2', 2],
  ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
])('trust_proxy is read from a variable: %j', (text, expected) => {
  expect(load({ SERVICE_SERVER__TRUST_PROXY: text }).server.trustProxy).toEqual(expected);
});
