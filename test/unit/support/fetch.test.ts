import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetch } from '../../support/fetch.js';

describe('a request of the tests', () => {
  let server: Server;
  let behave: (request: IncomingMessage, response: ServerResponse) => void;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      void request.toArray().then((parts) => {
        asked.push(parts.join(''));
        behave(request, response);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  async function post(body: string): Promise<string> {
    const { port } = server.address() as AddressInfo;
    return await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })).text();
  }

  it('that a closed connection leaves without an answer is sent once more', async () => {
    behave = (_, response) => response.end('first');
    expect(await post('a')).toBe('first');
    behave = ({ socket }, response) => {
      if (asked.length === 2) socket.destroy();
      else response.end('second');
    };
    expect(await post('b')).toBe('second');
    expect(asked).toEqual(['a', 'b', 'b']);
  });

  it('fails where nobody answers the second time either', async () => {
    behave = ({ socket }) => socket.destroy();
    await expect(post('a')).rejects.toThrow('fetch failed');
    expect(asked).toHaveLength(2);
  });
});
