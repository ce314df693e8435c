import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Violation {
  readonly violation: string;
  readonly count: number;
  readonly suites: readonly string[];
}

interface Prism {
  readonly url: string;
  stop(): Promise<{ counts: Record<string, number>; violations: Violation[] }>;
}

const { PrismBetween } = (await import(new URL('./prism.mjs', import.meta.url).href)) as {
  PrismBetween: { start(): Promise<Prism> };
};

const ORDER = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, note: { type: 'string', nullable: true } },
};
const jsonOf = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
const textOf = (type: string) => ({ description: '', content: { [type]: { schema: { type: 'string' } } } });

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders/{id}': {
      get: {
        responses: {
          200: jsonOf({ $ref: '#/components/schemas/Order' }),
          404: jsonOf({ type: 'object', required: ['error'], properties: { error: { type: 'string' } } }),
        },
      },
      put: {
        security: [{ key: [] }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
        responses: { 204: { description: '' } },
      },
    },
    '/moved': { get: { responses: { 303: { description: '' } } } },
    '/picture': { get: { responses: { 200: textOf('image/png') } } },
    '/followed': { get: { responses: { 200: textOf('text/event-stream') } } },
  },
  components: {
    schemas: { Order: ORDER },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
};

const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0xfe]);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '' } = request;
  const received = await text(request);
  const json = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (url === '/openapi.json') json(200, DOCUMENT);
  else if (method === 'PUT') response.writeHead(received.includes('refused') ? 400 : 204).end();
  else if (url === '/orders/1') json(200, { id: '1', note: null });
  else if (url === '/orders/number') json(200, { id: 1 });
  else if (url === '/orders/none') json(404, { message: 'none' });
  else if (url === '/orders/teapot') json(418, {});
  else if (url === '/orders/text') response.writeHead(200, { 'content-type': 'text/plain' }).end('1');
  else if (url === '/moved') response.writeHead(303, { location: '/orders/1' }).end();
  else if (url === '/picture') response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
  else if (url === '/followed') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  } else json(url === '/unknown' ? 404 : 200, {});
}

describe('Prism between tests and a program', () => {
  let program: Server;
  let prism: Prism;
  let url: string;

  beforeEach(async () => {
    program = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    await once(program, 'listening');
    prism = await PrismBetween.start();
    ({ url } = await tell({ suite: 'this suite' }));
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    await tell({ proxy: url, program: `http://127.0.0.1:${(program.address() as AddressInfo).port}` });
  });

  async function put(order: unknown, headers: Record<string, string> = {}): Promise<number> {
    const body = JSON.stringify(order);
    const type = { 'content-type': 'application/json' };
    return (await fetch(`${url}/orders/1`, { method: 'PUT', headers: { ...type, ...headers }, body })).status;
  }

  async function tell(what: object): Promise<{ url: string }> {
    const response = await fetch(prism.url, { method: 'POST', body: JSON.stringify(what) });
    return (await response.json()) as { url: string };
  }

  afterEach(() => {
    program.close();
    program.closeAllConnections();
  });

  it('finds nothing wrong with responses that are as the document says', async () => {
    expect(await (await fetch(`${url}/orders/1`)).json()).toEqual({ id: '1', note: null });
    expect(await put({ id: '1' }, { 'x-key': 'k' })).toBe(204);
    const { counts, violations } = await prism.stop();
    expect(violations).toEqual([]);
    expect(counts).toEqual({ programs: 1, judged: 2, refused: 0, cut: 0 });
  });

  it('passes on redirects, bytes that are no text, and streams before they end', async () => {
    const moved = await fetch(`${url}/moved`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([303, '/orders/1']);
    const picture = await fetch(`${url}/picture`);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PICTURE);
    const leaving = new AbortController();
    const followed = await fetch(`${url}/followed`, { signal: leaving.signal });
    const { value } = (await followed.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toBe('data: 1\n\n');
    leaving.abort();
    const { counts, violations } = await prism.stop();
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ judged: 3 });
  });

  it('reports a wrong body, status and content type, each with its suite', async () => {
    for (const order of ['number', 'number', 'none', 'teapot', 'text']) await fetch(`${url}/orders/${order}`);
    const { violations } = await prism.stop();
    expect(violations.map(({ violation, count, suites }) => [violation, count, suites])).toEqual([
      ['GET /orders/{id} 200: Response body property id must be string', 2, ['this suite']],
      ["GET /orders/{id} 404: Response body must have required property 'error'", 1, ['this suite']],
      [
        expect.stringMatching(/^GET \/orders\/\{id\} 418: Unable to match the returned status/),
        1,
        ['this suite'],
      ],
      [
        expect.stringMatching(/^GET \/orders\/\{id\} 200: The received media type "text\/plain"/),
        1,
        ['this suite'],
      ],
      ['GET /orders/{id} 200: Response body must be object', 1, ['this suite']],
    ]);
  });

  it('reports a request that the document does not allow when it is accepted, and leaves a refused one alone', async () => {
    expect(await put({ id: 1 }, { 'x-key': 'k' })).toBe(204);
    expect(await put({ id: '1' })).toBe(204);
    expect(await put({ id: 1, note: 'refused' })).toBe(400);
    const { violations } = await prism.stop();
    expect(violations.map(({ violation }) => violation)).toEqual([
      'PUT /orders/{id} 204: Request body property id must be string',
      'PUT /orders/{id} 204: Invalid security scheme used',
      expect.stringMatching(/^PUT \/orders\/\{id\} 400: Unable to match/),
    ]);
  });

  it('reports what is served outside the document, and leaves refusals of it alone', async () => {
    await fetch(`${url}/hidden`);
    await fetch(`${url}/unknown`);
    const { violations } = await prism.stop();
    expect(violations.map(({ violation }) => violation)).toEqual([
      'GET /hidden 200: The document has no such operation',
    ]);
  });

  it('reads every exchange of a connection: pipelined ones, HEAD, and 100 Continue', async () => {
    const requests = [
      'HEAD /orders/1 HTTP/1.1\r\nHost: x\r\n\r\n',
      'PUT /orders/1 HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nX-Key: k\r\n' +
        'Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"id":""}',
      'GET /orders/number HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ];
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(requests.join(''));
    expect((await text(socket)).match(/^HTTP\/1\.1 \d+/gm)).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 100',
      'HTTP/1.1 204',
      'HTTP/1.1 200',
    ]);
    const { counts, violations } = await prism.stop();
    expect(counts).toMatchObject({ judged: 2, refused: 1 });
    expect(violations.map(({ violation }) => violation)).toEqual([
      'GET /orders/{id} 200: Response body property id must be string',
    ]);
  });
});
