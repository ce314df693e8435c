import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const YEARLY = { type: 'cron', schedule: '0 0 1 1 *', timezone: 'UTC' };

describe('schedules whose tenant has reached its quota of waiting runs', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let client: Client;
  let full: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    const variables: Record<string, string> = { ...environment.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceProcess.start({
      ...variables,
      // No worker: what is accepted waits.
      SERVICE_ROLE: 'api,scheduler',
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100',
      SERVICE_LIMITS__WAITING_RUNS: '3',
      SERVICE_FUNCTIONS__URL: 'http://127.0.0.1:1/{handler}',
      SERVICE_LOG__FORMAT: 'json',
    });
    const url = service.url ?? '';
    ({ client, orgId: full } = await signUpOwner(url));
    const other = await signUpOwner(url);
    // Of the first tenant's three schedules one still fits; that of the other tenant does, too.
    await registerJobs(client, {
      work: {},
      two: { triggers: [YEARLY, YEARLY] },
      three: { triggers: [YEARLY] },
    });
    await registerJobs(other.client, { one: { triggers: [YEARLY] } });
    await trigger(client, 'work');
    await trigger(client, 'work');
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function postponed(): Promise<number> {
    const { body } = await client.get<string>('/metrics');
    return Number(/^service_schedules_postponed_total (\d+)$/m.exec(body)?.[1] ?? Number.NaN);
  }

  function logged(): string[] {
    return service.log.split('\n').filter((line) => line.includes('postponed schedules'));
  }

  async function makeDue(condition: string): Promise<void> {
    await environment.database.query(
      `UPDATE cron_triggers SET next_fire_at = now(), postponed_until = NULL WHERE ${condition}`,
    );
  }

  it('are counted in service_schedules_postponed_total, and logged once with the tenant, not at each try', async () => {
    expect(await postponed()).toBe(0);
    await makeDue('true');
    await until(async () => (await postponed()) === 2);
    for (const total of [4, 6]) {
      await makeDue('postponed_until IS NOT NULL');
      await until(async () => (await postponed()) === total);
    }
    const lines = logged();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
      level: 'warn',
      msg: `postponed schedules (2 times since the last such line): limits.waiting_runs or limits.waiting_payload_bytes is reached by ${full}`,
    });
  });
});
