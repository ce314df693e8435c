import { execFile } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { ForeignHosts } from '../../../src/platform/network/index.js';
import {
  ForeignClient,
  OutboundClient,
  OutboundFailedError,
  OutboundTimeoutError,
} from '../../../src/platform/outbound/index.js';
import type { OutboundAnswer } from '../../../src/platform/outbound/index.js';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';
import { OK, RawServer } from './raw-server.js';

const MEBIBYTE = 1024 * 1024;

let server: RawServer;
let client: OutboundClient;

beforeEach(async () => {
  server = await RawServer.start();
  client = new OutboundClient();
});

afterEach(async () => {
  client.onApplicationShutdown();
  await server.stop();
});

async function post(
  more: { url?: string; body?: string; timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<OutboundAnswer> {
  const headers = { 'Content-Type': 'application/json' };
  return await client.post({ url: server.url, headers, body: '{}', timeoutMs: 20_000, ...more });
}

describe('an interim response', () => {
  it.each([
    ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['102, many times,', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)],
    ['103', 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n'],
  ])('%s that was not asked for is passed over, on a fresh and on a kept connection', async (_, interim) => {
    server.behaviour = (socket) => {
      socket.write(interim);
      setImmediate(() => socket.write(OK));
    };
    for (const body of ['{}', `"${'x'.repeat(MEBIBYTE)}"`, '{}'])
      expect(await post({ body })).toMatchObject({ status: 200, body: Buffer.from('{}'), fault: null });
    expect(server.connections).toBe(1);
  });

  it('is followed by no end of others: the exchange fails', async () => {
    server.behaviour = (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_001));
    await expect(post()).rejects.toThrow('more than 10000 interim responses came');
  });

  it('101, which changes the protocol, is a failure at once', async () => {
    server.behaviour = (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n');
    await expect(post()).rejects.toThrow(OutboundFailedError);
    await until(() => server.sockets.size === 0);
  });

  it('after which nothing comes is late like no response', async () => {
    server.behaviour = (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    await expect(post({ timeoutMs: 200 })).rejects.toThrow(OutboundTimeoutError);
    await until(() => server.sockets.size === 0);
  });
});

describe('the time limit', () => {
  it('covers the body, however steadily it drips', async () => {
    server.behaviour = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => {
        clearInterval(drip);
      });
    };
    await expect(post({ timeoutMs: 300 })).rejects.toThrow('no complete answer within 300 ms');
    await until(() => server.sockets.size === 0);
  });

  it('lies with the caller too, whose signal ends the exchange and its connection', async () => {
    const ending = new AbortController();
    server.behaviour = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
      setImmediate(() => {
        ending.abort();
      });
    };
    await expect(post({ signal: ending.signal })).rejects.toThrow(OutboundFailedError);
    await until(() => server.sockets.size === 0);
    await expect(post({ signal: ending.signal })).rejects.toThrow(OutboundFailedError);
    expect(server.requests).toBe(1);
  });

  it('covers the TLS handshake, and ends the connection', async () => {
    const url = server.url.replace('http:', 'https:');
    await expect(post({ url, timeoutMs: 200 })).rejects.toThrow(OutboundTimeoutError);
    // The system has accepted the connection, even if the server learns of it later.
    await until(() => server.connections === 1 && server.sockets.size === 0);
  });

  it('leaves nothing behind on the signal of the caller', async () => {
    const { signal } = new AbortController();
    await post({ signal });
    server.behaviour = (socket) => socket.destroy();
    await expect(post({ signal })).rejects.toThrow(OutboundFailedError);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a request', () => {
  it('names its host, its headers and the length of its body in bytes', async () => {
    const body = '{"word":"größer"}';
    await post({ body });
    expect(Buffer.concat(server.received).toString('utf8').split('\r\n')).toEqual([
      'POST /handler HTTP/1.1',
      `Host: ${new URL(server.url).host}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Content-Type: application/json',
      'Connection: keep-alive',
      '',
      body,
    ]);
  });

  it('with a header that would be two is a failure, and is not sent', async () => {
    const headers = { 'X-Service-Job-Id': 'a\r\nX-Service-Org: other' };
    const sent = client.post({ url: server.url, headers, body: '{}', timeoutMs: 20_000 });
    await expect(sent).rejects.toThrow(OutboundFailedError);
    expect(server.connections).toBe(0);
  });
});

describe('an answer', () => {
  it('in several pieces is whole', async () => {
    server.behaviour = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      for (const piece of ['{"a":', '"b', '"}']) socket.write(`${piece.length}\r\n${piece}\r\n`);
      setImmediate(() => socket.write('0\r\n\r\n'));
    };
    expect((await post()).body.toString()).toBe('{"a":"b"}');
  });

  it('is read up to 1 MiB, and the connection closes', async () => {
    server.behaviour = (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${100 * MEBIBYTE}\r\n\r\n`);
      socket.write(Buffer.alloc(2 * MEBIBYTE, 'x'));
    };
    const { body, fault } = await post();
    expect([body.length, fault]).toEqual([MEBIBYTE, 'too_large']);
    await until(() => server.sockets.size === 0);
  });

  it('of exactly 1 MiB is whole', async () => {
    server.behaviour = (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${MEBIBYTE}\r\n\r\n`);
      socket.write(Buffer.alloc(MEBIBYTE, 'x'));
    };
    const { body, fault } = await post();
    expect([body.length, fault]).toEqual([MEBIBYTE, null]);
  });

  it('that redirects is the answer', async () => {
    server.behaviour = (socket) =>
      socket.write(`HTTP/1.1 307 Elsewhere\r\nLocation: ${server.url}/other\r\nContent-Length: 0\r\n\r\n`);
    expect(await post()).toMatchObject({ status: 307 });
    expect(server.requests).toBe(1);
  });

  it.each([
    ['nothing', (socket: Socket) => socket.destroy()],
    ['half of a body', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')],
    ['another protocol', (socket: Socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
  ])('that is %s is a failure, which says why', async (_, behaviour) => {
    server.behaviour = (socket) => void behaviour(socket);
    await expect(post()).rejects.toThrow(/./);
    await expect(post()).rejects.toThrow(OutboundFailedError);
  });

  it('may come before the request is read', async () => {
    server.behaviour = (socket) =>
      socket.end('HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}');
    expect(await post({ body: 'x'.repeat(MEBIBYTE) })).toMatchObject({ status: 413 });
  });
});

test('a body in pieces of a byte is one body', async () => {
  const text = JSON.stringify(Array.from({ length: 2_000 }, (_, index) => index));
  const chunks = [...text].map((letter) => `1\r\n${letter}\r\n`).join('');
  server.behaviour = (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
  expect((await post()).body.toString()).toBe(text);
});

describe('a client for URLs of others', () => {
  it.each([
    [false, 'has no address that may be called', 0],
    [true, null, 1],
  ] as const)(
    'calls private addresses only where they are allowed: %s',
    async (allowsPrivate, refusal, connections) => {
      const foreign = new ForeignClient(new ForeignHosts(allowsPrivate));
      const answer = foreign.post({ url: server.url, headers: {}, body: '{}', timeoutMs: 20_000 });
      if (refusal === null) expect((await answer).status).toBe(200);
      else await expect(answer).rejects.toThrow(refusal);
      expect(server.connections).toBe(connections);
      foreign.onApplicationShutdown();
    },
  );
});

describe('a content coding', () => {
  const text = Buffer.from(JSON.stringify({ words: 'again and '.repeat(1000) }));

  function answerWith(coding: string, body: Buffer): void {
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`;
    server.behaviour = (socket) => socket.write(Buffer.concat([Buffer.from(head), body]));
  }

  it.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', text],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
  ])('%s is undone', async (coding, body) => {
    answerWith(coding, body);
    expect(await post()).toMatchObject({ body: text, fault: null });
  });

  it.each([
    ['gzip', text],
    ['gzip', gzipSync(text).subarray(0, -10)],
    ['br', gzipSync(text)],
    ['compress', text],
    ['gzip, compress', gzipSync(text)],
    ['gzip, gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(gzipSync(text))))],
  ])('%s that cannot be undone is said, and is no failure', async (coding, body) => {
    answerWith(coding, body);
    expect(await post()).toMatchObject({ status: 200, fault: 'undecodable' });
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(512 * MEBIBYTE))],
    ['br', brotliCompressSync(Buffer.alloc(64 * MEBIBYTE))],
  ])('%s that unfolds to more than 1 MiB is not followed further', async (coding, body) => {
    expect(body.length).toBeLessThan(MEBIBYTE);
    answerWith(coding, body);
    expect(await post()).toMatchObject({ status: 200, fault: 'too_large' });
  });
});

describe('a connection', () => {
  it('that the server closed while it rested is not used again', async () => {
    await post();
    for (const socket of server.sockets) socket.end();
    await until(() => server.sockets.size === 0);
    expect(await post()).toMatchObject({ status: 200 });
    expect(server.connections).toBe(2);
  });

  it('that the server announces to close soon is not used again', async () => {
    server.behaviour = (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\n{}');
    await post();
    await post();
    expect(server.connections).toBe(2);
  });

  it('that the server closes as it is used again is a failure, and nothing is posted twice', async () => {
    await post();
    server.behaviour = (socket) => socket.destroy();
    await expect(post()).rejects.toThrow('socket hang up');
    expect([server.connections, server.requests]).toEqual([1, 2]);
  });

  it('of its own is made for each of many simultaneous requests', async () => {
    const waiting: Socket[] = [];
    server.behaviour = (socket) => waiting.push(socket);
    const answers = Array.from({ length: 60 }, () => post());
    await until(() => waiting.length === 60);
    for (const socket of waiting) socket.write(OK);
    expect((await Promise.all(answers)).every(({ status }) => status === 200)).toBe(true);
  });

  it.each(['localhost', '127.0.0.1', '[::1]'])('to %s that is refused says so', async (host) => {
    await expect(post({ url: `http://${host}:${await freePort()}/` })).rejects.toThrow(
      /ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH/,
    );
  });

  it.each(['no url', 'ftp://127.0.0.1/'])('to "%s" is a failure', async (url) => {
    await expect(post({ url })).rejects.toThrow(OutboundFailedError);
  });
});

describe('over TLS', () => {
  it('an untrusted certificate is a failure that names it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-outbound-'));
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    await promisify(execFile)('openssl', [...request, '-keyout', 'key.pem', '-out', 'cert.pem'], {
      cwd: folder,
    });
    const [key, cert] = await Promise.all(
      ['key.pem', 'cert.pem'].map((name) => readFile(join(folder, name))),
    );
    const tls = createTlsServer({ key, cert }, (_request, response) => response.end('{}'));
    tls.listen(0, '127.0.0.1');
    await once(tls, 'listening');
    try {
      const url = `https://localhost:${(tls.address() as AddressInfo).port}/`;
      await expect(post({ url })).rejects.toThrow('the certificate is self-signed');
    } finally {
      tls.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
