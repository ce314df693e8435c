import { answer } from '../../support/handler-server.js';
import { endedRun } from '../../support/runs.js';
import type { RunBody } from '../../support/client.js';
import { until } from '../../support/until.js';
import { hexOf, HookGround, webhook } from './hook-ground.js';

type ShownRun = RunBody & { trigger: { type: string; headers?: Record<string, string> } };

const AT = 'jobs[0].triggers[0].forward_headers';
const OURS = 'x-service-webhook-';

describe('headers of a webhook that a hook forwards', () => {
  let ground: HookGround;

  beforeAll(async () => {
    ground = await HookGround.prepare();
  });

  afterAll(async () => {
    await ground.dispose();
  });

  async function problemsOf(names: unknown, verify: Record<string, unknown> = {}): Promise<string[]> {
    const trigger = { ...webhook('faulty', verify), forward_headers: names };
    const { status, body } = await ground.register([
      { id: 'faulty', name: 'faulty', handler: 'hooked', triggers: [trigger] },
    ]);
    expect(status).toBe(400);
    const { error } = body as { error: { details: { path: string }[] } };
    return error.details.map(({ path }) => path);
  }

  function forwarded(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        name.startsWith(OURS) ? [[name.slice(OURS.length), value]] : [],
      ),
    );
  }

  /** Calls the hook with these headers, and gives those that each call of its handler had. */
  async function carried(
    name: string,
    headers: Record<string, string>,
  ): Promise<{ run: ShownRun; calls: unknown[] }> {
    const { status, runId } = await ground.call(name, { 'X-Signature': hexOf('{}'), ...headers }, '{}');
    expect(status).toBe(202);
    await endedRun(ground.client, runId);
    const { body: run } = await ground.client.get<ShownRun>(`/jobs/v1/runs/${runId}`);
    return { run, calls: ground.handlers.callsOf(runId).map((call) => forwarded(call.headers)) };
  }

  it.each([
    ['no list', 'x-event', AT],
    ['more than 20', Array.from({ length: 21 }, (_none, n) => `x-${n}`), AT],
    ['what is no name', ['x-event', 'x event'], `${AT}[1]`],
    ['an empty name', [''], `${AT}[0]`],
    ['a list for a name', ['x-event', [1]], `${AT}[1]`],
    ['an object for a name', [{ toString: 'x' }], `${AT}[0]`],
    ['a name that begins another header', ['x-a\r\nauthorization'], `${AT}[0]`],
    ['a name twice in another case', ['X-Event', 'x-event'], `${AT}[1]`],
    ...[
      'Authorization',
      'proxy-authorization',
      'passwd',
      'x-jwt',
      'x-session',
      'x-private-key',
      'Proxy-Connection',
      'Cookie',
      'Set-Cookie',
      'apikey',
      'X-Api-Key',
      'X-Gitlab-Token',
      'x-auth-token',
      'X-Hub-Signature-256',
      'stripe-signature',
      'webhook-signature',
    ].map((name): [string, unknown, string] => [`the credential ${name}`, ['x-ok', name], `${AT}[1]`]),
    ['the header of its signature', ['x-signature'], `${AT}[0]`],
  ])('may not be %s', async (_what, names, path) => {
    expect(await problemsOf(names)).toEqual([path]);
  });

  it('may not be the header that the trigger names for its signature, whatever that is called', async () => {
    expect(await problemsOf(['X-Proof-Of-Origin'], { header: 'x-proof-of-origin' })).toEqual([`${AT}[0]`]);
  });

  it('reach the handler under a prefix if they are ASCII, in every attempt and in a retry, and stand with the run', async () => {
    ground.handlers.on('hooked', (response, nth, call) => {
      answer(nth === 1 ? 500 : 422, {})(response, nth, call);
    });
    const retry = {
      retries: 1,
      retry_backoff: { type: 'exponential', initial_ms: 0, max_ms: 0, multiplier: 1 },
    };
    const name = await ground.hook(
      {},
      { forward_headers: ['X-GitHub-Event', 'X-Missing', 'x-latin'] },
      retry,
    );
    const { run, calls } = await carried(name, {
      'x-github-event': 'push',
      'x-latin': 'caf\u00e9',
      'x-other': 'not named',
      [`${OURS}x-missing`]: 'forged',
      'x-service-run-id': 'forged',
    });
    const expected = { 'x-github-event': 'push' };
    expect(calls).toEqual([expected, expected]);
    expect(run.trigger.headers).toEqual(expected);
    const { body: listed } = await ground.client.get<ShownRun[]>(`/jobs/v1/runs?job_id=${name}`);
    expect(listed[0]?.trigger).not.toHaveProperty('headers');
    const { body: again } = await ground.client.post<RunBody>(`/jobs/v1/runs/${run.id}/retry`);
    await until(() => ground.handlers.callsOf(again.id).length > 0);
    expect(forwarded(ground.handlers.callsOf(again.id)[0]?.headers ?? {})).toEqual(expected);
    ground.handlers.on('hooked', answer(200, {}));
  });

  it('are left out where they are larger than 8 KiB together, and the others are kept', async () => {
    const name = await ground.hook({}, { forward_headers: ['x-first', 'x-large', 'x-last'] });
    const { calls } = await carried(name, {
      'x-first': 'a'.repeat(4_000),
      'x-large': 'b'.repeat(5_000),
      'x-last': 'c'.repeat(1_000),
    });
    expect(calls).toEqual([{ 'x-first': 'a'.repeat(4_000), 'x-last': 'c'.repeat(1_000) }]);
  });

  it('are none of a hook that names none', async () => {
    const { run, calls } = await carried(await ground.hook(), { 'x-github-event': 'push' });
    expect(calls).toEqual([{}]);
    expect(run.trigger).not.toHaveProperty('headers');
  });
});
