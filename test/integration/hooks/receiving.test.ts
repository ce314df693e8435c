import { fetch } from '../../support/fetch.js';
import { signUpOwner } from '../../support/client.js';
import { authEvents } from '../../support/metrics.js';
import { addressOf } from '../../support/profile.js';
import { showRun } from '../../support/runs.js';
import {
  githubHeaders,
  slackHeaders,
  STANDARD_SECRET,
  standardHeadersOf,
  stripeHeaders,
} from '../../support/provider-signatures.js';
import type { SigningProvider } from '../../support/provider-signatures.js';
import { until } from '../../support/until.js';
import { connect } from '../data-events/watched.js';
import { HookGround, hexOf, SECRET, webhook } from './hook-ground.js';

const FORM = 'application/x-www-form-urlencoded';
const TRACE_PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a hook', () => {
  let ground: HookGround;

  beforeAll(async () => {
    ground = await HookGround.prepare({ SERVICE_JOBS__MAX_PAYLOAD_BYTES: '2000' });
  });

  afterAll(async () => {
    await ground.dispose();
  });

  it('answers a signed call with 202 and the id of the run that the handler gets', async () => {
    const name = await ground.hook();
    const accepted = await ground.callSigned(name, '{"order":7}', { traceparent: TRACE_PARENT });
    expect([accepted.status, accepted.text]).toEqual([202, JSON.stringify({ run_id: accepted.runId })]);
    expect(await ground.bodyOf(accepted.runId)).toBe('{"order":7}');
    const [call] = ground.handlers.callsOf(accepted.runId);
    expect(call?.headers).toMatchObject({
      'x-service-trigger': 'webhook',
      'x-service-actor': `hook:/hooks/${name}`,
      traceparent: TRACE_PARENT,
    });
    const run = (await showRun(ground.client, accepted.runId)) as unknown as Record<string, unknown>;
    expect(run).toMatchObject({
      job_id: name,
      payload: { order: 7 },
      trigger: { type: 'webhook', path: `/hooks/${name}`, method: 'POST' },
      scheduled_for: null,
    });
  });

  const PROVIDERS: readonly [string, SigningProvider, string][] = [
    ['github', githubHeaders, SECRET],
    ['stripe', stripeHeaders, SECRET],
    ['slack', slackHeaders, SECRET],
    ['standard', standardHeadersOf('msg_1'), STANDARD_SECRET],
  ];

  it.each(PROVIDERS)(
    'takes what the provider’s own library signs as %s, and nothing altered, late or early',
    async (format, headersOf, secret) => {
      await ground.setSecret(`of-${format}`, secret);
      const name = await ground.hook({ format, secret: `vault:of-${format}`, tolerance_secs: 60 });
      const body = '{"id":"evt_1","object":"event"}';
      const seconds = (offset: number): Date => new Date(Date.now() + offset * 1000);
      const good = await headersOf(secret, body, seconds(0));
      expect((await ground.call(name, good, body.replace('1', '2'))).code).toBe('invalid_signature');
      const accepted = await ground.call(name, good, body);
      expect(accepted.status).toBe(202);
      expect(await ground.bodyOf(accepted.runId)).toBe(body);
      if (format === 'github') return;
      for (const offset of [-120, 120]) {
        const moved = await headersOf(secret, body, seconds(offset));
        expect([offset, (await ground.call(name, moved, body)).code]).toEqual([offset, 'invalid_signature']);
      }
    },
  );

  it('keeps when and why its last call was refused, for who may read the job', async () => {
    const name = await ground.hook();
    const state = async (): Promise<unknown> =>
      (await ground.client.get(`/jobs/v1/jobs/${name}/webhooks`)).body;
    const known = { path: `/hooks/${name}`, method: 'POST' };
    expect(await state()).toEqual([{ ...known, refused_at: null, refused_code: null }]);
    expect((await ground.callSigned(name, '{}')).status).toBe(202);
    expect(await state()).toEqual([{ ...known, refused_at: null, refused_code: null }]);

    expect((await ground.call(name, { 'x-signature': hexOf('{}', 'another') }, '{}')).status).toBe(401);
    const [refused] = (await state()) as [{ refused_at: string }];
    expect(refused).toEqual({ ...known, refused_at: expect.any(String), refused_code: 'invalid_signature' });
    // Soon after a noted one, no further call writes.
    await ground.environment.database.query(
      `UPDATE hooks SET refused_at = now() + interval '1 hour' WHERE name = $1`,
      [name],
    );
    expect((await ground.callSigned(name, '{')).code).toBe('invalid_json');
    expect(await state()).toEqual([expect.objectContaining({ refused_code: 'invalid_signature' })]);
    const age = `UPDATE hooks SET refused_at = now() - interval '1 hour' WHERE name = $1`;
    await ground.environment.database.query(age, [name]);
    expect((await ground.callSigned(name, '{')).code).toBe('invalid_json');
    expect(await state()).toEqual([expect.objectContaining({ refused_code: 'invalid_json' })]);
    // A pause leaves it; so does a caller who wants the answer while somebody else changes the hook.
    for (const paused of [true, false])
      await ground.client.send('PATCH', `/jobs/v1/jobs/${name}`, { paused });
    expect(await state()).toEqual([expect.objectContaining({ refused_code: 'invalid_json' })]);
    await ground.environment.database.query(age, [name]);
    const changing = await connect(ground.environment.database.url);
    try {
      await changing.query('BEGIN');
      await changing.query(`UPDATE hooks SET refused_at = NULL, refused_code = NULL WHERE name = $1`, [name]);
      expect((await ground.call(name, {}, undefined, 'GET')).status).toBe(405);
    } finally {
      await changing.end();
    }
    expect(await state()).toEqual([expect.objectContaining({ refused_code: 'invalid_json' })]);

    // Another job that takes the path over begins anew.
    const other = `${name}-other`;
    const jobs = [
      { id: name, name, handler: 'hooked' },
      { id: other, name: other, handler: 'hooked', triggers: [webhook(name)] },
    ];
    expect((await ground.register(jobs)).status).toBe(200);
    expect(await state()).toEqual([]);
    expect((await ground.client.get(`/jobs/v1/jobs/${other}/webhooks`)).body).toEqual([
      { ...known, refused_at: null, refused_code: null },
    ]);

    const stranger = await signUpOwner(ground.service.url);
    expect((await stranger.client.get(`/jobs/v1/jobs/${name}/webhooks`)).status).toBe(404);
  });

  it('refuses every call that cannot be verified with the same response', async () => {
    const name = await ground.hook();
    const orphan = await ground.hook({ secret: 'vault:absent' });
    const standard = await ground.hook({ format: 'standard' });
    const body = '{}';
    const refusals = (): Promise<number> =>
      authEvents(ground.client, 'hook_signature_check', 'invalid_signature');
    const before = await refusals();
    const refused = [
      await ground.call(name, {}, body),
      await ground.call(name, { 'x-signature': '' }, body),
      await ground.call(name, { 'x-signature': 'junk' }, body),
      await ground.call(name, { 'x-signature': hexOf('{} ') }, body),
      await ground.call(name, { 'x-signature': hexOf(body, 'another secret') }, body),
      await ground.call(name, { 'x-signature': hexOf(body) }, 'not {} and no JSON'),
      await ground.call(orphan, { 'x-signature': hexOf(body) }, body),
      await ground.call(standard, { 'webhook-signature': `v1,${hexOf(body)}` }, body),
    ];
    const [first] = refused;
    expect([first?.status, first?.code]).toEqual([401, 'invalid_signature']);
    const shown = refused.map(({ status, text, headers }) => [
      status,
      text,
      [...headers].filter(([header]) => !['date', 'x-request-id'].includes(header)),
    ]);
    expect(shown).toEqual(refused.map(() => shown[0]));
    expect(await refusals()).toBe(before + refused.length);
    expect(await ground.runsOf(name)).toEqual([]);
  });

  it('does the same work for a missing secret as for a wrong one', async () => {
    const wrong = await ground.hook();
    const missing = await ground.hook({ secret: 'vault:absent' });
    const statementsOf = async (name: string): Promise<number> => {
      const statements = await ground.service.statementsOf(async () => {
        await ground.call(name, { 'x-signature': hexOf('{}', 'x') }, '{}');
      });
      return statements.filter((sql) => /\b(?:hooks|vault_secrets)\b/.test(sql)).length;
    };
    expect(await statementsOf(missing)).toBe(await statementsOf(wrong));
  });

  it('accepts a rotated secret at once and no longer accepts the old one', async () => {
    await ground.setSecret('rotating', 'old');
    const name = await ground.hook({ secret: 'vault:rotating' });
    const statusUnder = async (secret: string): Promise<number> =>
      (await ground.call(name, { 'x-signature': hexOf('{}', secret) }, '{}')).status;
    expect([await statusUnder('old'), await statusUnder('new')]).toEqual([202, 401]);
    await ground.setSecret('rotating', 'new');
    expect([await statusUnder('old'), await statusUnder('new')]).toEqual([401, 202]);
  });

  it.each([
    '{"n":12345678901234567890,"m":1.10,"e":1e400}',
    '[1, 2]',
    '"text"',
    '5',
    'null',
    ' { "a" : "\\u0000\\ud800" } ',
  ])('hands the JSON %s to the handler character by character', async (body) => {
    const { runId, status } = await ground.callSigned(await ground.hook(), body);
    expect(status).toBe(202);
    expect(await ground.bodyOf(runId)).toBe(body);
  });

  it('passes a form to the handler as an object of its fields, with a list for a repeated field', async () => {
    const body = 'command=%2Fdeploy&text=Gr%C3%BC%C3%9Fe+an+alle&a=1&a=2&__proto__=x';
    const { runId } = await ground.callSigned(await ground.hook(), body, {
      'content-type': `${FORM}; charset=utf-8`,
    });
    expect(await ground.bodyOf(runId)).toBe(
      '{"command":"/deploy","text":"Grüße an alle","a":["1","2"],"__proto__":"x"}',
    );
  });

  it('decodes a form by its charset, and refuses the field of one that is none of UTF-8 without one', async () => {
    const name = await ground.hook();
    const named = await ground.callSigned(name, 'name=Ren%E9', {
      'content-type': `${FORM}; charset=windows-1252`,
    });
    expect(await ground.bodyOf(named.runId)).toBe('{"name":"René"}');
    const body = 'name=Ren%E9';
    const answer = await ground.call(name, { 'x-signature': hexOf(body), 'content-type': FORM }, body);
    expect([answer.status, answer.code]).toEqual([400, 'invalid_json']);
  });

  it('passes the query of a GET, or of a call without a body, to the handler as an object', async () => {
    const byGet = await ground.hook({}, { method: 'GET' });
    const got = await ground.call(`${byGet}?a=1&b=x%20y`, { 'x-signature': hexOf('') }, undefined, 'GET');
    expect(await ground.bodyOf(got.runId)).toBe('{"a":"1","b":"x y"}');
    const byPost = await ground.hook();
    const posted = await ground.callSigned(`${byPost}?c=3`, '');
    expect(await ground.bodyOf(posted.runId)).toBe('{"c":"3"}');
    const bare = await ground.callSigned(byPost, '');
    expect(await ground.bodyOf(bare.runId)).toBe('{}');
  });

  it.each([
    ['text', 'hello', 'text/plain'],
    ['XML', '<a/>', 'application/xml'],
    ['broken JSON', '{"a":', 'application/json'],
    ['a form that is said to be JSON', 'a=1', 'application/json'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json'],
    ['JSON of 101 levels', '['.repeat(101) + ']'.repeat(101), 'application/json'],
  ])('refuses %s with 400', async (_what, body, type) => {
    const name = await ground.hook();
    const answer = await ground.call(name, { 'x-signature': hexOf(body), 'content-type': type }, body);
    expect([answer.status, answer.code]).toEqual([400, 'invalid_json']);
    expect(await ground.runsOf(name)).toEqual([]);
  });

  it.each([undefined, 'text/plain', 'nonsense', 'application/x-service-raw'])(
    'verifies and takes JSON whatever its type is said to be: %s',
    async (type) => {
      const body = Buffer.from('{"a":1}');
      const headers = { 'x-signature': hexOf(body), ...(type === undefined ? {} : { 'content-type': type }) };
      expect((await ground.call(await ground.hook(), headers, body)).status).toBe(202);
    },
  );

  it('does not change how bodies of other routes are read', async () => {
    const { status } = await ground.client
      .with({ 'content-type': 'application/x-service-raw' })
      .send('POST', '/jobs/v1/jobs', { jobs: [] });
    expect(status).toBe(415);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'takes calls by the method of its trigger: %s',
    async (method) => {
      const name = await ground.hook({}, { method });
      const body = method === 'GET' ? undefined : '{"a":1}';
      const headers = { 'x-signature': hexOf(body ?? '') };
      expect((await ground.call(name, headers, body, method)).status).toBe(202);
      const other = method === 'POST' ? 'PUT' : 'POST';
      const refused = await ground.call(name, headers, '{"a":1}', other);
      expect([refused.status, refused.code, refused.headers.get('allow')]).toEqual([
        405,
        'method_not_allowed',
        method,
      ]);
    },
  );

  it('is not triggered by HEAD when its method is GET', async () => {
    const name = await ground.hook({}, { method: 'GET' });
    const { status, headers } = await fetch(`${ground.service.url}/jobs/v1/hooks/${name}`, {
      method: 'HEAD',
      headers: { ...addressOf(ground.slug), 'x-signature': hexOf('') },
    });
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
    expect(await ground.runsOf(name)).toEqual([]);
  });

  it('answers 404 for a name that no trigger has', async () => {
    for (const name of ['nobody', 'a%00b', '%2e', 'x'.repeat(200)]) {
      const answer = await ground.callSigned(name, '{}');
      expect([name, answer.status]).toEqual([name, name === 'a%00b' ? 400 : 404]);
    }
    expect((await ground.callSigned('nobody', '{}')).code).toBe('hook_not_found');
  });

  it('accepts bodies up to jobs.max_payload_bytes and refuses larger ones with 413', async () => {
    const name = await ground.hook();
    const bodyOf = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;
    expect((await ground.callSigned(name, bodyOf(2000))).status).toBe(202);
    const refused = await ground.callSigned(name, bodyOf(2001));
    expect([refused.status, refused.code]).toEqual([413, 'payload_too_large']);
  });

  it('of a paused job answers 409, but only to signed calls', async () => {
    const name = await ground.hook({}, {}, { paused: true });
    const signed = await ground.callSigned(name, '{}', { 'webhook-id': 'while-paused' });
    expect([signed.status, signed.code]).toEqual([409, 'job_paused']);
    expect((await ground.call(name, {}, '{}')).status).toBe(401);
    expect(await ground.runsOf(name)).toEqual([]);
    // What was refused is not remembered as delivered.
    const job = { id: name, name, handler: 'hooked', triggers: [webhook(name)], paused: false };
    expect((await ground.register([job])).status).toBe(200);
    expect((await ground.callSigned(name, '{}', { 'webhook-id': 'while-paused' })).status).toBe(202);
  });

  it('is deleted with its job', async () => {
    const name = await ground.hook();
    await ground.environment.database.query('DELETE FROM jobs WHERE id = $1', [name]);
    expect((await ground.callSigned(name, '{}')).code).toBe('hook_not_found');
  });

  it('needs no credentials and ignores those that a call has', async () => {
    const name = await ground.hook();
    expect((await ground.callSigned(name, '{}', { authorization: 'Bearer nonsense' })).status).toBe(202);
    await until(async () => (await ground.runsOf(name)).length === 1);
  });
});
