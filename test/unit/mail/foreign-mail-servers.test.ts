import { TenantSmtp } from '../../../src/platform/mail/index.js';
import { load } from '../config/loading.js';

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
