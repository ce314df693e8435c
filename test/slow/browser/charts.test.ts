import { signIn } from '../../support/accounts.js';
import { Client } from '../../support/client.js';
import { ConsoleProgram, fitsPhone, settled, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { endedRun } from '../../support/runs.js';
import { until } from '../../support/until.js';

describe('figures over time in the console', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start({
      echo: 'export default () => Response.json({})',
      fail: `export default () => Response.json({ error: 'the bucket is full' }, { status: 422 })`,
    });
    owner = await program.owner();
    await owner.client.post('/jobs/v1/jobs', {
      jobs: ['echo', 'fail'].map((id) => ({ id, name: id, handler: id })),
    });
    for (const job of ['echo', 'echo', 'echo', 'fail']) {
      const { body } = await owner.client.post<{ id: string }>(`/jobs/v1/jobs/${job}/trigger`, {});
      await endedRun(owner.client, body.id);
    }
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('show the runs of all jobs on the overview, and those of one job on its page', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}`);
    const ended = page.getByRole('table', { name: 'Runs that ended' });
    /** Completed, failed and cancelled, over all hours. */
    const figures = async (): Promise<number[]> => {
      const cells = (await ended.locator('tbody td').allInnerTexts()).map(Number);
      return [0, 1, 2].map((column) =>
        cells.filter((_, place) => place % 3 === column).reduce((sum, count) => sum + count, 0),
      );
    };
    await page.getByText('75%').waitFor();
    await page.getByText('of 4 that ended').waitFor();
    expect(await figures()).toEqual([3, 1, 0]);
    await page.getByRole('radiogroup', { name: 'How far back' }).getByText('Hour').click();
    await page.waitForURL('**?range=hour');
    await ended.getByRole('row').nth(50).waitFor({ state: 'attached' });
    await page.goto(`${program.url}/console/o/${owner.slug}/jobs/fail`);
    await settled(page);
    expect(await figures()).toEqual([0, 1, 0]);
    await page.context().close();
  });

  it('tell the figures of an interval to the keyboard', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/jobs/fail`);
    await settled(page);
    const chart = page.getByRole('slider', { name: 'Runs that ended' });
    const said = async (): Promise<string> => String(await chart.getAttribute('aria-valuetext'));
    // From now on, Chromium shows where the focus is.
    await page.keyboard.press('Tab');
    await chart.focus();
    const newest = await said();
    expect(newest).toContain('Completed: 0, Failed: 1');
    const shown = page.getByRole('tooltip').filter({ hasText: 'Completed' });
    await shown.getByText('Failed: 1').waitFor();
    await page.keyboard.press('Home');
    expect(await said()).toContain('Failed: 0');
    await shown.getByText('Failed: 0').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    expect(await said()).toBe(newest);
    await page.keyboard.press('Tab');
    await shown.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('show operators how many signed in and were refused', async () => {
    await signIn(new Client(program.url), owner.email, 'a wrong password');
    const operator = await program.signIn(await program.operator('read_only'), '/operator');
    await operator.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const chart = operator.getByRole('table', { name: 'Sign-ins' });
    const refused = async (): Promise<number> => {
      const cells = await chart.locator('tbody td').allInnerTexts();
      return cells.filter((_, place) => place % 3 === 1).reduce((sum, text) => sum + Number(text), 0);
    };
    await until(async () => (await refused()) === 1);
    await operator.getByRole('radiogroup', { name: 'How far back' }).getByText('Week').click();
    await chart.getByRole('row').nth(160).waitFor({ state: 'attached' });
    expect(await refused()).toBe(1);
    expect(await violationsOf(operator)).toEqual([]);
    await fitsPhone(operator);
    await operator.context().close();
  });

  it('have nothing that axe objects to, in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await program.signIn(owner, `/o/${owner.slug}`, await program.context(theme));
      for (const path of ['', '/jobs/fail']) {
        await page.goto(`${program.url}/console/o/${owner.slug}${path}`);
        await page.getByRole('table', { name: 'Runs that ended' }).waitFor({ state: 'attached' });
        expect([theme, path, await violationsOf(page)]).toEqual([theme, path, []]);
        await fitsPhone(page);
        await page.setViewportSize({ width: 1440, height: 900 });
      }
      await page.context().close();
    }
  });
});
