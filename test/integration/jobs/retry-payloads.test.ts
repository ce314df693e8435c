import { makeKey } from '../../support/api-keys.js';
import { jobAuditOf } from '../../support/audit.js';
import { Client, signUpOwner } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import type { RawAnswer } from '../../support/raw-http.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

/** The default of jobs.max_payload_bytes. */
const MAX_PAYLOAD = 1_048_576;

/** Answers with what it gets, as it was written. */
const RETURNS = `export default async (request) =>
  new Response(await request.text(), { headers: { 'content-type': 'application/json' } });`;

interface Refusal {
  readonly error: { code: string; message: string; details?: { path: string; message: string }[] };
}

describe('a retry with a payload', () => {
  let program: SharedProgram;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let ended: RunBody;
  /** As a webhook set it going. */
  const HOOK = { type: 'webhook', path: 'orders', method: 'POST', headers: { 'x-event': 'order.paid' } };

  beforeAll(async () => {
    program = await sharedProgram();
    await program.deploy('returns', RETURNS);
    owner = await signUpOwner(program.url);
    await registerJobs(owner.client, { returns: {} });
    const { id } = await trigger(owner.client, 'returns', { payload: { first: true } });
    ended = await endedRun(owner.client, id);
  });

  async function send(method: string, path: string, body = '', client = owner.client): Promise<RawAnswer> {
    const headers = Object.entries(client.headers).map(([name, value]) => `${name}: ${value}`);
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    const request = rawRequest(method, path, ['Content-Type: application/json', length, ...headers], body);
    return await sendRaw(program.url, request);
  }

  async function retry(body: string, runId = ended.id): Promise<RunBody & { trigger: unknown }> {
    const { status, text } = await send('POST', `/jobs/v1/runs/${runId}/retry`, body);
    expect([status, text]).toEqual([202, text]);
    return JSON.parse(text) as RunBody & { trigger: unknown };
  }

  async function endedBy(set: object): Promise<RunBody> {
    const { id } = await trigger(owner.client, 'returns', { payload: { first: true } });
    await endedRun(owner.client, id);
    await program.database.query('UPDATE runs SET trigger = $2 WHERE id = $1', [id, JSON.stringify(set)]);
    return await endedRun(owner.client, id);
  }

  async function lastAudit(): Promise<Record<string, unknown> | undefined> {
    return (await jobAuditOf(program.database, owner.orgId)).at(-1);
  }

  it.each([
    ['an object', '{ "n": 12345678901234567890.10, "n" :1e400,"é":"\\u00e9" }'],
    ['a list', '[1.0, -0]'],
    ['text', '"1.0"'],
    ['a number that no double is', '12345678901234567890.10'],
    ['null', 'null'],
  ])(
    'that is %s hands it to the handler as it was written, and leaves the ended run',
    async (_what, payload) => {
      const hooked = await endedBy(HOOK);
      const repeated = await retry(`{ "payload" : ${payload}\n}`, hooked.id);
      expect(repeated).toMatchObject({ retry_of: hooked.id, trigger: { type: 'webhook', path: 'orders' } });
      expect((await endedRun(owner.client, repeated.id)).status).toBe('completed');
      const { text } = await send('GET', `/jobs/v1/runs/${repeated.id}`);
      expect(text).toContain(`"payload":${payload},"result":${payload},`);
      expect(await endedRun(owner.client, hooked.id)).toEqual(hooked);
    },
  );

  it('of a run that was triggered on demand is an object, as for a trigger, and the new run is that of the caller', async () => {
    const refused = await send('POST', `/jobs/v1/runs/${ended.id}/retry`, '{"payload":[1]}');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('"path":"payload"')]);
    expect(refused.text).toContain('must be a JSON object');
    const key = await makeKey(owner.client, owner.slug, ['jobs:jobs:trigger']);
    const caller = new Client(program.url).as(key.key);
    const { text } = await send('POST', `/jobs/v1/runs/${ended.id}/retry`, '{"payload":{"n":1.0}}', caller);
    expect(JSON.parse(text)).toMatchObject({
      retry_of: ended.id,
      trigger: { type: 'manual', key_id: key.id },
    });
    const { trigger: same } = await retry('');
    expect(same).toEqual({ type: 'manual', user_id: owner.userId });
  });

  it('acts as who asked for it, whatever set the ended run going', async () => {
    const hooked = await endedBy(HOOK);
    expect(hooked.actor).toBe('hook:orders');
    const key = await makeKey(owner.client, owner.slug, ['jobs:jobs:trigger']);
    const caller = new Client(program.url).as(key.key);
    for (const body of ['', '{"payload":{"n":1}}']) {
      const { text } = await send('POST', `/jobs/v1/runs/${hooked.id}/retry`, body, caller);
      expect(JSON.parse(text)).toMatchObject({
        actor: `key:${key.id}`,
        trigger: { type: 'webhook', path: 'orders' },
      });
      expect(text).not.toContain('repeated_by');
    }
  });

  it('says in the audit log that the payload is another one, and not which; a retry without one does not', async () => {
    const entry = {
      actor_id: owner.userId,
      action: 'run.retried',
      target_type: 'run',
      target_id: ended.id,
    };
    const other = await retry('{"payload":{"secret":"of a customer"}}');
    expect(await lastAudit()).toMatchObject({ ...entry, details: { retry: other.id, payload: 'replaced' } });
    for (const body of ['', '{}']) {
      const same = await retry(body);
      expect((await lastAudit())?.details).toEqual({ retry: same.id });
      expect((await endedRun(owner.client, same.id)).payload).toEqual({ first: true });
    }
    const trail = JSON.stringify(await jobAuditOf(program.database, owner.orgId));
    expect(trail).not.toContain('of a customer');
  });

  it.each([
    HOOK,
    { type: 'cron', position: 0, schedule: '0 2 * * *', timezone: 'UTC' },
    { type: 'data', table: 'public.orders', event: 'insert' },
  ])('keeps the trigger of a run that the trigger $type set going', async (kept) => {
    const { id } = await endedBy(kept);
    const repeated = await retry('{"payload":[{"order":2}]}', id);
    expect(await endedRun(owner.client, repeated.id)).toMatchObject({
      trigger: kept,
      payload: [{ order: 2 }],
      retry_of: id,
    });
  });

  it.each([
    ['that is cut off', '{"payload":{"a":', [400, 'invalid_json'], 'not valid JSON'],
    [
      'named twice',
      String.raw`{"payload":{"a":1},"pay\u006coad":{"a":2}}`,
      [400, 'invalid_json'],
      'names payload twice',
    ],
    [
      'nested too deeply',
      `{"payload":${'['.repeat(101)}${']'.repeat(101)}}`,
      [400, 'invalid_json'],
      'deeper than 100 levels',
    ],
    [
      'beside an unknown field',
      '{"payload":{},"when":"now"}',
      [400, 'validation_failed'],
      '"path":"when","message":"is not a known field"',
    ],
    [
      'in a body that is a list',
      '[{"payload":{}}]',
      [400, 'validation_failed'],
      '"path":"","message":"must be a JSON object"',
    ],
    [
      'in a body over jobs.max_payload_bytes',
      `{"payload":{"a":"${'x'.repeat(MAX_PAYLOAD)}"}}`,
      [413, 'payload_too_large'],
      'larger than',
    ],
  ])('%s is refused as for a trigger', async (_what, body, expected, said) => {
    const before = await lastAudit();
    const [retried, triggered] = [
      await send('POST', `/jobs/v1/runs/${ended.id}/retry`, body),
      await send('POST', '/jobs/v1/jobs/returns/trigger', body),
    ];
    const refusalOf = ({ text }: RawAnswer): Refusal['error'] => (JSON.parse(text) as Refusal).error;
    const { code, message, details } = refusalOf(retried);
    expect([retried.status, code]).toEqual(expected);
    expect(retried.text).toContain(said);
    expect(refusalOf(triggered)).toMatchObject({ code, message, ...(details && { details }) });
    expect(await lastAudit()).toEqual(before);
  });

  it('gives the same run for the same Idempotency-Key, and audits it once', async () => {
    const keyed = owner.client.with({ 'Idempotency-Key': 'once' });
    const path = `/jobs/v1/runs/${ended.id}/retry`;
    const body = { payload: { by: 'a key' } };
    const answers = await Promise.all([1, 2, 3, 4].map(() => keyed.post<RunBody>(path, body)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(new Set(answers.map(({ body: run }) => run.id)).size).toBe(1);
    const audited = (await jobAuditOf(program.database, owner.orgId)).filter(
      ({ details }) => (details as { retry?: string }).retry === answers[0]?.body.id,
    );
    expect(audited).toHaveLength(1);
    const other = await keyed.post(path, { payload: { by: 'another' } });
    expect([other.status, other.body]).toMatchObject([409, { error: { code: 'idempotency_mismatch' } }]);
    const asTrigger = await keyed.post('/jobs/v1/jobs/returns/trigger', body);
    expect(asTrigger.status).toBe(409);
    const unreadable = await owner.client.with({ 'Idempotency-Key': 'é' }).post(path, body);
    expect(unreadable.status).toBe(400);
  });

  it('needs the permission that a trigger needs', async () => {
    const statusesWith = async (permissions: string[]): Promise<number[]> => {
      const { key } = await makeKey(owner.client, owner.slug, permissions);
      const client = new Client(program.url).as(key);
      const body = { payload: { by: 'a key' } };
      const answers = [
        await client.post(`/jobs/v1/runs/${ended.id}/retry`, body),
        await client.post('/jobs/v1/jobs/returns/trigger', body),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await statusesWith(['jobs:jobs:read', 'jobs:jobs:write', 'jobs:runs:*'])).toEqual([403, 403]);
    expect(await statusesWith(['jobs:jobs:trigger'])).toEqual([202, 202]);
  });
});
