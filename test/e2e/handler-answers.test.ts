import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { signUpOwner } from '../support/client.js';
import type { Client, RunBody } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { answer, HandlerServer } from '../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../support/runs.js';
import { ServiceProcess } from '../support/service-process.js';
import { isInProjects } from '../support/profile.js';

const QUICK = { type: 'exponential', initial_ms: 50, max_ms: 50, multiplier: 1 };
const TRACE_PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a handler call and its answer', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;
  let client: Client;
  let orgId: string;
  let slug: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    service = await ServiceProcess.start({ ...environment.variables, ...handlers.variables });
    ({ client, orgId, slug } = await signUpOwner(service.url ?? ''));
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function run(id: string, fields: Record<string, unknown> = {}): Promise<RunBody> {
    await registerJobs(client, { [id]: fields });
    return await endedRun(client, (await trigger(client, id)).id);
  }

  /** The line of a run's log that stands before the one of its end. */
  async function lastWordOf(runId: string): Promise<unknown> {
    const { body } = await client.get<{ level: string; message: string }[]>(`/jobs/v1/runs/${runId}/logs`);
    const [{ level, message } = {}, end] = body.slice(-2);
    expect(end?.message).toContain('the run is completed');
    return [level, message];
  }

  it('carries the headers of the contract, with one Idempotency-Key over all attempts', async () => {
    handlers.on('headers', (response, nth, call) => {
      answer(nth === 1 ? 500 : 200, {})(response, nth, call);
    });
    await registerJobs(client, { headers: { retries: 1, retry_backoff: QUICK } });
    const { id } = await trigger(client.with({ traceparent: TRACE_PARENT }), 'headers', {
      payload: { a: 1 },
    });
    await endedRun(client, id);
    const calls = handlers.callsOf(id);
    expect(calls).toHaveLength(2);
    for (const [index, call] of calls.entries()) {
      expect(call.body).toBe('{"a":1}');
      expect(call.headers).toMatchObject({
        'content-type': 'application/json',
        'x-service-run-id': id,
        'x-service-job-id': 'headers',
        'x-service-attempt': String(index + 1),
        'x-service-trigger': 'manual',
        'x-service-actor': expect.stringMatching(isInProjects ? /^key:[\w-]+$/ : /^user:[\w-]+$/),
        ...(isInProjects ? { 'x-service-project': slug } : { 'x-service-org': orgId }),
        'idempotency-key': id,
        traceparent: TRACE_PARENT,
      });
    }
  });

  it('has the body {} when the trigger has no payload, and even no body', async () => {
    await registerJobs(client, { bare: {} });
    const bodiless = await client.send<RunBody>('POST', '/jobs/v1/jobs/bare/trigger');
    expect(bodiless.status).toBe(202);
    const { id } = await trigger(client, 'bare');
    for (const runId of [id, bodiless.body.id]) {
      expect(await endedRun(client, runId)).toMatchObject({ status: 'completed', payload: {} });
      expect(handlers.callsOf(runId).map((call) => call.body)).toEqual(['{}']);
    }
  });

  it('is not followed to where it redirects', async () => {
    handlers.on('redirects', answer(307, {}, { location: '/elsewhere' }));
    const ended = await run('redirects');
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'handler_error' } });
    expect(ended.attempts[0]?.status_code).toBe(307);
    expect(handlers.runIdsOf('elsewhere')).toEqual([]);
  });

  it('may follow unrequested interim responses', async () => {
    handlers.on('interim', (response, nth, call) => {
      response.writeContinue();
      response.writeProcessing();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      answer(200, { ok: true })(response, nth, call);
    });
    expect(await run('interim')).toMatchObject({ status: 'completed', attempt: 1, result: { ok: true } });
  });

  it('is kept as the result up to 64 KiB, and dropped beyond', async () => {
    const overhead = JSON.stringify({ text: '' }).length;
    const fits = { text: 'x'.repeat(64 * 1024 - overhead) };
    handlers.on('fits', answer(200, fits));
    handlers.on('too-large', answer(200, { text: `${fits.text}x` }));
    expect(await run('fits')).toMatchObject({ status: 'completed', result: fits });
    const tooLarge = await run('too-large');
    expect(tooLarge).toMatchObject({ status: 'completed', result: null });
    expect(await lastWordOf(tooLarge.id)).toEqual([
      'warn',
      'the result was dropped: it is larger than 65536 bytes',
    ]);
  });

  it('completes the run without a result when it is no JSON, empty or broken', async () => {
    const bodies = {
      plain: ['text/plain', 'hello'],
      broken: ['application/json', '{"a":'],
      empty: ['text/html', ''],
    };
    for (const [name, [type = '', text]] of Object.entries(bodies)) {
      handlers.on(name, (response) => response.writeHead(200, { 'content-type': type }).end(text));
      expect(await run(name)).toMatchObject({ status: 'completed', result: null });
    }
  });

  it('completes the run without a result when it is JSON of another type, and its log says so', async () => {
    handlers.on('untyped', (response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('{"a":1}'),
    );
    const ended = await run('untyped');
    expect(ended).toMatchObject({ status: 'completed', result: null });
    expect(await lastWordOf(ended.id)).toEqual([
      'warn',
      'the result was dropped: it is JSON with the Content-Type "text/plain"; answer with application/json',
    ]);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('is kept when its Content-Encoding is %s', async (coding, encode) => {
    const result = { text: 'x'.repeat(1000) };
    handlers.on('encoded', (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding });
      response.end(encode(JSON.stringify(result)));
    });
    expect(await run('encoded')).toMatchObject({ status: 'completed', attempt: 1, result });
  });

  it.each([
    ['gzip', '{"a":1}', 'is not readable in its Content-Encoding, "gzip"'],
    ['zstd', '{"a":1}', 'is not readable in its Content-Encoding, "zstd"'],
    ['gzip', gzipSync(`"${'x'.repeat(64 * 1024)}"`), 'is larger than 65536 bytes'],
    ['gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024)), 'is larger than 65536 bytes'],
    ['identity', '{"a":', 'is not the JSON that its Content-Type says'],
    ['identity', '['.repeat(1001), 'is not the JSON that its Content-Type says'],
    ['identity', Buffer.from([0x22, 0xff, 0x22]), 'is not UTF-8'],
  ])('in %s that cannot be kept completes the run, and its log says why', async (coding, body, why) => {
    handlers.on('unkept', (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding });
      response.end(body);
    });
    const ended = await run('unkept');
    expect(ended).toMatchObject({ status: 'completed', result: null, attempt: 1 });
    expect(await lastWordOf(ended.id)).toEqual(['warn', `the result was dropped: it ${why}`]);
  });

  it('completes the run when it is larger than what is read of it', async () => {
    handlers.on('huge', answer(200, { text: 'x'.repeat(3 * 1024 * 1024) }));
    expect(await run('huge')).toMatchObject({ status: 'completed', result: null, attempt: 1 });
  });

  it('completes the run when its JSON nests deeper than the database takes', async () => {
    const nested = '['.repeat(30_000) + ']'.repeat(30_000);
    handlers.on('nested', (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(nested),
    );
    expect(await run('nested')).toMatchObject({ status: 'completed', result: null, attempt: 1 });
  });

  it('is dropped, and the log says so, when its JSON nests too deep to be shown again', async () => {
    const nested = '['.repeat(20_000) + ']'.repeat(20_000);
    handlers.on('deep', (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(nested),
    );
    const ended = await run('deep');
    expect(ended).toMatchObject({ status: 'completed', result: null, attempt: 1 });
    expect(await lastWordOf(ended.id)).toEqual([
      'warn',
      'the result was dropped: it is nested deeper than 1000 levels',
    ]);
  });

  it('keeps unusual but valid JSON', async () => {
    const text = String.raw`{"nul":"\u0000","half":"\ud83d","":[null,1e400,-0]}`;
    handlers.on('unusual', (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    );
    const ended = await run('unusual');
    expect(ended).toMatchObject({ status: 'completed', attempt: 1 });
    expect(ended.result).toMatchObject({ nul: '\0' });
  });

  it('may fail with any message', async () => {
    const message = `half a pair \ud83d, NUL \0, ${'long '.repeat(1000)}`;
    handlers.on('odd-message', answer(422, { error: message }));
    const ended = await run('odd-message');
    expect(ended).toMatchObject({ status: 'failed', attempt: 1, error: { code: 'handler_fatal' } });
    expect(ended.error?.message).toMatch(/^half a pair \\ud83d, NUL \\u0000, long/);
    expect(ended.error?.message).toHaveLength(2000);
    const [, leftOut = ''] = /… \((\d+) more characters\)$/.exec(ended.error?.message ?? '') ?? [];
    const kept = (ended.error?.message ?? '').lastIndexOf('…');
    // Each of the two has five characters more.
    expect(kept - 10 + Number(leftOut)).toBe(message.length);
  });
});

describe('a handler of the functions folder that is gone', () => {
  it('fails the run with handler_not_found', async () => {
    const environment = await createEnvironment();
    await environment.deploy('gone', 'export default () => new Response()');
    const service = await ServiceProcess.start(environment.variables);
    try {
      const { client } = await signUpOwner(service.url ?? '');
      await registerJobs(client, { gone: {} });
      await environment.undeploy('gone');
      const { id } = await trigger(client, 'gone');
      expect(await endedRun(client, id)).toMatchObject({
        status: 'failed',
        attempt: 1,
        error: { code: 'handler_not_found', message: expect.stringContaining('gone') },
      });
    } finally {
      await service.stop();
      await environment.dispose();
    }
  });
});

describe('a function that does not load', () => {
  it('fails the run with what it said, whatever that was', async () => {
    const environment = await createEnvironment();
    await environment.deploy('broken', String.raw`throw new Error('half \ud83d and NUL \0 end');`);
    const service = await ServiceProcess.start(environment.variables);
    try {
      const { client } = await signUpOwner(service.url ?? '');
      await registerJobs(client, { broken: { retries: 1, retry_backoff: QUICK } });
      const ended = await endedRun(client, (await trigger(client, 'broken')).id);
      expect(ended).toMatchObject({ status: 'failed', attempt: 2, error: { code: 'handler_error' } });
      expect(ended.error?.message).toContain(String.raw`and NUL \u0000 end`);
    } finally {
      await service.stop();
      await environment.dispose();
    }
  });
});
