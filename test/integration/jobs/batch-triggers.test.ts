import { randomUUID } from 'node:crypto';
import { Client, signUpOwner } from '../../support/client.js';
import type { Answer, RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, showRun, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { ServiceProcess } from '../../support/service-process.js';

type Refusal = Answer<{ error: { code: string; details?: { path: string; message: string }[] } }>;

const MAX_PAYLOAD = 2_000;
const DAY_MS = 86_400_000;

describe('a batch of triggers', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let other: ServiceProcess;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    const limits = {
      SERVICE_JOBS__MAX_PAYLOAD_BYTES: String(MAX_PAYLOAD),
      SERVICE_LIMITS__WAITING_RUNS: '1200',
    };
    service = await ServiceInProcess.start({ ...variables, ...limits });
    other = await ServiceProcess.start({ ...variables, ...limits, SERVICE_ROLE: 'api' });
  });

  afterAll(async () => {
    await Promise.all([service.stop(), other.stop()]);
    await handlers.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    ({ client } = await signUpOwner(service.url));
    await registerJobs(client, { echo: {} });
  });

  async function send<Body = { runs: RunBody[] }>(items: unknown, by = client): Promise<Answer<Body>> {
    return await by.post<Body>('/jobs/v1/jobs/echo/trigger/batch', { items });
  }

  async function accepted(items: unknown, by = client): Promise<RunBody[]> {
    const { status, body } = await send(items, by);
    expect([status, body]).toEqual([202, expect.objectContaining({})]);
    return body.runs;
  }

  async function refused(items: unknown): Promise<[number, string, string[]]> {
    const { status, body }: Refusal = await send(items);
    return [status, body.error.code, (body.error.details ?? []).map(({ path }) => path)];
  }

  async function countRuns(): Promise<number> {
    const [row] = await environment.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM runs',
    );
    return row?.count ?? -1;
  }

  it('gives a run for each item in the order of the items, which gets the payload as it was sent', async () => {
    const later = new Date(Date.now() + DAY_MS).toISOString();
    const body = `{"items": [{"payload": {"n": 12345678901234567890.10, "n": 1}}, {}, {"run_at": "${later}"},
      {"delay_ms": 60000, "payload": {"deep": {"payload": [1]}}}, {"payload": {"b": 1.0}}]}`;
    const response = await fetch(`${service.url}/jobs/v1/jobs/echo/trigger/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...client.headers },
      body,
    });
    expect(response.status).toBe(202);
    const { runs } = (await response.json()) as { runs: RunBody[] };
    expect(runs.map(({ job_id, status }) => [job_id, status])).toEqual(runs.map(() => ['echo', 'queued']));
    const stored = await environment.database.query<{ id: string; payload: string }>(
      'SELECT id, payload::text AS payload FROM runs WHERE id = ANY ($1)',
      [runs.map(({ id }) => id)],
    );
    const payloads = new Map(stored.map(({ id, payload }) => [id, payload]));
    expect(runs.map(({ id }) => payloads.get(id))).toEqual([
      '{"n": 12345678901234567890.10, "n": 1}',
      '{}',
      '{}',
      '{"deep": {"payload": [1]}}',
      '{"b": 1.0}',
    ]);
    expect(runs[2]?.due_at).toBe(later);
    const [first] = runs;
    expect(await endedRun(client, first?.id ?? '')).toMatchObject({ status: 'completed' });
    expect(handlers.callsOf(first?.id ?? '')[0]?.body).toBe('{"n": 12345678901234567890.10, "n": 1}');
  });

  it('of 1,000 items is one insert and is carried out', async () => {
    const items = Array.from({ length: 1_000 }, (_none, n) => ({
      payload: { n },
      delay_ms: n % 999 === 0 ? 0 : 3_600_000,
    }));
    const ids = (await accepted(items)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1_000);
    await endedRun(client, ids.at(-1) ?? '', 60_000);
    await endedRun(client, ids[0] ?? '', 60_000);
  });

  it.each([
    ['no items', [], ['items']],
    ['1,001 items', Array.from({ length: 1_001 }, () => ({})), ['items']],
    ['items that are no list', { payload: {} }, ['items']],
    ['an item that is no object', [{}, 7], ['items[1]']],
    ['a payload that is no object', [{ payload: {} }, { payload: [1] }], ['items[1].payload']],
    ['an unknown field', [{ when: 'now' }], ['items[0].when']],
    ['a negative delay', [{ delay_ms: -1 }], ['items[0].delay_ms']],
    ['a delay and an instant', [{ delay_ms: 1, run_at: '2026-01-31T12:00:00Z' }], ['items[0].run_at']],
    ['an instant without its offset', [{ run_at: '2026-01-31T12:00:00' }], ['items[0].run_at']],
    ['an instant that no calendar has', [{ run_at: '2026-02-30T12:00:00Z' }], ['items[0].run_at']],
    [
      'an instant more than a year ahead',
      [{}, { run_at: new Date(Date.now() + 366 * DAY_MS).toISOString() }],
      ['items[1].run_at'],
    ],
    ['an empty key', [{ idempotency_key: '' }], ['items[0].idempotency_key']],
    [
      'a payload that is larger than that of a single trigger',
      [{}, { payload: { text: 'x'.repeat(MAX_PAYLOAD) } }, {}],
      ['items[1].payload'],
    ],
  ])('with %s is refused as a whole, with the place', async (_what, items, paths) => {
    const before = await countRuns();
    expect(await refused(items)).toEqual([400, 'validation_failed', paths]);
    expect(await countRuns()).toBe(before);
  });

  it('has keys for its items, and none for the whole', async () => {
    const before = await countRuns();
    const keyed = client.with({ 'idempotency-key': 'whole' });
    const { status, body } = await keyed.post<Refusal['body']>('/jobs/v1/jobs/echo/trigger/batch', {
      items: [{}],
    });
    expect([status, body.error.code]).toEqual([400, 'validation_failed']);
    expect(await countRuns()).toBe(before);
  });

  it('of an unknown job is refused, and none of its keys is taken', async () => {
    const items = [{ idempotency_key: 'k' }];
    const { status, body }: Refusal = await client.post('/jobs/v1/jobs/none/trigger/batch', { items });
    expect([status, body.error.code]).toEqual([404, 'job_not_found']);
    await registerJobs(client, { none: {} });
    expect((await client.post('/jobs/v1/jobs/none/trigger/batch', { items })).status).toBe(202);
  });

  it('counts as a whole towards the waiting runs of the tenant', async () => {
    const waiting = Array.from({ length: 700 }, () => ({ delay_ms: DAY_MS }));
    await accepted(waiting);
    const before = await countRuns();
    const { status, body }: Refusal = await send(waiting);
    expect([status, body.error.code]).toEqual([403, 'limit_reached']);
    expect(await countRuns()).toBe(before);
    await accepted(waiting.slice(0, 500));
  });

  it('that is sent again with its keys gives the same runs', async () => {
    const items = Array.from({ length: 5 }, (_none, n) => ({
      payload: { n },
      idempotency_key: `again-${n}`,
    }));
    const ids = (await accepted(items)).map(({ id }) => id);
    const reversed = (await accepted([...items].reverse())).map(({ id }) => id);
    expect(reversed).toEqual([...ids].reverse());
    const mixed = await accepted([{ payload: { n: 0 } }, ...items.slice(3), { idempotency_key: 'new' }]);
    expect(mixed.slice(1, 3).map(({ id }) => id)).toEqual(ids.slice(3));
    expect(new Set([...ids, ...mixed.map(({ id }) => id)]).size).toBe(7);
  });

  it('shares its keys with single triggers', async () => {
    const single = await trigger(client.with({ 'idempotency-key': 'one' }), 'echo', { payload: { a: 1 } });
    const item = { payload: { a: 1 }, idempotency_key: 'one' };
    expect((await accepted([{}, item, item])).slice(1).map(({ id }) => id)).toEqual([single.id, single.id]);
    expect(await refused([{}, { payload: { a: 2 }, idempotency_key: 'one' }])).toEqual([
      409,
      'idempotency_mismatch',
      ['items[1].idempotency_key'],
    ]);
  });

  it('gives one run for a key that it repeats, and is refused when their bodies differ', async () => {
    const at = '2099-01-31T12:00:00Z';
    const key = randomUUID();
    const [first, second, third] = await accepted([
      { idempotency_key: key, delay_ms: 5_000 },
      {},
      { idempotency_key: key, delay_ms: 5_000 },
    ]);
    expect(first?.id).toBe(third?.id);
    expect(first?.id).not.toBe(second?.id);
    expect(await refused([{ idempotency_key: 'x' }, { idempotency_key: 'x', run_at: at }])).toEqual([
      400,
      'validation_failed',
      ['items[1].run_at'],
    ]);
    expect(await refused([{ idempotency_key: 'x' }, { idempotency_key: 'x', delay_ms: 1 }])).toEqual([
      409,
      'idempotency_mismatch',
      ['items[1].idempotency_key'],
    ]);
  });

  it('that two instances get at once in different orders gives the same runs', async () => {
    const items = Array.from({ length: 60 }, (_none, n) => ({
      payload: { n },
      idempotency_key: `race-${n}`,
    }));
    const beside = new Client(other.url ?? '').with(client.headers);
    const batches = await Promise.all(
      Array.from({ length: 8 }, async (_none, round) => {
        const sent = round % 2 === 0 ? items : [...items].reverse();
        const runs = await accepted(sent, round % 3 === 0 ? client : beside);
        return (round % 2 === 0 ? runs : [...runs].reverse()).map(({ id }) => id);
      }),
    );
    for (const ids of batches) expect(ids).toEqual(batches[0]);
    expect(new Set(batches[0]).size).toBe(60);
  });
});

describe('a trigger for an instant', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start(variables);
    ({ client } = await signUpOwner(service.url));
    await registerJobs(client, { echo: {} });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  it('waits until then, to the millisecond', async () => {
    const at = new Date(Date.now() + 1_500);
    const run = await trigger(client, 'echo', { run_at: at.toISOString() });
    expect(run).toMatchObject({ status: 'queued', due_at: at.toISOString() });
    const ended = await endedRun(client, run.id);
    expect(Date.parse(ended.attempts[0]?.started_at ?? '')).toBeGreaterThanOrEqual(at.getTime());
  });

  it('that has passed runs at once', async () => {
    const run = await trigger(client, 'echo', { run_at: '2001-01-31T12:00:00+02:00' });
    expect(await endedRun(client, run.id)).toMatchObject({ status: 'completed' });
    expect(Date.parse((await showRun(client, run.id)).created_at)).toBeGreaterThan(
      Date.parse('2020-01-01T00:00:00Z'),
    );
  });

  it('is another request than one for another instant under the same key', async () => {
    const keyed = client.with({ 'idempotency-key': 'instant' });
    const later = new Date(Date.now() + DAY_MS).toISOString();
    const run = await trigger(keyed, 'echo', { run_at: later });
    expect((await trigger(keyed, 'echo', { run_at: later.replace('Z', '+00:00') })).id).toBe(run.id);
    const { status, body }: Refusal = await keyed.post('/jobs/v1/jobs/echo/trigger', {});
    expect([status, body.error.code]).toEqual([409, 'idempotency_mismatch']);
  });
});
