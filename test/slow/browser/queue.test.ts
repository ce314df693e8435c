import { ConsoleProgram, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { until } from '../../support/until.js';

const JOB = { id: 'report', name: 'Report', handler: 'held', max_concurrent_runs: 1 };

describe('the pages of the queue and of secrets in the console', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start({
      held: 'export default () => new Promise((resolve) => setTimeout(() => resolve(new Response()), 60_000))',
    });
    owner = await program.owner();
    await owner.client.post('/jobs/v1/jobs', { jobs: [{ ...JOB, timeout_ms: 90_000 }] });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('Is the queue growing? By job and by tenant, with the oldest wait, the workers alive and the last hour', async () => {
    const member = await program.signIn(owner, `/o/${owner.slug}/queue`);
    await member.getByText('Nothing waits').waitFor();
    const operator = await program.signIn(await program.operator('read_only'), '/operator/queue');
    await operator.getByText('Workers alive').waitFor();
    const runs: string[] = [];
    for (let run = 0; run < 3; run += 1) {
      const { body } = await owner.client.post<{ id: string }>('/jobs/v1/jobs/report/trigger', {
        payload: { run },
      });
      runs.push(body.id);
    }
    const figuresOf = async (page: typeof member, name: string): Promise<string[]> => {
      const row = page.getByRole('row').filter({ hasText: name });
      await row.getByText('2', { exact: true }).waitFor();
      const [, waiting = '', oldest = '', , atWork = ''] = await row.getByRole('cell').allInnerTexts();
      return [waiting, oldest === '–' ? 'none' : 'some', atWork];
    };
    expect(await figuresOf(member, 'report')).toEqual(['2', 'some', '1']);
    expect(await figuresOf(operator, owner.slug)).toEqual(['2', 'some', '1']);
    await operator.getByRole('cell', { name: '+3 · 3 in, 0 out' }).waitFor();
    await member.reload();
    const history = member.getByRole('table', { name: 'Open runs over the last hour' }).getByRole('row');
    await until(async () => (await history.last().getByRole('cell').innerText()) === '3');
    expect(await history.count()).toBeGreaterThan(60);
    await operator.getByRole('cell', { name: /api.*worker/ }).waitFor();
    for (const page of [member, operator]) expect(await violationsOf(page)).toEqual([]);
    // A stopping program waits for handlers.
    for (const id of runs.reverse()) await owner.client.post(`/jobs/v1/runs/${id}/cancel`, {});
    await member.context().close();
    await operator.context().close();
  });

  it('count on the overview all that waits, however many runs there are, beside jobs without a schedule', async () => {
    const items = Array.from({ length: 250 }, (_, run) => ({ payload: { run } }));
    await owner.client.post('/jobs/v1/jobs/report/trigger/batch', { items });
    const page = await program.signIn(owner, `/o/${owner.slug}`);
    const figure = (name: string) =>
      page
        .locator('div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .last()
        .locator('dd')
        .first();
    await until(async () => (await figure('At work').innerText()) === '1');
    await until(async () => (await figure('Waiting').innerText()) === '249');
    await until(async () => (await figure('Jobs').innerText()) === '1');
    await page.getByText('Nothing is scheduled').waitFor();
    expect(await page.getByText('No jobs yet').count()).toBe(0);
    await owner.client.post('/jobs/v1/runs/bulk', { action: 'cancel', filter: {} });
    await until(async () => (await figure('At work').innerText()) === '0');
    await page.context().close();
  });

  it('write, replace and delete a secret, whose value no page shows', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/secrets`);
    const value = 'whsec-of-the-shop-1';
    await page.getByRole('button', { name: 'Add a secret' }).click();
    await page.getByLabel('Path').fill('not a path');
    await page.getByLabel('Value').fill(value);
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^must be segments/)
      .waitFor();
    await page.getByLabel('Path').fill('shop/webhook');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'shop/webhook', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Replace: shop/webhook' }).click();
    await page.getByLabel('Value').fill('another');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(value);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete: shop/webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No secrets yet').waitFor();
    await page.context().close();
  });

  it('have nothing that axe objects to in the dark theme', async () => {
    const context = await program.context('dark');
    const page = await program.signIn(owner, '', context);
    for (const path of ['/queue', '/secrets']) {
      await page.goto(`${program.url}/console/o/${owner.slug}${path}`);
      expect([path, await violationsOf(page)]).toEqual([path, []]);
    }
    await context.close();
  });
});
