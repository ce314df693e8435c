import { createClient } from '../../../client/src/index.js';
import type { OrganizationClient } from '../../../client/src/index.js';
import { verifyHandlerCall } from '../../../client/src/verify/index.js';
import type { HandlerCall } from '../../../client/src/verify/index.js';
import { PASSWORD } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

describe('the client of a handler that has deferred its attempt', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let owner: OrganizationClient;
  let secret: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    service = await ServiceInProcess.start({ ...environment.variables, ...handlers.variables });
    const user = createClient({ url: service.url });
    await user.auth.signUp({ email: 'ada@example.com', password: PASSWORD });
    await user.orgs.create({ slug: 'acme', name: 'Acme' });
    owner = user.inOrg('acme');
    await owner.jobs.register([{ id: 'render', name: 'Render', handler: 'render', retries: 1 }]);
    ({ secret } = await owner.signingSecret.get());
    handlers.on('render', answer(202, undefined, { 'Service-Defer': 'true' }));
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  /** A call of the handler, and the client that it makes of the call. */
  async function deferred(): Promise<{ call: HandlerCall; handler: OrganizationClient }> {
    const { id } = await owner.jobs.trigger('render');
    await until(() => handlers.callsOf(id).length === 1);
    const [received] = handlers.callsOf(id);
    if (received === undefined) throw new Error('the handler was not called');
    const call = await verifyHandlerCall(received, secret);
    return { call, handler: createClient({ url: service.url, credential: call.credential ?? '' }) };
  }

  it('logs lines and completes the run, with a result that no later report changes', async () => {
    const { call, handler } = await deferred();
    await handler.attempts.log(call, [{ level: 'warn', message: 'half of it' }]);
    const completed = await handler.attempts.complete(call, { pages: 3 });
    expect(completed).toMatchObject({ id: call.runId, status: 'completed' });
    expect(await handler.attempts.complete(call, { pages: 4 })).toEqual(completed);
    expect((await owner.runs.get(call.runId)).result).toEqual({ pages: 3 });
    const lines = await owner.logs.list({ runId: call.runId, level: 'warn' }).all();
    expect(lines.map(({ message }) => message)).toEqual(['half of it']);
    await expect(handler.attempts.fail(call)).rejects.toMatchObject({ code: 'attempt_ended', status: 409 });
  });

  it('fails the run for good with its own words', async () => {
    const { call, handler } = await deferred();
    const failed = await handler.attempts.fail(call, { error: 'no such page', fatal: true });
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'handler_fatal', message: 'no such page' },
    });
  });

  it('has the run tried again, no sooner than it says', async () => {
    const { call, handler } = await deferred();
    const toldAt = Date.now();
    const failed = await handler.attempts.fail(call, { error: 'busy', retryAfterMs: 30_000 });
    expect(failed.status).toBe('retrying');
    expect(Date.parse(failed.due_at ?? '')).toBeGreaterThanOrEqual(toldAt + 30_000);
  });

  it('gets a new token for other calls with each heartbeat, until the run is cancelled', async () => {
    const { call, handler } = await deferred();
    const { token, expires_at: expiresAt } = await handler.attempts.heartbeat(call);
    expect(Date.parse(expiresAt)).not.toBeNaN();
    const renewed = createClient({ url: service.url, credential: token });
    expect((await renewed.runs.get(call.runId)).status).toBe('running');
    await owner.runs.cancel(call.runId);
    await expect(renewed.attempts.heartbeat(call)).rejects.toMatchObject({ code: 'run_cancelled' });
  });

  it('does a step once for all attempts of the run', async () => {
    const { call, handler } = await deferred();
    const done: string[] = [];
    const charge = async (by: OrganizationClient, attempt: HandlerCall): Promise<object> =>
      await by.attempts.step(attempt, 'charge: 4/7', () => {
        done.push(`charge ${attempt.attempt}`);
        return { id: 'ch_1', at: new Date(0), nothing: undefined };
      });
    const charged = [await charge(handler, call), await charge(handler, call)];
    expect(charged).toEqual(Array(2).fill({ id: 'ch_1', at: '1970-01-01T00:00:00.000Z' }));
    const refused = handler.attempts.step(call, '.x', () => done.push('under no name'));
    await expect(refused).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(
      handler.attempts.step(call, 'ship', () => Promise.reject(new Error('no lorry'))),
    ).rejects.toThrow('no lorry');
    await handler.attempts.fail(call, { error: 'no lorry' });
    await until(() => handlers.callsOf(call.runId).length === 2);
    const received = handlers.callsOf(call.runId)[1];
    if (received === undefined) throw new Error('the handler was not called again');
    const second = await verifyHandlerCall(received, secret);
    const again = createClient({ url: service.url, credential: second.credential ?? '' });
    expect(await charge(again, second)).toEqual({ id: 'ch_1', at: '1970-01-01T00:00:00.000Z' });
    expect(await again.attempts.step(second, 'ship', () => Promise.resolve(null))).toBeNull();
    expect(done).toEqual(['charge 1']);
    await again.attempts.complete(second);
    const steps = await owner.runs.steps(call.runId);
    expect(steps.map(({ name, attempt }) => [name, attempt])).toEqual([
      ['charge: 4/7', 1],
      ['ship', 2],
    ]);
    expect((await owner.runs.step(call.runId, 'ship')).value).toBeNull();
  });

  it('cannot report without the token of the attempt', async () => {
    const { call } = await deferred();
    await expect(owner.attempts.complete(call)).rejects.toMatchObject({ code: 'run_token_required' });
  });
});

it('the client of a handler of a project completes its run by the token of the call alone', async () => {
  const [environment, handlers] = await Promise.all([createProjectEnvironment(), HandlerServer.start()]);
  const service = await ServiceInProcess.start({ ...environment.variables, ...handlers.variables });
  try {
    const { serviceKey } = await createProject(service.url, environment.adminToken);
    const server = createClient({ url: service.url, apikey: serviceKey });
    await server.jobs.register([{ id: 'render', name: 'Render', handler: 'render' }]);
    handlers.on('render', answer(202, undefined, { 'Service-Defer': 'true' }));
    const { id } = await server.jobs.trigger('render');
    await until(() => handlers.callsOf(id).length === 1);
    const [received = { headers: {}, body: '' }] = handlers.callsOf(id);
    const call = await verifyHandlerCall(received, (await server.signingSecret.get()).secret);
    const credential = call.credential ?? '';
    const handler = createClient({ url: service.url, profile: 'project', credential });
    expect((await handler.attempts.complete(call, { pages: 3 })).status).toBe('completed');
  } finally {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  }
});
