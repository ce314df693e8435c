import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { askRedis } from '../../../src/platform/queue/index.js';

const WRONG_PASSWORD = '-WRONGPASS invalid username-password pair or user is disabled.\r\n';
const NO_PASSWORD = '-NOAUTH Authentication required.\r\n';
/** Of what ioredis sends as soon as it is connected, the last. */
const LAST = 'LIB-NAME';

describe('a Redis that refuses the password', () => {
  it('is reported as such, although the answers to the commands behind the password come in the same breath', async () => {
    const server = createServer((socket) => {
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk.toString();
        if (!heard.includes(LAST)) return;
        const commands = heard.match(/^\*\d+\r$/gm) ?? [];
        socket.end(WRONG_PASSWORD + NO_PASSWORD.repeat(commands.length - 1));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `redis://:wrong@127.0.0.1:${(server.address() as AddressInfo).port}/3`;
    const asked = await askRedis({ url, sentinels: null, sentinelPassword: null }, (redis) => redis.ping());
    expect(asked).toEqual({
      failure: { kind: 'password', reason: 'refused the user name or the password' },
    });
    server.close();
  });
});
