import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { OutboundClient } from '../../../../src/platform/outbound/index.js';
import type { OutboundAnswer } from '../../../../src/platform/outbound/index.js';
import { OK, RawServer } from '../../../integration/outbound/raw-server.js';

const MEBIBYTE = 1024 * 1024;
/** Longer than the program keeps a connection that rests. */
const SLOW_MS = 5000;

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

async function post(): Promise<OutboundAnswer> {
  const headers = { 'Content-Type': 'application/json' };
  return await client.post({ url: server.url, headers, body: '{}', timeoutMs: 20_000 });
}

test('an answer may take longer than a connection rests between two requests', async () => {
  await post();
  server.behaviour = (socket) => void wait(SLOW_MS).then(() => socket.write(OK));
  expect(await post()).toMatchObject({ status: 200 });
  expect(server.connections).toBe(1);
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(512 * MEBIBYTE))],
  ['br', brotliCompressSync(Buffer.alloc(64 * MEBIBYTE))],
])('%s that unfolds to more than 1 MiB takes no memory for what comes after it', async (coding, body) => {
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`;
  server.behaviour = (socket) => socket.write(Buffer.concat([Buffer.from(head), body]));
  const before = process.memoryUsage();
  expect(await post()).toMatchObject({ status: 200, fault: 'too_large' });
  const { arrayBuffers } = process.memoryUsage();
  expect(arrayBuffers - before.arrayBuffers).toBeLessThan(16 * MEBIBYTE);
});
