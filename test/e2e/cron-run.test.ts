import { signUpOwner } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { HandlerServer } from '../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../support/runs.js';
import { ScheduleClock } from '../support/schedule-clock.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

describe('the run of a cron trigger', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceProcess;
  let clock: ScheduleClock;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    clock = await ScheduleClock.takeOver(environment.database, '2026-03-02T11:59:30Z');
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceProcess.start({ ...variables, SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100' });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  it('reaches the handler with the payload as declared and the instant it stands for, and a manual run without one', async () => {
    const { client } = await signUpOwner(service.url ?? '');
    const payload = { since: 'yesterday' };
    await registerJobs(client, {
      report: { triggers: [{ type: 'cron', schedule: '0 12 * * *', payload }] },
    });
    await clock.set('2026-03-02T12:00:07Z');
    await until(() => handlers.calls.length > 0);
    const [call] = handlers.calls;
    expect(JSON.parse(call?.body ?? '')).toEqual(payload);
    expect(call?.headers).toMatchObject({
      'x-service-trigger': 'cron',
      'x-service-actor': 'cron:0',
      'x-service-job-id': 'report',
      'x-service-scheduled-for': '2026-03-02T12:00:00.000Z',
    });
    expect(await endedRun(client, call?.runId ?? '')).toMatchObject({
      status: 'completed',
      scheduled_for: '2026-03-02T12:00:00.000Z',
      trigger: { type: 'cron', position: 0, schedule: '0 12 * * *', timezone: 'UTC' },
    });
    const manual = await trigger(client, 'report');
    await endedRun(client, manual.id);
    expect(handlers.callsOf(manual.id)[0]?.headers).not.toHaveProperty('x-service-scheduled-for');
  });
});
