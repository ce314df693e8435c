import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from '../../support/client.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

/** More than the buffers of both ends of a connection hold, so that the sender still sends as the answer comes. */
const MUCH = Buffer.alloc(16 * 1024 * 1024, 'x');
const HEAD = ['Host: localhost', 'Content-Type: application/json'];

function head(...lines: string[]): string {
  return [...lines, '', ''].join('\r\n');
}

describe('a client that still sends when it is answered', () => {
  let program: SharedProgram;
  let socket: Socket;

  beforeAll(async () => {
    program = await sharedProgram();
  });

  beforeEach(async () => {
    const { hostname, port } = new URL(program.url);
    socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    await once(socket, 'connect');
    // Whoever writes or reads is told as well.
    socket.on('error', () => undefined);
  });

  afterEach(() => socket.destroy());

  async function write(part: string | Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      socket.write(part, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Sends everything, and only then reads what came: what a reset of the connection would have lost. */
  async function answerAfterSending(...parts: (string | Buffer)[]): Promise<string> {
    for (const part of parts) await write(part);
    return await text(socket);
  }

  it.each([
    ['announced', [`Content-Length: ${MUCH.length}`], ''],
    ['chunked', ['Transfer-Encoding: chunked'], `${MUCH.length.toString(16)}\r\n`],
  ])('reads the refusal of a body over the limit that is %s', async (_how, headers, before) => {
    const start = head('POST /auth/v1/signup HTTP/1.1', ...HEAD, ...headers);
    const answer = await answerAfterSending(start + before, MUCH);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"payload_too_large"');
  });

  it('reads the refusal of headers over the limit', async () => {
    const answer = await answerAfterSending(
      'GET /auth/v1/keys HTTP/1.1\r\nHost: localhost\r\nX-Long: ',
      MUCH,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"headers_too_large"');
  });

  it.each([
    ['alone', ''],
    ['behind a request', head('GET /health/live HTTP/1.1', 'Host: localhost')],
  ])('may reset the connection of a CONNECT, %s', async (_where, before) => {
    await write(before + head('CONNECT example.com:443 HTTP/1.1', 'Host: example.com'));
    await once(socket, 'data');
    const closed = once(socket, 'close');
    socket.resetAndDestroy();
    await closed;
    // On a connection of its own: the program has read the reset by then, as it was the first to come.
    const { status } = await new Client(program.url).get('/health/live');
    expect(status).toBe(200);
  });

  it('has its next request unanswered once it is told that the connection closes', async () => {
    const start = head('POST /auth/v1/signup HTTP/1.1', ...HEAD, `Content-Length: ${MUCH.length}`);
    const next = head('GET /auth/v1/keys HTTP/1.1', 'Host: localhost');
    const answer = await answerAfterSending(start, MUCH, next);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});
