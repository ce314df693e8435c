import { DeliveryPruning } from '../../../src/jobs/index.js';
import { STANDARD_SECRET, standardHeadersOf, stripeHeaders } from '../../support/provider-signatures.js';
import { HookGround, hexOf, SECRET } from './hook-ground.js';

describe('a redelivery', () => {
  let ground: HookGround;

  beforeAll(async () => {
    ground = await HookGround.prepare();
    await ground.setSecret('standard', STANDARD_SECRET);
  });

  afterAll(async () => {
    await ground.dispose();
  });

  async function age(hook: string, hours: number): Promise<void> {
    await ground.environment.database.query(
      `UPDATE hook_deliveries SET received_at = now() - make_interval(secs => 3600 * $2::float8) WHERE hook = $1`,
      [hook, hours],
    );
  }

  it('with the same webhook-id answers 202 with the id of the first run, although body and time differ', async () => {
    const name = await ground.hook({ format: 'standard', secret: 'vault:standard' });
    const deliver = async (id: string, body: string, at = new Date()): Promise<string> => {
      const answer = await ground.call(name, await standardHeadersOf(id)(STANDARD_SECRET, body, at), body);
      expect(answer.status).toBe(202);
      return answer.runId;
    };
    const first = await deliver('msg_1', '{"try":1}');
    const earlier = new Date(Date.now() - 5000);
    expect(await deliver('msg_1', '{"try":2}', earlier)).toBe(first);
    expect(await deliver('msg_2', '{"try":1}')).not.toBe(first);
    expect(await ground.runsOf(name)).toHaveLength(2);
  });

  it('is recognized by X-GitHub-Delivery', async () => {
    const name = await ground.hook({ format: 'github' });
    const deliver = async (id: string): Promise<string> => {
      const headers = { 'x-hub-signature-256': `sha256=${hexOf('{}')}`, 'x-github-delivery': id };
      return (await ground.call(name, headers, '{}')).runId;
    };
    const first = await deliver('one');
    expect([await deliver('one'), await deliver('two')]).toEqual([first, expect.not.stringMatching(first)]);
  });

  it('is recognized by the Idempotency-Key of GitLab', async () => {
    const name = await ground.hook({ format: 'gitlab' });
    const deliver = async (id: string): Promise<string> => {
      const headers = { 'x-gitlab-token': SECRET, 'idempotency-key': id };
      return (await ground.call(name, headers, '{}')).runId;
    };
    const first = await deliver('one');
    expect([await deliver('one'), await deliver('two')]).toEqual([first, expect.not.stringMatching(first)]);
  });

  it('of what joined a waiting run is answered with that run', async () => {
    const name = await ground.hook({ format: 'gitlab' }, {}, { debounce: { period_ms: 3_600_000 } });
    const deliver = async (id: string): Promise<string> => {
      const headers = { 'x-gitlab-token': SECRET, 'idempotency-key': id };
      return (await ground.call(name, headers, '{}')).runId;
    };
    const first = await deliver('one');
    expect([await deliver('two'), await deliver('two'), await deliver('one')]).toEqual([first, first, first]);
    expect(await ground.runsOf(name)).toEqual([first]);
  });

  it('is recognized by the id of a Stripe event', async () => {
    const name = await ground.hook({ format: 'stripe' });
    const deliver = async (body: string, ageSecs = 0): Promise<string> => {
      const at = new Date(Date.now() - ageSecs * 1000);
      return (await ground.call(name, await stripeHeaders(SECRET, body, at), body)).runId;
    };
    const first = await deliver('{"id":"evt_1","n":1}');
    expect(await deliver('{"id":"evt_1","n":1}', 10)).toBe(first);
    expect(await deliver('{"id":"evt_2","n":1}')).not.toBe(first);
    const unnamed = await deliver('{"n":1}');
    expect(await deliver('{"n":1}')).not.toBe(unnamed);
  });

  it('is recognized only by the header that verify.id_header names, if that is set', async () => {
    const name = await ground.hook({ id_header: 'X-Event-Id' });
    const deliver = async (headers: Record<string, string>): Promise<string> =>
      (await ground.callSigned(name, '{}', headers)).runId;
    const first = await deliver({ 'x-event-id': 'e1' });
    expect(await deliver({ 'x-event-id': 'e1', 'webhook-id': 'other' })).toBe(first);
    const byOther = await deliver({ 'webhook-id': 'same' });
    expect(await deliver({ 'webhook-id': 'same' })).not.toBe(byOther);
  });

  it('is not assumed without an id, because equal bodies can be two events', async () => {
    const name = await ground.hook();
    const first = await ground.callSigned(name, '{"same":true}');
    const second = await ground.callSigned(name, '{"same":true}');
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.runId).not.toBe(first.runId);
  });

  it('is not recognized at another hook', async () => {
    const [one, other] = [await ground.hook(), await ground.hook()];
    const ids = [
      (await ground.callSigned(one, '{}', { 'webhook-id': 'shared' })).runId,
      (await ground.callSigned(other, '{}', { 'webhook-id': 'shared' })).runId,
    ];
    expect(new Set(ids).size).toBe(2);
  });

  it('that arrives at the same time as the first delivery creates no second run', async () => {
    const name = await ground.hook();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ground.callSigned(name, '{}', { 'webhook-id': 'at-once' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    expect(await ground.runsOf(name)).toEqual([...new Set(answers.map(({ runId }) => runId))]);
  });

  it('is recognized for 24 hours; after that, the same id is a new delivery', async () => {
    const name = await ground.hook();
    const deliver = async (): Promise<string> =>
      (await ground.callSigned(name, '{}', { 'webhook-id': 'x'.repeat(4000) })).runId;
    const first = await deliver();
    await age(name, 23.99);
    expect(await deliver()).toBe(first);
    await age(name, 24.01);
    const second = await deliver();
    expect(second).not.toBe(first);
    expect(await deliver()).toBe(second);
  });

  it.each([
    ['webhook-id', { format: 'standard', secret: 'vault:standard' }],
    ['svix-id', { format: 'standard', secret: 'vault:standard', header: 'svix-signature' }],
    ['x-github-delivery', { format: 'github' }],
    ['idempotency-key', { format: 'gitlab' }],
    ['x-event-id', { id_header: 'X-Event-Id' }],
  ])('whose %s is not ASCII is refused, and told so', async (header, verify) => {
    const name = await ground.hook(verify);
    const refused = await ground.callSigned(name, '{}', { [header]: 'm\u00fcller' });
    expect([refused.status, refused.code]).toEqual([400, 'bad_request']);
    expect(refused.text).toContain(`The header ${header} has characters that are not ASCII.`);
    expect(await ground.runsOf(name)).toEqual([]);
  });

  it('must be signed like any other call', async () => {
    const name = await ground.hook();
    await ground.callSigned(name, '{}', { 'webhook-id': 'one' });
    const forged = await ground.call(name, { 'webhook-id': 'one', 'x-signature': hexOf('{}', 'no') }, '{}');
    expect(forged.status).toBe(401);
  });

  it('is forgotten after its time: old deliveries are deleted, recent ones are kept', async () => {
    const { database } = ground.environment;
    const name = await ground.hook();
    await ground.callSigned(name, '{}', { 'webhook-id': 'young' });
    await database.query(
      `INSERT INTO hook_deliveries SELECT tenant_id, 'old', sha256(n::text::bytea), run_id, now() - interval '25 hours'
       FROM hook_deliveries, generate_series(1, 5) n WHERE hook = $1`,
      [name],
    );
    await ground.service.application.get(DeliveryPruning).runOnce();
    expect(await database.query("SELECT FROM hook_deliveries WHERE hook = 'old'")).toEqual([]);
    expect(await database.query('SELECT FROM hook_deliveries WHERE hook = $1', [name])).toHaveLength(1);
  });
});
