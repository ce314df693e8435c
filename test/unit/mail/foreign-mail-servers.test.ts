import { TenantSmtp } from '../../../src/platform/mail/index.js';
import { networkKindOf } from '../../../src/platform/mail/tenant-smtp.js';
import { load } from '../config/loading.js';

test.each([
  ['8.8.8.8', 'public'],
  ['203.0.113.7', 'forbidden'],
  ['2a00:1450:4001::1', 'public'],
  ['127.0.0.1', 'private'],
  ['127.8.9.1', 'private'],
  ['::1', 'private'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd00::1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['::ffff:8.8.8.8', 'public'],
  ['::ffff:a00:1', 'private'],
  ['::ffff:a9fe:a9fe', 'forbidden'],
  ['::127.0.0.1', 'private'],
  ['fe80::1%lo', 'forbidden'],
  ['198.18.0.1', 'forbidden'],
  ['fec0::1', 'forbidden'],
  ['64:ff9b:1::7f00:1', 'forbidden'],
  ['2001::1', 'forbidden'],
  ['0.0.0.0', 'forbidden'],
  ['::', 'forbidden'],
  ['169.254.169.254', 'forbidden'],
  ['::ffff:169.254.169.254', 'forbidden'],
  ['fe80::1', 'forbidden'],
  ['224.0.0.1', 'forbidden'],
  ['ff02::1', 'forbidden'],
  ['255.255.255.255', 'forbidden'],
  ['64:ff9b::a9fe:a9fe', 'forbidden'],
  ['2002:7f00:1::', 'forbidden'],
  ['localhost', 'forbidden'],
])('%s is %s', (address, kind) => {
  expect(networkKindOf(address)).toBe(kind);
});

test.each([
  [{ SERVICE_SERVER__HOST: '127.0.0.1' }, false],
  [{ SERVICE_SERVER__HOST: '0.0.0.0' }, false],
  [{ SERVICE_SERVER__HOST: '127.0.0.1', SERVICE_AUTH__PRIVATE_MAIL_HOSTS: 'true' }, true],
  [{ SERVICE_SERVER__HOST: '0.0.0.0', SERVICE_AUTH__PRIVATE_MAIL_HOSTS: 'true' }, true],
])('with %j a project may name a private mail server, and any port: %s', (env, isAllowed) => {
  const servers = new TenantSmtp(load(env));
  for (const host of ['127.0.0.1', '10.0.0.1', 'localhost', 'LOCALHOST.', 'mail.localhost'])
    expect([host, servers.mayName(host)]).toEqual([host, isAllowed]);
  expect([80, 5432, 6379].map((port) => servers.mayReach(port))).toEqual(Array(3).fill(isAllowed));
  for (const port of [25, 465, 587, 2525]) expect([port, servers.mayReach(port)]).toEqual([port, true]);
  expect(servers.mayName('smtp.example.com')).toBe(true);
  for (const host of ['169.254.169.254', '0.0.0.0', '2130706433', '0x7f000001', '127.1', '::'])
    expect([host, servers.mayName(host)]).toEqual([host, false]);
});
