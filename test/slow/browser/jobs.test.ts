import type { Locator } from 'playwright-core';
import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { endedRun, trigger } from '../../support/runs.js';
import { until } from '../../support/until.js';

/** Whether nobody has to scroll to see it. */
async function isInView(place: Locator): Promise<boolean> {
  const box = await place.boundingBox();
  const { height } = place.page().viewportSize() ?? { height: 0 };
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

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
    // Once more among the coming runs.
    await page.getByText('At 2:30 AM every day, Europe/Berlin time').first().waitFor();
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

  it('compare a manifest: changes come first and are counted, and jobs are deleted after a question alone', async () => {
    const { client, email, slug } = await program.owner();
    const jobs = Array.from({ length: 14 }, (_, index) => ({
      id: `job-${String(index).padStart(2, '0')}`,
      name: `Job ${index}`,
      handler: 'echo',
    }));
    await client.post('/jobs/v1/jobs', { jobs });
    const page = await program.signIn({ email }, `/o/${slug}/manifest`);
    const text = page.getByRole('textbox', { name: 'Manifest, JSON' });
    const [compare, deploy] = ['Compare', 'Deploy'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    );
    const changed = { jobs: jobs.map((job) => ({ ...job, retries: job.id === 'job-07' ? 3 : 0 })) };
    await text.fill(JSON.stringify(changed, null, 2));
    await compare?.click();
    const summary = page.getByText('1 changed, 13 as they are');
    await summary.waitFor();
    await until(async () => await isInView(summary));
    const first = page.getByRole('region', { name: 'What would change' }).getByRole('row').nth(1);
    expect(await first.innerText()).toMatch(/^job-07\s+Will be changed\s+retries 0 → 3$/);
    await text.fill(JSON.stringify({ jobs: jobs.slice(0, 1) }));
    await page.getByLabel('Delete jobs that are not in it').check();
    await compare?.click();
    await page.getByText('13 jobs will be deleted').waitFor();
    expect(await page.getByRole('cell', { name: 'Will be deleted' }).count()).toBe(13);
    await deploy?.click();
    const dialog = page.getByRole('dialog', { name: 'Delete 13 jobs?' });
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      ...jobs.slice(1, 11).map(({ id }) => id),
      'and 3 more',
    ]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await violationsOf(page)]).toEqual([colorScheme, []]);
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await client.get<unknown[]>('/jobs/v1/jobs')).body).toHaveLength(14);
    expect(await violationsOf(page)).toEqual([]);
    await deploy?.click();
    await dialog.getByRole('button', { name: 'Deploy and delete' }).click();
    await page.getByText('13 deleted, 1 as it is').waitFor();
    expect(await page.getByRole('cell', { name: 'Deleted', exact: true }).count()).toBe(13);
    expect((await client.get<unknown[]>('/jobs/v1/jobs')).body).toHaveLength(1);
    await page.context().close();
  });

  it('say that a job has a problem, which of its triggers it concerns, and what its definition has beside the defaults', async () => {
    const { client, email, slug } = await program.owner();
    const { database } = program.environment;
    await database.query('CREATE TABLE orders (id int PRIMARY KEY, org_id uuid NOT NULL)');
    const job = {
      id: 'watch',
      name: 'Watch the orders',
      description: 'Tells the warehouse what was ordered. '.repeat(20).trim(),
      handler: 'echo',
      retries: 2,
      retry_backoff: { type: 'exponential', initial_ms: 2_000, max_ms: 120_000, multiplier: 3, jitter: 0.2 },
      retry_on: { status: [429, 503] },
      retention_days: 7,
      triggers: [{ type: 'data', table: 'public.orders', events: ['insert'] }],
    };
    const registered = await client.post('/jobs/v1/jobs', { jobs: [job] });
    expect(registered.status).toBe(200);
    await database.query('DROP TABLE orders');
    await client.send('PATCH', '/jobs/v1/jobs/watch', { paused: true });
    const page = await program.signIn({ email }, `/o/${slug}/jobs`);
    const row = page.getByRole('row').filter({ hasText: 'Watch the orders' });
    await row.getByRole('cell', { name: 'Paused Problem' }).waitFor();
    await fitsPhone(page);
    await row.getByRole('cell').first().getByText('Paused').waitFor();
    await row.getByRole('cell').first().getByText('Problem').waitFor();
    await row.getByRole('link', { name: 'Watch the orders' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'This job has a problem' });
    await alert.getByText('Table of the trigger “When a row of public.orders is inserted”').waitFor();
    await alert.getByText('public.orders does not exist').waitFor();
    await page
      .getByText('2 s, then 3 times as long each time, at most 2 min; up to 20% shorter, by chance')
      .waitFor();
    await page.getByText('the answers 429, 503').waitFor();
    await page.getByText('7 days', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('button', { name: 'Show less' }).waitFor();
    await page.getByText('As the manifest has it').click();
    const definition = await page.getByLabel('As the manifest has it', { exact: true }).innerText();
    expect(JSON.parse(definition)).toEqual({ ...job, timeout_ms: 600_000 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await violationsOf(page)]).toEqual([colorScheme, []]);
    }
    await fitsPhone(page);
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
