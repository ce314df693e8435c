import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { createClient, ServiceError } from '../../../client/src/index.js';
import type { OrganizationClient } from '../../../client/src/index.js';
import { fetch } from '../../support/fetch.js';
import { until } from '../../support/until.js';

/** Answers the nth request. */
type Behaviour = (response: ServerResponse, nth: number, request: IncomingMessage) => void;

function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  const error = { code: 'unavailable', message: 'Try again.', status, hint: 'Soon.' };
  answer(response, status, { error }, { 'x-request-id': 'request-1', ...headers });
}

/** Failures as a network and a service in trouble make them, which a sound service cannot be brought to. */
describe('the calls of the client', () => {
  let server: Server;
  let client: OrganizationClient;
  let behave: Behaviour;
  let requests: IncomingMessage[];

  beforeEach(async () => {
    requests = [];
    server = createServer((request, response) => {
      requests.push(request);
      behave(response, requests.length, request);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = createClient({ url: `http://127.0.0.1:${port}/base/`, org: 'acme', credential: 'svc_key' });
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('say who calls and where, under the path of the address', async () => {
    behave = (response) => {
      answer(response, 200, []);
    };
    await client.jobs.list({ limit: 5 }).page();
    await client.members.list({ org: 'other' }).page();
    expect(
      requests.map(({ url, headers }) => [url, headers.authorization, headers['x-service-org']]),
    ).toEqual([
      ['/base/jobs/v1/jobs?limit=5', 'Bearer svc_key', 'acme'],
      ['/base/auth/v1/orgs/other/members', 'Bearer svc_key', undefined],
    ]);
  });

  it.each([
    [
      'a refusal that passes',
      (response: ServerResponse) => {
        refuse(response, 503);
      },
    ],
    ['a cut connection', (response: ServerResponse) => response.destroy()],
    [
      'a cut answer',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '10' });
        response.write('[');
        setImmediate(() => response.destroy());
      },
    ],
  ])('are tried again after %s', async (_case, fail) => {
    behave = (response, nth) => {
      if (nth < 3) fail(response);
      else answer(response, 200, []);
    };
    await expect(client.orgs.list()).resolves.toEqual([]);
    expect(requests).toHaveLength(3);
  });

  it('list every organization of the caller, page after page', async () => {
    behave = (response, nth, { url = '' }) => {
      const link = { link: `</auth/v1/orgs?limit=100&cursor=c${nth}>; rel="next"` };
      answer(response, 200, [{ id: `org-${nth}`, asked: url }], nth < 3 ? link : {});
    };
    expect(await client.orgs.list()).toMatchObject([
      { id: 'org-1', asked: '/base/auth/v1/orgs?limit=100' },
      { id: 'org-2', asked: '/base/auth/v1/orgs?limit=100&cursor=c1' },
      { id: 'org-3', asked: '/base/auth/v1/orgs?limit=100&cursor=c2' },
    ]);
  });

  it('fail with what the service said last', async () => {
    behave = (response) => {
      refuse(response, 503);
    };
    const error: unknown = await client.orgs.list().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: 'Try again.',
      status: 503,
      hint: 'Soon.',
      requestId: 'request-1',
      details: [],
    });
    expect(requests).toHaveLength(3);
  });

  it('that wait for a run go on while the service is away, and end with its refusal', async () => {
    behave = (response, nth) => {
      if (nth === 1) answer(response, 200, { id: 'run_1', status: 'running' });
      else if (nth < 8) response.destroy();
      else answer(response, 200, { id: 'run_1', status: 'completed' });
    };
    await expect(client.runs.wait('run_1')).resolves.toMatchObject({ status: 'completed' });
    expect(requests).toHaveLength(8);
    behave = (response, nth) => {
      if (nth === 9) answer(response, 200, { id: 'run_1', status: 'running' });
      else refuse(response, 404);
    };
    await expect(client.runs.wait('run_1')).rejects.toMatchObject({ status: 404 });
    behave = (response) => response.destroy();
    await expect(client.runs.wait('run_1')).rejects.toMatchObject({ code: 'network_error' });
  });

  it('wait as long as Retry-After says', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    behave = (response, nth) => {
      if (nth === 1) refuse(response, 503, { 'retry-after': '1' });
      else answer(response, 200, []);
    };
    await client.orgs.list();
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 1000);
    timers.mockRestore();
  });

  it('are made once when they must not come twice', async () => {
    behave = (response) => {
      refuse(response, 503);
    };
    await expect(client.runs.cancel('run_0')).rejects.toMatchObject({ status: 503 });
    await expect(client.jobs.pause('greet')).rejects.toMatchObject({ status: 503 });
    await expect(client.hooks.call('orders', { method: 'PUT' })).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['trigger a job', () => client.jobs.trigger('greet')],
    ['retry a run', () => client.runs.retry('run_0')],
  ])('to %s carry one key over all tries', async (_what, call) => {
    behave = (response, nth) => {
      if (nth === 1) response.destroy();
      else answer(response, 202, { id: 'run_1' });
    };
    await call();
    await call();
    const [first, again, other] = requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^\S{8,255}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('to trigger a job in a batch carry one key for each item over all tries, and each item as it was given', async () => {
    const bodies: { items: unknown[] }[] = [];
    behave = (response, nth, request) => {
      void json(request).then((body) => {
        bodies.push(body as { items: unknown[] });
        if (nth === 1) response.destroy();
        else answer(response, 202, { runs: [] });
      });
    };
    const runAt = new Date('2026-01-31T12:00:00Z');
    await client.jobs.triggerBatch('greet', [{ payload: { a: 1 }, runAt }, { idempotencyKey: 'mine' }]);
    const [first, again] = bodies;
    expect(first?.items).toEqual([
      {
        payload: { a: 1 },
        run_at: runAt.toISOString(),
        idempotency_key: expect.stringMatching(/^\S{8,255}$/),
      },
      { idempotency_key: 'mine' },
    ]);
    expect(again).toEqual(first);
  });

  it('end with the reason of their signal, before, during and between tries', async () => {
    const reason = new Error('left the page');
    await expect(client.orgs.list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toHaveLength(0);

    behave = (response, nth) => {
      if (nth === 2) refuse(response, 503, { 'retry-after': '20' });
    };
    for (const expected of [1, 2]) {
      const controller = new AbortController();
      const call = client.orgs.list({ signal: controller.signal });
      const outcome = expect(call).rejects.toBe(reason);
      await until(() => requests.length === expected);
      controller.abort(reason);
      await outcome;
    }
    expect(requests).toHaveLength(2);
  });

  it('end at their time limit, once', async () => {
    behave = () => undefined;
    const { port } = server.address() as AddressInfo;
    let asked = 0;
    const hasty = createClient({
      url: `http://127.0.0.1:${port}`,
      timeoutMs: 50,
      fetch: async (input, init) => {
        asked += 1;
        return await fetch(input, init);
      },
    });
    await expect(hasty.health.live()).rejects.toMatchObject({ code: 'timeout', status: 0 });
    expect(asked).toBe(1);
  });

  it('tell an answer that is not the service’s', async () => {
    behave = (response) => {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('<h1>Not here</h1>');
    };
    await expect(client.orgs.list()).rejects.toMatchObject({ code: 'unexpected_answer', status: 404 });
    behave = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('[');
    };
    await expect(client.orgs.list()).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 });
  });

  it.each([
    ['a page, as a proxy has it', 'text/html', '<h1>Welcome to this network</h1>'],
    ['nothing', 'application/json', ''],
  ])('take %s for no success', async (_case, type, body) => {
    behave = (response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(body);
    };
    const refusal = { code: 'unexpected_answer', status: 200 };
    await expect(client.jobs.get('greet')).rejects.toMatchObject(refusal);
    await expect(client.jobs.list().all()).rejects.toMatchObject(refusal);
    await expect(client.auth.signIn({ email: 'a@example.com', password: 'p' })).rejects.toMatchObject(
      refusal,
    );
    await expect(client.logs.follow({ runId: 'run_0' }).next()).rejects.toMatchObject(refusal);
  });

  it.each([301, 302, 307, 308])('go to no other address, whatever a %i says', async (status) => {
    const { port } = server.address() as AddressInfo;
    behave = (response) => {
      response.writeHead(status, { location: `http://localhost:${port}/elsewhere` });
      response.end();
    };
    const shop = createClient({ url: `http://127.0.0.1:${port}`, apikey: 'service-key' });
    await expect(shop.auth.signIn({ email: 'a@example.com', password: 'p' })).rejects.toMatchObject({
      code: 'unexpected_answer',
    });
    expect(requests).toHaveLength(1);
  });

  it('may take as long as they like', async () => {
    behave = (response) => {
      setImmediate(() => {
        answer(response, 200, { status: 'ok' });
      });
    };
    const { port } = server.address() as AddressInfo;
    const patient = createClient({ url: `http://127.0.0.1:${port}`, timeoutMs: Number.POSITIVE_INFINITY });
    await expect(patient.health.live()).resolves.toEqual({ status: 'ok' });
  });

  it('for a log that is followed wait as long as Retry-After says, too', async () => {
    const controller = new AbortController();
    const timers = jest.spyOn(globalThis, 'setTimeout');
    behave = (response, nth) => {
      if (nth > 1) {
        refuse(response, 503, { 'retry-after': '60' });
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('id: 1\ndata: {"message":"queued"}\n\n');
    };
    const lines = client.logs.follow({ runId: 'run_0', signal: controller.signal });
    await expect(lines.next()).resolves.toMatchObject({ value: { message: 'queued', event_id: '1' } });
    const next = expect(lines.next()).rejects.toMatchObject({ name: 'AbortError' });
    await until(() => timers.mock.calls.some(([, delayMs]) => delayMs === 60_000));
    timers.mockRestore();
    controller.abort();
    await next;
    expect(requests).toHaveLength(2);
  });

  it('for a log that cannot be followed from the beginning fail like any other', async () => {
    behave = (response) => response.destroy();
    await expect(client.logs.follow().next()).rejects.toMatchObject({ code: 'network_error' });
    expect(requests).toHaveLength(3);
  });

  it('ask a function for the credential, and once more when it is refused', async () => {
    const given = ['old', 'new'];
    const { port } = server.address() as AddressInfo;
    const rotating = createClient({
      url: `http://127.0.0.1:${port}`,
      credential: () => Promise.resolve(given.shift() ?? 'none'),
    });
    behave = (response, _nth, { headers }) => {
      const error = { code: 'invalid_access_token', message: 'Expired.', status: 401 };
      if (headers.authorization === 'Bearer new') answer(response, 200, []);
      else answer(response, 401, { error });
    };
    await expect(rotating.orgs.list()).resolves.toEqual([]);
    expect(requests).toHaveLength(2);
  });

  it('are not made with what no header can have, which they do not repeat', async () => {
    const { port } = server.address() as AddressInfo;
    const secret = 'svc_one\nsvc_two';
    const misread = createClient({ url: `http://127.0.0.1:${port}`, credential: secret });
    const error: unknown = await misread.orgs.list().catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('Authorization'),
    });
    expect(inspect(error)).not.toContain('svc_one');
    await expect(
      client.jobs.trigger('greet', {}, { idempotencyKey: 'Montag → Dienstag' }),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(requests).toHaveLength(0);
  });

  it('need an address of HTTP', () => {
    expect(() => createClient({ url: 'ftp://id.example.com' })).toThrow(TypeError);
    expect(() => createClient({ url: 'id.example.com' })).toThrow(TypeError);
  });
});
