import { signUpOwner } from '../../support/client.js';
import type { Client, RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';

const FAULTY = {
  crash: `export default async () => { setTimeout(() => { throw new Error('late'); }); await new Promise(() => {}); };`,
  exit: 'export default () => process.exit(7);',
  syntax: 'export default () => {',
  arrays: 'export default () => { const kept = []; for (;;) kept.push(new Array(1e5).fill({})); };',
  buffer:
    'export default async () => { globalThis.kept = Buffer.alloc(2 ** 30, 1); await new Promise(() => {}); };',
  hang: 'export default () => { for (;;); };',
  loading: 'await new Promise((resolve) => setTimeout(resolve, 5000)); export default () => new Response();',
};

describe('a function of the local folder', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let client: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    for (const [name, source] of Object.entries(FAULTY)) await environment.deploy(name, source);
    await environment.deploy('sound', 'export default () => Response.json({ sound: true })');
    service = await ServiceProcess.start({ ...environment.variables, SERVICE_JOBS__WORKER_COUNT: '10' });
    ({ client } = await signUpOwner(service.url ?? ''));
    const jobs = Object.keys(FAULTY).map((name) => [name, { timeout_ms: 30_000 }] as const);
    await registerJobs(client, {
      ...Object.fromEntries(jobs),
      hang: { timeout_ms: 1500 },
      loading: { timeout_ms: 500 },
      sound: {},
      edited: { handler: 'sound' },
    });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function run(jobId: string): Promise<RunBody> {
    return await endedRun(client, (await trigger(client, jobId)).id, 45_000);
  }

  it.each([
    ['crash', 'handler_error', /^function crashed: Error: late/],
    ['exit', 'handler_error', /^function exited \(code 7\)/],
    ['syntax', 'handler_error', /syntax.*SyntaxError/s],
    ['arrays', 'handler_error', /^function ran out of memory/],
    ['buffer', 'handler_error', /^function ran out of memory/],
    ['hang', 'timeout', /^no complete answer within 1500 ms/],
  ])('that fails by %s harms no other, and its run says %s and why', async (jobId, code, message) => {
    const [failed, sound] = await Promise.all([run(jobId), run('sound')]);
    expect(failed).toMatchObject({ status: 'failed', attempt: 1, error: { code } });
    expect(failed.error?.message).toMatch(message);
    expect(failed.attempts[0]?.error).toBe(failed.error?.message);
    expect(sound).toMatchObject({ status: 'completed', attempt: 1, result: { sound: true } });
  });

  it('has timeout_ms for its loading and its work together', async () => {
    const failed = await run('loading');
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(failed.error?.message).toBe('no complete answer within 500 ms');
    // Less than the loading alone takes.
    expect(failed.duration_ms).toBeLessThan(4500);
  });

  it('takes effect as it is edited, without a restart', async () => {
    await environment.deploy('sound', 'export default () => Response.json({ edited: true })');
    expect(await run('sound')).toMatchObject({ status: 'completed', result: { edited: true } });
    await environment.deploy('sound', 'export default () => {');
    expect(await run('sound')).toMatchObject({ status: 'failed', error: { code: 'handler_error' } });
    await environment.deploy('sound', 'export default () => Response.json({ mended: true })');
    expect(await run('sound')).toMatchObject({ status: 'completed', result: { mended: true } });
  });
});
