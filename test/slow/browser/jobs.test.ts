import { ConsoleProgram, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { endedRun, trigger } from '../../support/runs.js';

describe('the pages of jobs in the console', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start({
      echo: 'export default async (request) => Response.json({ got: await request.json() })',
    });
    owner = await program.owner();
    const triggers = [{ type: 'cron', schedule: '30 2 * * *', timezone: 'Europe/Berlin' }];
    await owner.client.post('/jobs/v1/jobs', {
      jobs: [{ id: 'report', name: 'تقرير المبيعات', handler: 'echo', triggers }],
    });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('lead from the list to a job, pause and resume it, and run it with a payload', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/jobs`);
    await page.getByRole('link', { name: 'تقرير المبيعات' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('This job is paused').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('This job is paused').waitFor({ state: 'hidden' });
    await page.getByText('At 2:30 AM every day, Europe/Berlin time').waitFor();
    await page.getByRole('button', { name: 'Trigger', exact: true }).click();
    const payload = page.getByLabel('Payload, a JSON object');
    await payload.fill('[1]');
    await page.getByText(/^This is not a JSON object/).waitFor();
    expect(await page.getByRole('button', { name: 'Run now' }).isDisabled()).toBe(true);
    await payload.fill('{"day":"2026-03-29"}');
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.locator('h1').getByText('Completed').waitFor();
    await page.getByLabel('Result', { exact: true }).getByText('2026-03-29').waitFor();
    // A time is local, and on hover in UTC.
    const time = page.locator('time').first();
    const [day = '', clock = ''] = ((await time.getAttribute('datetime')) ?? '').split('T');
    await time.hover();
    await page
      .getByRole('tooltip')
      .getByText(`${day} ${clock.replace('Z', '')} UTC`)
      .waitFor();
    await page.context().close();
  });

  it('offer the payload of the last run when a job is triggered', async () => {
    const run = (await trigger(owner.client, 'report', { payload: { day: 'Monday' } })).id;
    await endedRun(owner.client, run);
    const page = await program.signIn(owner, `/o/${owner.slug}/jobs/report`);
    await page.getByRole('button', { name: 'Trigger', exact: true }).click();
    await page.getByText('What the last run got.').waitFor();
    const payload = await page.getByLabel('Payload, a JSON object').inputValue();
    expect(JSON.parse(payload)).toEqual({ day: 'Monday' });
    await page.context().close();
  });

  it('have nothing that axe objects to, in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const context = await program.context(theme);
      const page = await program.signIn(owner, '', context);
      for (const rest of ['/jobs', '/jobs?find=none', '/jobs/report']) {
        await page.goto(`${program.url}/console/o/${owner.slug}${rest}`);
        expect([theme, rest, await violationsOf(page)]).toEqual([theme, rest, []]);
      }
      await context.close();
    }
  });
});
