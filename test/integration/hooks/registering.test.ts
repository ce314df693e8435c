import { signUpOwner } from '../../support/client.js';
import { itInOrganizations } from '../../support/profile.js';
import type { Answer } from '../../support/client.js';
import { FALLBACK, hexOf, HookGround, webhook } from './hook-ground.js';

function outcomeOf({ status, body }: Answer<unknown>): [number, string | undefined, string[]] {
  const { error } = body as { error?: { code: string; details?: { path: string }[] } };
  return [status, error?.code, (error?.details ?? []).map(({ path }) => path)];
}

function job(id: string, ...triggers: unknown[]): Record<string, unknown> {
  return { id, name: id, handler: 'hooked', triggers };
}

describe('registering a webhook', () => {
  let ground: HookGround;

  beforeAll(async () => {
    ground = await HookGround.prepare({ SERVICE_ROLE: 'api' });
  });

  afterAll(async () => {
    await ground.dispose();
  });

  const AT = 'jobs[0].triggers[0].verify';
  it.each([
    ['no verify', { verify: undefined }, AT],
    ['a literal secret', { verify: { type: 'hmac', header: 'X-S', secret: 'literal' } }, `${AT}.secret`],
    ['a reference to nothing', { verify: { type: 'hmac', header: 'X-S', secret: 'vault:' } }, `${AT}.secret`],
    [
      'a reference that climbs',
      { verify: { type: 'hmac', header: 'X-S', secret: 'vault:a/../b' } },
      `${AT}.secret`,
    ],
    ['no secret, when the deployment has none', { verify: { type: 'hmac', header: 'X-S' } }, `${AT}.secret`],
    ['no header in the plain format', { verify: { type: 'hmac', secret: 'vault:hook' } }, `${AT}.header`],
    [
      'another type than hmac',
      { verify: { type: 'none', header: 'X-S', secret: 'vault:hook' } },
      `${AT}.type`,
    ],
    [
      'an algorithm that the format does not have',
      { verify: { type: 'hmac', format: 'stripe', algorithm: 'sha1', secret: 'vault:hook' } },
      `${AT}.algorithm`,
    ],
    [
      'an unknown format',
      { verify: { type: 'hmac', format: 'bitbucket', header: 'X-S', secret: 'vault:hook' } },
      `${AT}.format`,
    ],
    ['a path elsewhere', { path: '/elsewhere/x' }, 'jobs[0].triggers[0].path'],
    ['a method that no hook takes', { method: 'TRACE' }, 'jobs[0].triggers[0].method'],
  ])('refuses %s with 400 and its path', async (_what, change, path) => {
    const refused = await ground.register([job('faulty', { ...webhook('faulty'), ...change })]);
    expect(outcomeOf(refused)).toEqual([400, 'validation_failed', [path]]);
    expect((await ground.callSigned('faulty', '{}')).status).toBe(404);
  });

  it.each(['github', 'stripe', 'slack', 'standard'])(
    'needs no header for the format %s, which fixes it',
    async (format) => {
      await expect(ground.hook({ format })).resolves.toMatch(/^h-/);
    },
  );

  it('accepts a different header name for a format', async () => {
    const name = await ground.hook({ format: 'github', header: 'X-Forge-Signature' });
    const accepted = await ground.call(name, { 'x-forge-signature': `sha256=${hexOf('{}')}` }, '{}');
    expect(accepted.status).toBe(202);
  });

  it('accepts a secret that does not exist yet and uses it once it does', async () => {
    const name = await ground.hook({ secret: 'vault:later' });
    const signed = { 'x-signature': hexOf('{}', 'set later') };
    expect((await ground.call(name, signed, '{}')).status).toBe(401);
    await ground.setSecret('later', 'set later');
    expect((await ground.call(name, signed, '{}')).status).toBe(202);
  });

  it('refuses a path that occurs twice in a manifest with 400, in one job or in two', async () => {
    for (const jobs of [
      [job('one', webhook('twice')), job('two', webhook('twice'))],
      [job('one', webhook('twice'), webhook('twice', {}, { method: 'PUT' }))],
    ]) {
      const [status, code, paths] = outcomeOf(await ground.register(jobs));
      expect([status, code]).toEqual([400, 'validation_failed']);
      expect(paths).toEqual([jobs.length === 2 ? 'jobs[1].triggers[0].path' : 'jobs[0].triggers[1].path']);
    }
  });

  itInOrganizations(
    'refuses the path of another job with 409, of its own tenant and of another, and registers nothing',
    async () => {
      const name = await ground.hook();
      const taken = [409, 'hook_path_taken', ['jobs[1].triggers[0].path']];
      const wanted = [job('fresh', webhook(`fresh-${name}`)), job('second', webhook(name))];
      expect(outcomeOf(await ground.register(wanted))).toEqual(taken);
      const other = await signUpOwner(ground.service.url);
      expect(outcomeOf(await ground.register(wanted, other.client))).toEqual(taken);
      expect((await ground.callSigned(`fresh-${name}`, '{}')).status).toBe(404);
      expect((await ground.callSigned(name, '{}')).status).toBe(202);
    },
  );

  itInOrganizations('gives a path to one of any number of tenants that want it at once', async () => {
    const owners = [];
    for (let count = 0; count < 4; count += 1) owners.push(await signUpOwner(ground.service.url));
    const names = ['contended-a', 'contended-b', 'contended-c'];
    const answers = await Promise.all(
      owners.map(({ client }, index) => {
        const ordered = index % 2 === 0 ? names : names.toReversed();
        return ground.register([job('wants', ...ordered.map((name) => webhook(name)))], client);
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it('lets a path move from one job to another and frees it when its trigger is removed', async () => {
    const name = `moves-${Date.now()}`;
    await ground.register([job('from', webhook(name)), job('to')]);
    expect((await ground.register([job('from'), job('to', webhook(name))])).status).toBe(200);
    const { runId } = await ground.callSigned(name, '{}');
    expect(await ground.runsOf('to')).toEqual([runId]);
    await ground.register([job('to')]);
    expect((await ground.callSigned(name, '{}')).status).toBe(404);
    const other = await signUpOwner(ground.service.url);
    expect((await ground.register([job('theirs', webhook(name))], other.client)).status).toBe(200);
  });

  it('applies a change of the trigger', async () => {
    const name = await ground.hook();
    expect((await ground.callSigned(name, '{}')).status).toBe(202);
    await ground.register([job(name, webhook(name, { algorithm: 'sha512' }, { method: 'PUT' }))]);
    expect((await ground.callSigned(name, '{}')).status).toBe(405);
    const signature = { 'x-signature': hexOf('{}', undefined, 'sha512') };
    expect((await ground.call(name, signature, '{}', 'PUT')).status).toBe(202);
  });

  it('keeps a secret from being deleted while a trigger refers to it', async () => {
    await ground.setSecret('named', 'x');
    const name = await ground.hook({ secret: 'vault:named' });
    const remove = async (): Promise<Answer<unknown>> =>
      await ground.client.send('DELETE', '/vault/v1/secrets/named');
    expect(outcomeOf(await remove()).slice(0, 2)).toEqual([409, 'secret_in_use']);
    const other = await signUpOwner(ground.service.url);
    await other.client.send('PUT', '/vault/v1/secrets/named', { value: 'theirs' });
    expect((await other.client.send('DELETE', '/vault/v1/secrets/named')).status).toBe(204);
    await ground.register([job(name)]);
    expect((await remove()).status).toBe(204);
  });
});

describe('a deployment with jobs.webhook_secret', () => {
  let ground: HookGround;

  beforeAll(async () => {
    ground = await HookGround.prepare({ SERVICE_ROLE: 'api', SERVICE_JOBS__WEBHOOK_SECRET: FALLBACK });
  });

  afterAll(async () => {
    await ground.dispose();
  });

  it('verifies with it only the hooks whose triggers name no secret', async () => {
    const without = await ground.hook({ secret: undefined });
    const having = await ground.hook();
    const orphan = await ground.hook({ secret: 'vault:absent' });
    const statuses = async (name: string): Promise<number[]> => [
      (await ground.call(name, { 'x-signature': hexOf('{}', FALLBACK) }, '{}')).status,
      (await ground.call(name, { 'x-signature': hexOf('{}') }, '{}')).status,
    ];
    expect(await statuses(without)).toEqual([202, 401]);
    expect(await statuses(having)).toEqual([401, 202]);
    expect(await statuses(orphan)).toEqual([401, 401]);
  });
});
