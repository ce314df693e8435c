import * as conventions from '@opentelemetry/semantic-conventions';
import { Client, signUpOwner } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { answer, HandlerServer } from '../../../support/handler-server.js';
import { OtlpCollector } from '../../../support/otlp-collector.js';
import type { ReceivedSpan } from '../../../support/otlp-collector.js';
import { endedRun, registerJobs, trigger } from '../../../support/runs.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const [INTERNAL, SERVER, CLIENT, PRODUCER, CONSUMER] = [1, 2, 3, 4, 5] as const;

describe('traces of two instances, one of which answers requests and the other attempts runs', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let collector: OtlpCollector;
  let services: ServiceProcess[];
  let owner: SignedUp & { orgId: string };
  let url: string;

  beforeAll(async () => {
    [environment, handlers, collector] = await Promise.all([
      createEnvironment(),
      HandlerServer.start(),
      OtlpCollector.start(),
    ]);
    const variables = {
      ...environment.variables,
      ...handlers.variables,
      SERVICE_TELEMETRY__OTLP_URL: collector.url,
      SERVICE_TELEMETRY__OTLP_HEADERS: 'authorization=Bearer%20collector-secret,x-team=jobs',
      SERVICE_TELEMETRY__SERVICE_NAME: 'acme',
    };
    services = [
      await ServiceProcess.start({ ...variables, SERVICE_ROLE: 'api,scheduler' }),
      await ServiceProcess.start({ ...variables, SERVICE_ROLE: 'worker' }),
    ];
    url = services[0]?.url ?? '';
    owner = await signUpOwner(url);
    await registerJobs(owner.client, {
      parent: {
        retries: 1,
        retry_backoff: { type: 'exponential', initial_ms: 100, max_ms: 100, multiplier: 1 },
      },
      child: {},
      plain: {},
      doomed: { retries: 0 },
      repeated: { retries: 0 },
    });
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all([handlers.stop(), collector.stop()]);
    await environment.dispose();
  });

  function spansOf(runId: string): ReceivedSpan[] {
    return collector.spans.filter((span) => span.attributes['service.run.id'] === runId);
  }

  /** The spans of a run once its last attempt's has come. */
  async function tracedRun(runId: string, attempts = 1): Promise<ReceivedSpan[]> {
    const isOfAttempt = ({ name }: ReceivedSpan): boolean => name.startsWith('attempt ');
    await until(() => spansOf(runId).filter(isOfAttempt).length === attempts);
    return spansOf(runId).sort((left, right) => Number(left.startedAt - right.startedAt));
  }

  async function requestSpan(spanId: string | null | undefined): Promise<ReceivedSpan> {
    let found: ReceivedSpan | undefined;
    await until(() => (found = collector.spans.find((span) => span.spanId === spanId)) !== undefined);
    if (found === undefined) throw new Error(`there is no span ${spanId}`);
    return found;
  }

  it('has one trace from the request through the wait, both attempts and the calls to the child run', async () => {
    let childId = '';
    handlers.on('parent', (response, nth, call) => {
      if (nth === 1) {
        answer(500, {})(response, nth, call);
        return;
      }
      const asRun = new Client(url).as(String(call.headers.authorization).slice('Bearer '.length));
      void trigger(asRun, 'child').then(({ id }) => {
        childId = id;
        answer(200, {})(response, nth, call);
      });
    });
    const { id } = await trigger(owner.client, 'parent', { payload: { card: 'payload-secret' } });
    await endedRun(owner.client, id);
    await endedRun(owner.client, childId);
    const spans = await tracedRun(id, 2);
    expect(spans.map(({ name, kind, hasFailed }) => [name, kind, hasFailed])).toEqual([
      ['wait parent', INTERNAL, false],
      ['attempt parent', CONSUMER, true],
      ['POST', CLIENT, true],
      ['wait parent', INTERNAL, false],
      ['attempt parent', CONSUMER, false],
      ['POST', CLIENT, false],
    ]);
    const [wait, first, failedCall, , second, call] = spans;
    const request = await requestSpan(wait?.parentSpanId);
    expect(request).toMatchObject({
      name: 'POST /jobs/v1/jobs/:id/trigger',
      kind: SERVER,
      parentSpanId: null,
      attributes: { 'http.request.method': 'POST', 'http.response.status_code': 202, 'url.scheme': 'http' },
      resource: { 'service.name': 'acme', 'service.version': expect.any(String) },
    });
    expect(request.resource['service.instance.id']).not.toBe(wait?.resource['service.instance.id']);
    for (const span of [first, second]) expect(span?.parentSpanId).toBe(request.spanId);
    expect([failedCall?.parentSpanId, call?.parentSpanId]).toEqual([first?.spanId, second?.spanId]);
    expect(first?.attributes).toMatchObject({
      'service.run.attempt': 1,
      'service.run.attempt.outcome': 'failed',
      'error.type': 'handler_error',
      'http.response.status_code': 500,
      'service.tenant.id': owner.orgId,
    });
    expect(handlers.callsOf(id).map(({ headers }) => headers.traceparent)).toEqual(
      [failedCall, call].map((span) => `00-${request.traceId}-${span?.spanId}-01`),
    );
    const ofChild = await tracedRun(childId);
    const childRequest = await requestSpan(ofChild[0]?.parentSpanId);
    expect(childRequest).toMatchObject({ kind: SERVER, parentSpanId: second?.spanId });
    const all = [request, ...spans, childRequest, ...ofChild];
    expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(1);
    expect(all.every(({ startedAt, endedAt }) => endedAt >= startedAt)).toBe(true);
    expect(collector.text).not.toContain('payload-secret');
  });

  it('has the span of an attempt whose end its handler reports, over the whole of it', async () => {
    handlers.on('plain', answer(202, undefined, { 'Service-Defer': 'true' }));
    const { id } = await trigger(owner.client, 'plain');
    await until(() => spansOf(id).some(({ kind }) => kind === CLIENT));
    const token = String(handlers.callsOf(id)[0]?.headers.authorization).slice('Bearer '.length);
    const reported = await new Client(url).as(token).post(`/jobs/v1/runs/${id}/attempts/1/complete`, {});
    expect(reported.status).toBe(200);
    const spans = await tracedRun(id);
    expect(spans.map(({ name }) => name)).toEqual(['wait plain', 'attempt plain', 'POST']);
    const [, attempt, call] = spans;
    expect(attempt?.attributes).toMatchObject({ 'service.run.attempt.outcome': 'completed' });
    expect(call).toMatchObject({ parentSpanId: attempt?.spanId, hasFailed: false });
    expect(attempt?.endedAt).toBeGreaterThan(call?.endedAt ?? 0n);
  });

  it('makes a child the descendant of the handler that passes the trace on', async () => {
    const span = 'c7ad6b7169203331';
    let childId = '';
    handlers.on('plain', (response, nth, call) => {
      const traceId = String(call.headers.traceparent).split('-')[1] ?? '';
      const asRun = new Client(url)
        .as(String(call.headers.authorization).slice('Bearer '.length))
        .with({ traceparent: `00-${traceId}-${span}-01` });
      void trigger(asRun, 'child').then(({ id }) => {
        childId = id;
        answer(200, {})(response, nth, call);
      });
    });
    const { id } = await trigger(owner.client, 'plain');
    await endedRun(owner.client, id);
    await endedRun(owner.client, childId);
    const [wait] = await tracedRun(childId);
    expect(await requestSpan(wait?.parentSpanId)).toMatchObject({
      parentSpanId: span,
      traceId: (await tracedRun(id))[0]?.traceId,
    });
  });

  it('continues the trace of the caller, and records nothing where the caller does not', async () => {
    const asCaller = (flags: string): Client =>
      owner.client.with({ traceparent: `00-${TRACE}-${CALLER}-${flags}` });
    const unrecorded = await trigger(asCaller('00'), 'child');
    const recorded = await trigger(asCaller('01'), 'child');
    await endedRun(owner.client, unrecorded.id);
    const [wait] = await tracedRun(recorded.id);
    expect(await requestSpan(wait?.parentSpanId)).toMatchObject({ traceId: TRACE, parentSpanId: CALLER });
    expect(handlers.callsOf(unrecorded.id)[0]?.headers.traceparent).toMatch(
      new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`),
    );
    // Spans of one process come in the order in which they ended.
    await tracedRun((await trigger(owner.client, 'child')).id);
    expect(spansOf(unrecorded.id)).toEqual([]);
  });

  it('begins a trace for each run that no request triggers', async () => {
    handlers.on('repeated', (response, nth, call) => {
      const isFirst = handlers.runIdsOf('repeated').length === 1;
      answer(isFirst ? 422 : 200, {})(response, nth, call);
    });
    const first = await trigger(owner.client, 'repeated');
    await endedRun(owner.client, first.id);
    const filter = { job_id: 'repeated' };
    const { status } = await owner.client.post('/jobs/v1/runs/bulk', { action: 'retry', filter });
    expect(status).toBe(202);
    await until(() => handlers.runIdsOf('repeated').length === 2);
    const id = handlers.runIdsOf('repeated')[1] ?? '';
    const attempt = (await tracedRun(id)).find(({ kind }) => kind === CONSUMER);
    expect(await requestSpan(attempt?.parentSpanId)).toMatchObject({
      name: 'trigger repeated',
      kind: PRODUCER,
      parentSpanId: null,
      traceId: attempt?.traceId,
      attributes: { 'service.run.id': id, 'service.run.retry_of': first.id },
    });
  });

  it('says why a run failed by its code, never by the words of the handler', async () => {
    handlers.on('doomed', answer(422, { error: 'words-of-the-handler' }));
    const { id } = await trigger(owner.client, 'doomed');
    await endedRun(owner.client, id);
    const attempt = (await tracedRun(id)).find(({ kind }) => kind === CONSUMER);
    expect([attempt?.hasFailed, attempt?.attributes['error.type']]).toEqual([true, 'handler_fatal']);
    expect(collector.text).not.toContain('words-of-the-handler');
  });

  it('sends no token, path, query string or address of a person', async () => {
    const stray = owner.client.with({ traceparent: `00-${TRACE}-${CALLER}-01` });
    await stray.get('/no-such-page/path-secret?token=query-secret');
    await stray.post('/auth/v1/token?grant_type=password', {
      email: 'person@example.com',
      password: 'wrong-secret',
    });
    await tracedRun((await trigger(owner.client, 'child')).id);
    const token = String(handlers.calls[0]?.headers.authorization).slice('Bearer '.length);
    for (const secret of [
      'path-secret',
      'query-secret',
      'person@example.com',
      'wrong-secret',
      'collector-secret',
      token,
    ])
      expect(collector.text).not.toContain(secret);
  });

  it('sends its headers with each request, in the format of the protocol', () => {
    expect(collector.requests[0]).toMatchObject({
      url: '/v1/traces',
      headers: {
        authorization: 'Bearer collector-secret',
        'x-team': 'jobs',
        'content-type': 'application/x-protobuf',
      },
    });
    for (const { log } of services) expect(log).not.toContain('collector-secret');
  });

  it('names attributes as the semantic conventions do, or its own under service.', () => {
    const stable = new Set<unknown>(Object.values(conventions).filter((value) => typeof value === 'string'));
    const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    const strange = [...names].filter(
      (name) => !stable.has(name) && !/^service\.(?:run|job|tenant|request|handler)\b/.test(name),
    );
    expect(strange).toEqual([]);
  });

  it('names the trace in the log line of a request, and counts the spans that were sent', async () => {
    const trace = '1af7651916cd43dd8448eb211c80319c';
    await owner.client.with({ traceparent: `00-${trace}-${CALLER}-01` }).get('/auth/v1/permissions');
    await until(() => services[0]?.log.includes(`"trace_id":"${trace}"`) === true);
    const { body } = await owner.client.get<string>('/metrics');
    expect(body).toMatch(/^service_telemetry_spans_total\{outcome="exported"\} [1-9]/m);
  });
});
