import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const BREACHED = 'a password of another breach';
const PADDED = 'a password that only padding has';

function digestOf(password: string): string {
  return createHash('sha1').update(password).digest('hex').toUpperCase();
}

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

/** A range API that knows one password, and has padding for another. */
function answer(response: ServerResponse, prefix: string): void {
  const lines = Array.from(
    { length: 800 },
    () => `${randomBytes(18).toString('hex').slice(0, 35).toUpperCase()}:0`,
  );
  for (const [password, count] of [
    [BREACHED, 3],
    [PADDED, 0],
  ] as const)
    if (digestOf(password).startsWith(prefix)) lines.push(`${digestOf(password).slice(5)}:${count}`);
  response.end(lines.join('\r\n'));
}

describe('the check of new passwords among breached ones', () => {
  let environment: TestEnvironment;
  let server: Server;
  let service: ServiceInProcess;
  let client: Client;
  const received: IncomingMessage[] = [];
  let respond: (response: ServerResponse, prefix: string) => void = answer;

  beforeAll(async () => {
    server = createServer((request, response) => {
      received.push(request);
      respond(response, request.url?.replace('/range/', '') ?? '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_IDENTITY__BREACHED_PASSWORDS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/range`,
    });
    client = new Client(service.url);
  });

  afterEach(() => {
    received.length = 0;
    respond = answer;
  });

  afterAll(async () => {
    await service.stop();
    server.closeAllConnections();
    server.close();
    await environment.dispose();
  });

  const signUp = async (password: string): Promise<{ status: number; body: object }> =>
    await client.post('/auth/v1/signup', { email: freshAddress(), password });

  const counted = async (outcome: string): Promise<number> => {
    const { body } = await client.get<string>('/metrics');
    const line = new RegExp(`^service_breached_password_checks_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm');
    return Number(line.exec(body)?.[1] ?? 0);
  };

  it('refuses one that the range has, and sends no more than five digits of its SHA-1', async () => {
    expect(await signUp(BREACHED)).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'weak_password',
          details: [{ path: 'password', message: 'appears in a breach of another service' }],
        },
      },
    });
    expect(received.map(({ method, url }) => [method, url])).toEqual([
      ['GET', `/range/${digestOf(BREACHED).slice(0, 5)}`],
    ]);
    expect(received[0]?.headers).toMatchObject({ 'add-padding': 'true' });
    expect(received[0]?.headers).not.toHaveProperty('content-length');
    expect(await counted('breached')).toBe(1);
  });

  it('accepts one that the range does not have, or has as padding alone', async () => {
    for (const password of [PADDED, 'a password that nobody has'])
      expect((await signUp(password)).status).toBe(201);
    expect(await counted('passed')).toBe(2);
  });

  it('asks nobody about one that is refused anyway', async () => {
    expect((await signUp('short')).status).toBe(400);
    expect(received).toEqual([]);
  });

  it.each([
    ['does not answer', () => undefined],
    ['answers with an error', (response: ServerResponse) => response.writeHead(503).end()],
    ['redirects', (response: ServerResponse) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['hangs up', (response: ServerResponse) => response.destroy()],
    ['answers without end', (response: ServerResponse) => response.end('A'.repeat(3_000_000))],
  ])('accepts any where the server %s, and counts it', async (_name, wrongly) => {
    const before = await counted('failed');
    respond = wrongly;
    expect((await signUp(BREACHED)).status).toBe(201);
    expect(received).toHaveLength(1);
    expect(await counted('failed')).toBe(before + 1);
  });
});
