import { jest } from '@jest/globals';
import { CronSchedule } from '../../../src/scheduler/cron/index.js';
import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { registerJobs } from '../../support/runs.js';
import { ScheduleClock } from '../../support/schedule-clock.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

interface FiredRun {
  scheduled_for: Date;
  trigger: Record<string, unknown>;
  payload: string;
}

describe('cron triggers', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let clock: ScheduleClock;
  let client: Client;
  let orgId: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    const variables: Record<string, string> = { ...environment.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    clock = await ScheduleClock.takeOver(environment.database, '2026-03-02T11:59:30Z');
    service = await ServiceInProcess.start({
      ...variables,
      SERVICE_ROLE: 'api,scheduler',
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100',
      SERVICE_FUNCTIONS__URL: 'http://127.0.0.1:1/{handler}',
    });
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    ({ client, orgId } = await signUpOwner(service.url));
    await clock.set('2026-03-02T11:59:30Z');
  });

  afterEach(async () => {
    await environment.database.query('DELETE FROM jobs WHERE tenant_id = $1', [orgId]);
  });

  async function register(...triggers: Record<string, unknown>[]): Promise<void> {
    await registerJobs(client, { report: { triggers: triggers.map((own) => ({ type: 'cron', ...own })) } });
  }

  async function goTo(at: string): Promise<void> {
    await clock.set(at);
    await clock.settled();
  }

  async function runs(): Promise<FiredRun[]> {
    return await environment.database.query<FiredRun & Record<string, unknown>>(
      `SELECT scheduled_for, trigger, payload::text AS payload FROM runs
       WHERE tenant_id = $1 ORDER BY scheduled_for, id`,
      [orgId],
    );
  }

  async function firedAt(): Promise<string[]> {
    return (await runs()).map(({ scheduled_for }) => scheduled_for.toISOString().slice(11, 19));
  }

  async function nextFireAt(): Promise<(string | undefined)[]> {
    const found = await environment.database.query<{ at: Date | null }>(
      'SELECT next_fire_at AS at FROM cron_triggers WHERE tenant_id = $1 ORDER BY position',
      [orgId],
    );
    return found.map(({ at }) => at?.toISOString());
  }

  it('fire at each of their instants, in UTC unless they name a time zone', async () => {
    await register(
      { schedule: '0 12 * * *' },
      { schedule: '30 13 * * *', timezone: 'Europe/Berlin' },
      { schedule: '1 12 * * *', timezone: 'Europe/Berlin' },
    );
    await goTo('2026-03-02T11:59:59Z');
    expect(await firedAt()).toEqual([]);
    await goTo('2026-03-02T12:00:00Z');
    expect(await firedAt()).toEqual(['12:00:00']);
    await goTo('2026-03-02T12:30:10Z');
    expect(await firedAt()).toEqual(['12:00:00', '12:30:00']);
    expect(await nextFireAt()).toEqual([
      '2026-03-03T12:00:00.000Z',
      '2026-03-03T12:30:00.000Z',
      '2026-03-03T11:01:00.000Z',
    ]);
  });

  it('create runs that name the trigger and have the declared payload', async () => {
    const payload = { b: { list: [1, 'zwei', null] }, a: 1.5 };
    await register({ schedule: '0 12 * * *', timezone: 'UTC', payload }, { schedule: '0 12 * * mon' });
    await goTo('2026-03-02T12:00:01Z');
    const fired = await runs();
    expect(fired.map(({ trigger }) => trigger)).toEqual([
      { type: 'cron', position: 0, schedule: '0 12 * * *', timezone: 'UTC' },
      { type: 'cron', position: 1, schedule: '0 12 * * mon', timezone: 'UTC' },
    ]);
    expect(fired.map((run) => run.payload)).toEqual([JSON.stringify(payload), '{}']);
  });

  it('calculate the next instant from the last one, not from the tick, so that a late tick shifts nothing', async () => {
    await register({ schedule: '* * * * *' });
    for (const at of ['12:00:41', '12:01:17', '12:02:59']) await goTo(`2026-03-02T${at}Z`);
    expect(await firedAt()).toEqual(['12:00:00', '12:01:00', '12:02:00']);
  });

  it('fire for each missed instant if all were missed by at most 60 s', async () => {
    await register({ schedule: '* * * * *', misfire: 'skip' });
    await goTo('2026-03-02T12:01:00Z');
    expect(await firedAt()).toEqual(['12:00:00', '12:01:00']);
  });

  it('fire once, for the latest missed instant, if instants were missed by more than 60 s', async () => {
    await register({ schedule: '*/10 * * * *' });
    await goTo('2026-03-02T17:38:00Z');
    expect(await firedAt()).toEqual(['17:30:00']);
    expect(await nextFireAt()).toEqual(['2026-03-02T17:40:00.000Z']);
  });

  it('also fire for the instants after a downtime that are not missed', async () => {
    await register({ schedule: '*/10 * * * *' });
    await goTo('2026-03-02T17:40:20Z');
    expect(await firedAt()).toEqual(['17:30:00', '17:40:00']);
  });

  it('drop missed instants if misfire is "skip"', async () => {
    await register({ schedule: '*/10 * * * *', misfire: 'skip' });
    await goTo('2026-03-02T17:38:00Z');
    expect(await firedAt()).toEqual([]);
    await goTo('2026-03-02T17:40:59Z');
    expect(await firedAt()).toEqual(['17:40:00']);
  });

  it('create one run after a year without a scheduler, in one step', async () => {
    await register({ schedule: '* * * * *' });
    const next = jest.spyOn(CronSchedule.prototype, 'firstAfter');
    await goTo('2027-03-02T12:00:30Z');
    const calls = next.mock.calls.length;
    next.mockRestore();
    // Of half a million instants; other ticks ask as well.
    expect(calls).toBeLessThan(1000);
    expect((await runs()).map(({ scheduled_for }) => scheduled_for.toISOString())).toEqual([
      '2027-03-02T11:59:00.000Z',
      '2027-03-02T12:00:00.000Z',
    ]);
  });

  it('drop the instants of a paused job, and continue with the first one after the pause', async () => {
    const triggers = [{ type: 'cron', schedule: '* * * * *' }];
    await registerJobs(client, { report: { triggers, paused: true } });
    await goTo('2026-03-02T12:02:30Z');
    await registerJobs(client, { report: { triggers, paused: false } });
    await goTo('2026-03-02T12:02:59Z');
    expect(await firedAt()).toEqual([]);
    await goTo('2026-03-02T12:03:00Z');
    expect(await firedAt()).toEqual(['12:03:00']);
  });

  it('do not fire for instants during a pause, even if no scheduler noticed the pause', async () => {
    await registerJobs(client, {
      report: { triggers: [{ type: 'cron', schedule: '*/2 * * * *' }], paused: true },
    });
    // In one statement, so that no tick comes between: the time passes, and then the pause ends.
    await environment.database.query(
      `DO $$ BEGIN
         UPDATE schedule_clock SET at = '2026-03-02T14:30:30Z';
         UPDATE jobs SET paused = false WHERE id = 'report';
       END $$`,
    );
    await clock.settled();
    expect(await firedAt()).toEqual([]);
    expect(await nextFireAt()).toEqual(['2026-03-02T14:32:00.000Z']);
  });

  it('keep their next instant when other fields of the job change, and when their position changes', async () => {
    const hourly = { type: 'cron', schedule: '0 * * * *' };
    await registerJobs(client, { report: { triggers: [hourly] } });
    await environment.database.query(
      `UPDATE cron_triggers SET next_fire_at = '2026-03-02T11:59:45Z' WHERE tenant_id = $1`,
      [orgId],
    );
    await registerJobs(client, { report: { triggers: [{ ...hourly, payload: { a: 1 } }], retries: 3 } });
    expect(await nextFireAt()).toEqual(['2026-03-02T11:59:45.000Z']);
    await registerJobs(client, { report: { triggers: [{ type: 'cron', schedule: '5 * * * *' }, hourly] } });
    expect(await nextFireAt()).toEqual(['2026-03-02T12:05:00.000Z', '2026-03-02T11:59:45.000Z']);
  });

  it.each([
    ['the schedule', { schedule: '*/5 * * * *' }, '2026-03-02T12:05:00.000Z'],
    ['the zone', { schedule: '0 12 * * *', timezone: 'Europe/London' }, '2026-03-03T12:00:00.000Z'],
  ])('do not fire for the past when %s is edited', async (_what, edited, next) => {
    await register({ schedule: '0 12 * * *' });
    await goTo('2026-03-02T12:00:40Z');
    await register(edited);
    await clock.settled();
    expect(await firedAt()).toEqual(['12:00:00']);
    expect(await nextFireAt()).toEqual([next]);
  });

  it('are removed with the job, and with the trigger', async () => {
    await register({ schedule: '* * * * *' }, { schedule: '0 12 * * *' });
    await register({ schedule: '0 12 * * *' });
    expect(await nextFireAt()).toEqual(['2026-03-02T12:00:00.000Z']);
    await registerJobs(client, { report: {} });
    expect(await nextFireAt()).toEqual([]);
  });

  it('that the scheduler can no longer evaluate do not block others, and start again when they are registered again', async () => {
    await register({ schedule: '0 12 * * *' }, { schedule: '0 12 * * mon' });
    await environment.database.query(
      `UPDATE cron_triggers SET timezone = 'Europe/Atlantis' WHERE tenant_id = $1 AND position = 0`,
      [orgId],
    );
    await goTo('2026-03-02T12:00:01Z');
    expect((await runs()).map(({ trigger }) => trigger.position)).toEqual([1]);
    expect(await nextFireAt()).toEqual([undefined, '2026-03-09T12:00:00.000Z']);
    await environment.database.query(`UPDATE cron_triggers SET timezone = 'UTC' WHERE tenant_id = $1`, [
      orgId,
    ]);
    await register({ schedule: '0 12 * * *', payload: { a: 1 } }, { schedule: '0 12 * * mon' });
    expect(await nextFireAt()).toEqual(['2026-03-03T12:00:00.000Z', '2026-03-09T12:00:00.000Z']);
  });
});
