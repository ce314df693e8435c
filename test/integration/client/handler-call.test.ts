import { createClient } from '../../../client/src/index.js';
import type { OrganizationClient } from '../../../client/src/index.js';
import { verifyHandlerCall } from '../../../client/src/verify/index.js';
import { PASSWORD } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { HandlerServer } from '../../support/handler-server.js';
import type { HandlerCall } from '../../support/handler-server.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

describe('a call of a handler', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: OrganizationClient;
  let call: HandlerCall;
  let secret: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    service = await ServiceInProcess.start({ ...environment.variables, ...handlers.variables });
    const owner = createClient({ url: service.url });
    await owner.auth.signUp({ email: 'ada@example.com', password: PASSWORD });
    await owner.orgs.create({ slug: 'acme', name: 'Acme' });
    client = owner.inOrg('acme');
    await client.jobs.register([{ id: 'greet', name: 'Greet', handler: 'greet' }]);
    ({ secret } = await client.signingSecret.get());
    // What it may do while it is called, it does with the credential of the call.
    handlers.on('greet', (response, _nth, received) => {
      const credential = received.headers.authorization?.replace('Bearer ', '') ?? '';
      void createClient({ url: service.url, credential })
        .runs.get(received.runId)
        .then(({ status }) =>
          response.setHeader('content-type', 'application/json').end(JSON.stringify({ status })),
        );
    });
    const run = await client.jobs.trigger('greet', { name: 'Ada ✓' });
    expect((await client.runs.wait(run.id)).result).toEqual({ status: 'running' });
    const [made] = handlers.calls;
    if (made === undefined) throw new Error('the handler was not called');
    call = made;
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  it('is known by its signature, with all that it says', async () => {
    const { id } = await client.orgs.get();
    expect(await verifyHandlerCall(call, secret)).toEqual({
      runId: call.runId,
      payload: { name: 'Ada ✓' },
      jobId: 'greet',
      attempt: 1,
      trigger: 'manual',
      actor: expect.stringMatching(/^user:[\w-]+$/),
      tenant: id,
      scheduledFor: null,
      credential: expect.stringMatching(/^eyJ/),
    });
  });

  it('is taken as a Request, as bytes, and under any of several secrets', async () => {
    const headers = Object.entries(call.headers).filter(
      ([name]) => !/^(?:connection|host|content-length)$/.test(name),
    );
    const request = new Request('http://127.0.0.1/greet', {
      method: 'POST',
      headers: headers as [string, string][],
      body: call.body,
    });
    const [another, rotated] = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`, secret];
    expect((await verifyHandlerCall(request, [another, rotated])).runId).toBe(call.runId);
    const bytes = new TextEncoder().encode(call.body);
    expect((await verifyHandlerCall({ headers: call.headers, body: bytes }, secret)).runId).toBe(call.runId);
  });

  it.each([
    ['another body', { body: '{"name":"Eve"}' }, undefined],
    ['another run', { headers: { 'webhook-id': 'run_0' } }, undefined],
    ['another time', { headers: { 'webhook-timestamp': '1700000000' } }, undefined],
    ['no signature', { headers: { 'webhook-signature': undefined } }, undefined],
    ['another secret', {}, `whsec_${Buffer.alloc(32, 1).toString('base64')}`],
    ['no secret at all', {}, []],
  ])('is refused with %s', async (_case, change, otherSecret) => {
    const changed = {
      body: call.body,
      ...change,
      headers: { ...call.headers, ...('headers' in change ? change.headers : {}) },
    };
    await expect(verifyHandlerCall(changed, otherSecret ?? secret)).rejects.toMatchObject({
      code: 'invalid_signature',
      statusCode: 401,
    });
  });

  it('is not blamed for an invalid secret', async () => {
    await expect(verifyHandlerCall(call, '')).rejects.toThrow(/secret/i);
  });
});
