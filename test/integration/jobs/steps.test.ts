import { Client, signUpOwner } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { atInstant, clockAhead } from '../../support/clocks.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

interface Step {
  readonly name: string;
  readonly attempt: number;
  readonly value: unknown;
  readonly value_bytes: number;
  readonly created_at: string;
}

const defer = answer(202, undefined, { 'Service-Defer': 'true' });
const LONG_MS = 3_600_000;
const SOON = { type: 'exponential', initial_ms: 1, max_ms: 60_000, multiplier: 2, jitter: 0 };
const refusal = (status: number, code: string): object => ({ status, body: { error: { code } } });

describe('the steps of a run', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    service = await ServiceInProcess.start({ ...environment.variables, ...handlers.variables });
    handlers.on('order', defer);
    ({ client } = await signUpOwner(service.url));
    await registerJobs(client, { order: { timeout_ms: LONG_MS, retries: 1, retry_backoff: SOON } });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  /** Whoever holds the token of a run's nth call. */
  async function attemptOf(runId: string, nth = 1): Promise<Client> {
    await until(() => handlers.callsOf(runId).length >= nth);
    const token = handlers.callsOf(runId)[nth - 1]?.headers.authorization ?? '';
    const kept = Object.entries(client.headers).filter(([name]) => !/^authorization$/i.test(name));
    return new Client(service.url).with(Object.fromEntries(kept)).as(token.replace('Bearer ', ''));
  }

  async function startedRun(): Promise<{ id: string; handler: Client }> {
    const { id } = await trigger(client, 'order');
    return { id, handler: await attemptOf(id) };
  }

  async function keep(by: Client, id: string, name: string, body: unknown): Promise<Answer<Step>> {
    return await by.send<Step>('PUT', `/jobs/v1/runs/${id}/steps/${encodeURIComponent(name)}`, body);
  }

  it('are kept once by name, with their value as it came, whoever keeps the same again', async () => {
    const { id, handler } = await startedRun();
    const first = await keep(handler, id, 'charge: 4/7 für Ana', { value: { charge: 'ch_1', cents: 1.5 } });
    expect(first).toMatchObject({
      status: 200,
      body: { name: 'charge: 4/7 für Ana', attempt: 1, value: { charge: 'ch_1', cents: 1.5 } },
    });
    expect(await keep(handler, id, 'charge: 4/7 für Ana', { value: 'other' })).toEqual(
      expect.objectContaining({ status: 200, body: first.body }),
    );
    const at = await Promise.all(
      Array.from({ length: 8 }, (_none, value) => keep(handler, id, 'at once', { value })),
    );
    expect(new Set(at.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect((await keep(handler, id, 'nothing', { value: null })).body.value).toBeNull();
    const listed = await client.get<Step[]>(`/jobs/v1/runs/${id}/steps`);
    expect(listed.body.map(({ name }) => name)).toEqual(['charge: 4/7 für Ana', 'at once', 'nothing']);
    expect(listed.body[0]).toEqual({
      name: 'charge: 4/7 für Ana',
      attempt: 1,
      value_bytes: '{"charge":"ch_1","cents":1.5}'.length,
      created_at: first.body.created_at,
    });
  });

  it('are there for later attempts of the run, and not for a run that repeats it', async () => {
    const { id, handler } = await startedRun();
    await keep(handler, id, 'charge', { value: 'ch_1' });
    await handler.post(`/jobs/v1/runs/${id}/attempts/1/fail`, {});
    const second = await attemptOf(id, 2);
    expect((await second.get<Step>(`/jobs/v1/runs/${id}/steps/charge`)).body).toMatchObject({
      attempt: 1,
      value: 'ch_1',
    });
    expect((await keep(second, id, 'charge', { value: 'ch_2' })).body.value).toBe('ch_1');
    expect((await keep(second, id, 'ship', { value: 7 })).body).toMatchObject({ attempt: 2, value: 7 });
    // The first attempt has ended: whoever still works at it writes nothing.
    expect(await keep(handler, id, 'mail', { value: 1 })).toMatchObject(refusal(409, 'attempt_ended'));
    await second.post(`/jobs/v1/runs/${id}/attempts/2/complete`, {});
    expect(await keep(second, id, 'mail', { value: 1 })).toMatchObject(refusal(409, 'attempt_ended'));
    await endedRun(client, id);
    const again = await client.post<{ id: string }>(`/jobs/v1/runs/${id}/retry`, {});
    expect((await client.get<Step[]>(`/jobs/v1/runs/${again.body.id}/steps`)).body).toEqual([]);
    expect(await client.get(`/jobs/v1/runs/${again.body.id}/steps/charge`)).toMatchObject(
      refusal(404, 'step_not_found'),
    );
  });

  it('are a sign of life of a deferred attempt, and none after a cancellation', async () => {
    const { id, handler } = await startedRun();
    const { database } = environment;
    const expiry = async (): Promise<Date | undefined> =>
      (
        await database.query<{ expires_at: Date }>(
          'SELECT expires_at FROM deferred_attempts WHERE run_id = $1',
          [id],
        )
      )[0]?.expires_at;
    await until(async () => (await expiry()) !== undefined);
    const before = await expiry();
    await keep(handler, id, 'charge', { value: 1 });
    expect((await expiry())?.getTime()).toBeGreaterThan(before?.getTime() ?? Infinity);
    await client.post(`/jobs/v1/runs/${id}/cancel`, {});
    expect(await keep(handler, id, 'ship', { value: 1 })).toMatchObject(refusal(409, 'run_cancelled'));
  });

  it('have a bound each and in all', async () => {
    const { id, handler } = await startedRun();
    const largest = 'x'.repeat(262_142);
    expect((await keep(handler, id, 'large', { value: largest })).body).toMatchObject({ value: largest });
    expect(await keep(handler, id, 'larger', { value: `${largest}x` })).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_failed', details: [{ path: 'value' }] } },
    });
    await environment.database.query(
      `INSERT INTO run_steps (run_id, name, attempt, value, value_bytes)
       SELECT $1, 'filled ' || n, 1, '1', 1 FROM generate_series(1, 999) n`,
      [id],
    );
    expect(await keep(handler, id, 'one more', { value: 1 })).toMatchObject(refusal(403, 'limit_reached'));
    expect((await keep(handler, id, 'large', { value: 1 })).body.value).toBe(largest);
  });

  it('have names of 1 to 128 characters that one sees', async () => {
    const { id, handler } = await startedRun();
    for (const name of ['.hidden', ' x', 'a\nb', 'a\u0000', 'a\u2028b', '\u200d', 'x'.repeat(129)])
      for (const answered of [
        await keep(handler, id, name, { value: 1 }),
        await handler.get(`/jobs/v1/runs/${id}/steps/${encodeURIComponent(name)}`),
      ])
        expect(answered).toMatchObject({ status: 400, body: { error: { details: [{ path: 'name' }] } } });
    for (const name of ['a%2F/..', '<b>', '😀'.repeat(128)])
      expect((await keep(handler, id, name, { value: 1 })).body.name).toBe(name);
  });

  it('are values of any JSON', async () => {
    const { id, handler } = await startedRun();
    const path = `/jobs/v1/runs/${id}/steps/odd`;
    const value = '{"a":"\\u0000\\ud800","n":1e400,"a":[]}';
    const { headers, url } = handler;
    const kept = await fetch(`${url}${path}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: `{"value":${value}}`,
    });
    expect(await kept.text()).toContain(`"value":${value}`);
  });

  it('are kept and read by the token of the call after it has expired, as long as the attempt goes on', async () => {
    const { id, handler } = await startedRun();
    await keep(handler, id, 'charge', { value: 1 });
    await handler.post(`/jobs/v1/runs/${id}/attempts/1/fail`, {});
    const second = await attemptOf(id, 2);
    const read = async (name: string): Promise<Answer<Step>> =>
      await second.get<Step>(`/jobs/v1/runs/${id}/steps/${name}`);
    await atInstant(service, new Date(Date.now() + 2 * LONG_MS), async () => {
      const clock = clockAhead(2 * LONG_MS);
      expect(await second.get(`/jobs/v1/runs/${id}/steps`)).toMatchObject(
        refusal(401, 'invalid_access_token'),
      );
      clock.mockRestore();
      expect((await read('charge')).body.value).toBe(1);
      expect(await read('ship')).toMatchObject(refusal(404, 'step_not_found'));
      expect((await keep(second, id, 'ship', { value: 2 })).body.value).toBe(2);
    });
    await client.post(`/jobs/v1/runs/${id}/cancel`, {});
    expect(await read('charge')).toMatchObject(refusal(409, 'run_cancelled'));
    expect((await client.get<Step>(`/jobs/v1/runs/${id}/steps/ship`)).body.value).toBe(2);
  });

  it('name what is wrong with a body', async () => {
    const { id, handler } = await startedRun();
    const detailsOf = async (body: unknown): Promise<unknown> =>
      ((await keep(handler, id, 'charge', body)).body as unknown as { error: { details: unknown } }).error
        .details;
    expect(await detailsOf({})).toEqual([{ path: 'value', message: 'is required' }]);
    expect(await detailsOf({ value: 1, valeu: 2 })).toMatchObject([{ path: 'valeu' }]);
  });

  it("are written by nobody but the run's own handler, and read by its tenant alone", async () => {
    const { id, handler } = await startedRun();
    const other = await startedRun();
    await keep(handler, id, 'charge', { value: 1 });
    const stranger = (await signUpOwner(service.url)).client;
    expect(await keep(client, id, 'ship', { value: 1 })).toMatchObject(refusal(403, 'run_token_required'));
    expect(await keep(other.handler, id, 'ship', { value: 1 })).toMatchObject(
      refusal(403, 'run_token_required'),
    );
    for (const path of ['', '/charge'])
      expect(await stranger.get(`/jobs/v1/runs/${id}/steps${path}`)).toMatchObject(
        refusal(404, 'run_not_found'),
      );
    expect(await keep(stranger, id, 'ship', { value: 1 })).toMatchObject(refusal(403, 'run_token_required'));
    expect(await other.handler.get(`/jobs/v1/runs/${id}/steps/charge`)).toMatchObject(
      refusal(403, 'run_token_required'),
    );
  });
});
