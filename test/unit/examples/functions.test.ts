import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Handler = (request: Request) => Promise<Response>;

async function functionOf(example: string, name: string): Promise<Handler> {
  const file = new URL(`../../../examples/${example}/functions/${name}.mjs`, import.meta.url);
  return ((await import(file.href)) as { default: Handler }).default;
}

function call(payload: unknown, headers: Record<string, string> = {}): Request {
  return new Request('http://functions.test', { method: 'POST', body: JSON.stringify(payload), headers });
}

describe('the GitHub webhook of the examples', () => {
  const repository = { full_name: 'acme/hello', default_branch: 'main' };
  let push: Handler;

  beforeAll(async () => {
    push = await functionOf('github-webhook', 'push');
  });

  it.each([
    [
      'answers the first call after the setup',
      { zen: 'Design for failure.' },
      200,
      { pong: 'Design for failure.' },
    ],
    [
      'ignores other branches',
      { ref: 'refs/heads/try', repository, commits: [] },
      200,
      { ignored: 'refs/heads/try' },
    ],
    [
      'ignores the end of a branch',
      { ref: 'refs/heads/main', repository, commits: [], deleted: true },
      200,
      { ignored: 'refs/heads/main' },
    ],
  ])('%s', async (_, payload, status, body) => {
    const answer = await push(call(payload));
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status,
      body: { ok: true, ...body },
    });
  });

  it('refuses for good what is no push', async () => {
    expect((await push(call({ action: 'opened' }))).status).toBe(422);
  });
});

describe('the scheduled report of the examples', () => {
  const runs = [
    {
      id: 'run_3',
      job_id: 'sync',
      status: 'failed',
      error: { code: 'timeout', message: 'it took too long' },
    },
    { id: 'run_2', job_id: 'sync', status: 'completed' },
    { id: 'run_1', job_id: 'mail', status: 'completed' },
  ];
  const asked: { authorization: string | undefined; url: URL }[] = [];
  const sent: { key: unknown; report: unknown }[] = [];
  let receives = 204;
  let url: string;
  let report: Handler;

  /** The runs of a service in two pages, and a receiver of reports. */
  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', url);
    if (at.pathname === '/reports') {
      void json(request).then((body) => {
        sent.push({ key: request.headers['idempotency-key'], report: body });
        response.writeHead(receives).end();
      });
      return;
    }
    asked.push({ authorization: request.headers.authorization, url: at });
    const isSecondPage = at.searchParams.has('cursor');
    if (!isSecondPage) response.setHeader('Link', `<${at.pathname}${at.search}&cursor=2>; rel="next"`);
    response.end(JSON.stringify(isSecondPage ? runs.slice(2) : runs.slice(0, 2)));
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    report = await functionOf('scheduled-report', 'report');
  });

  beforeEach(() => {
    asked.length = 0;
    sent.length = 0;
    receives = 204;
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function scheduled(payload: unknown = { service: url, send_to: `${url}/reports` }): Request {
    return call(payload, {
      authorization: 'Bearer of-this-attempt',
      'idempotency-key': 'run_9',
      'x-service-scheduled-for': '2026-11-21T05:00:00.000Z',
    });
  }

  it('reports the day before its planned instant, read in pages with the token of its own call', async () => {
    const expected = {
      since: '2026-11-20T05:00:00.000Z',
      until: '2026-11-21T05:00:00.000Z',
      ended: { failed: 1, completed: 2 },
      failed: [{ id: 'run_3', job_id: 'sync', reason: 'it took too long' }],
    };
    const answer = await report(scheduled());
    expect(await answer.json()).toEqual({ ok: true, ...expected });
    expect(sent).toEqual([{ key: 'run_9', report: expected }]);
    expect(asked.map(({ authorization }) => authorization)).toEqual(Array(2).fill('Bearer of-this-attempt'));
    expect(asked[0]?.url.searchParams.get('since')).toBe(expected.since);
    expect(asked[0]?.url.searchParams.get('until')).toBe(expected.until);
  });

  it('asks to be tried again while the receiver is down', async () => {
    receives = 502;
    expect((await report(scheduled())).status).toBe(503);
  });

  it('fails for good on a payload without addresses', async () => {
    expect((await report(scheduled({ service: url }))).status).toBe(422);
  });
});
