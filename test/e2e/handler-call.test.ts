import { signUpOwner } from '../support/client.js';
import type { SignedUp } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { answer, HandlerServer } from '../support/handler-server.js';
import type { HandlerCall } from '../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../support/runs.js';
import { ServiceProcess } from '../support/service-process.js';

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0[01]$/;

describe('a call to a handler', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;
  let owner: SignedUp & { orgId: string };

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const template = new URL(handlers.variables.SERVICE_FUNCTIONS__URL ?? '').origin;
    service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_FUNCTIONS__URL: `${template}/of/{org}/{handler}`,
    });
    owner = await signUpOwner(service.url ?? '');
    await registerJobs(owner.client, {
      job: { retries: 1, retry_backoff: { type: 'exponential', initial_ms: 10, max_ms: 10, multiplier: 1 } },
    });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function callsOf(jobId: string, headers: Record<string, string> = {}): Promise<HandlerCall[]> {
    const { id } = await trigger(owner.client.with(headers), jobId);
    await endedRun(owner.client, id);
    return handlers.callsOf(id);
  }

  it('goes where the URL template says, with the organization and the handler in it', async () => {
    expect((await callsOf('job'))[0]?.handler).toBe(`of/${owner.orgId}/job`);
  });

  it('carries on the trace of the request that set it going', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect((await callsOf('job', { traceparent }))[0]?.headers.traceparent).toBe(traceparent);
    const later = `01${traceparent.slice(2, -2)}ff-of-a-later-version`;
    expect((await callsOf('job', { traceparent: later }))[0]?.headers.traceparent).toBe(traceparent);
  });

  it('carries on the tracestate with the trace, and drops one that is not valid alone', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const stateOf = async (headers: Record<string, string>): Promise<unknown[]> => {
      const [call] = await callsOf('job', headers);
      return [call?.headers.traceparent === traceparent, call?.headers.tracestate];
    };
    const tracestate = 'congo=t61rcWkgMzE, rojo@1=00f067aa0ba902b7';
    expect(await stateOf({ traceparent, tracestate })).toEqual([
      true,
      'congo=t61rcWkgMzE,rojo@1=00f067aa0ba902b7',
    ]);
    expect(await stateOf({ traceparent, tracestate: 'Congo=upper case' })).toEqual([true, undefined]);
    expect(await stateOf({ traceparent: 'junk', tracestate })).toEqual([false, undefined]);
  });

  it('begins one trace for all attempts of a run if there is none or an invalid one', async () => {
    handlers.on(`of/${owner.orgId}/job`, (response, nth, call) => {
      answer(nth === 1 ? 503 : 200, {})(response, nth, call);
    });
    const calls = [await callsOf('job'), await callsOf('job', { traceparent: 'junk' })];
    const traces = calls.map((ofRun) =>
      ofRun.map((call) => TRACE_PARENT.exec(String(call.headers.traceparent))),
    );
    for (const [first, second] of traces) {
      expect(first?.[1]).toMatch(/[1-9a-f]/);
      expect(second?.[1]).toBe(first?.[1]);
      expect(second?.[2]).not.toBe(first?.[2]);
    }
    expect(traces[0]?.[0]?.[1]).not.toBe(traces[1]?.[0]?.[1]);
  });
});
