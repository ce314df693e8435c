import { until } from '../../support/until.js';
import { ConsoleProgram, fitsPhone, settled, violationsOf } from '../support/console.js';
import { listedPaths } from '../support/console-routes.js';

describe('the places of the console', () => {
  let program: ConsoleProgram;

  beforeAll(async () => {
    program = await ConsoleProgram.start({ echo: 'export default () => Response.json({})' });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('are found by name among 40 organizations, with names from right to left', async () => {
    const owner = await program.owner();
    const names = Array.from({ length: 39 }, (_, index) => (index === 20 ? 'شركة النور' : `Place ${index}`));
    await Promise.all(
      names.map((name, index) => owner.client.post('/auth/v1/orgs', { slug: `place-${index}`, name })),
    );
    const page = await program.signIn(owner, `/o/${owner.slug}/jobs`);
    const [switcher, search] = [
      page.getByRole('button', { name: /^Switch organization/ }),
      page.getByLabel('Find an organization'),
    ];
    await switcher.click();
    await search.fill('النور');
    await page.getByRole('option').click();
    // The section stays.
    await page.waitForURL('**/o/place-20/jobs');
    await switcher.getByText('شركة النور').waitFor();
    await switcher.click();
    await search.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('place 38');
    await until(async () => (await page.getByRole('option').count()) === 1);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/o/place-38/jobs');
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(`${program.url}/console/account`);
    const listed = page.getByRole('region', { name: 'Organizations' }).getByRole('link');
    await page.getByRole('button', { name: 'Show all 40' }).click();
    expect(await listed.count()).toBe(40);
    await page.context().close();
  });

  it('include a further organization, which the switcher creates', async () => {
    const owner = await program.owner();
    const page = await program.signIn(owner, `/o/${owner.slug}/jobs`);
    await page.getByRole('button', { name: /^Switch organization/ }).click();
    await page.getByRole('option', { name: 'Create an organization' }).click();
    await page.getByRole('heading', { level: 1, name: 'Create an organization' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Name', { exact: true }).fill(`Second ${owner.slug}`);
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.waitForURL(`**/o/second-${owner.slug}`);
    await page
      .getByRole('button', { name: /^Switch organization/ })
      .getByText(`Second ${owner.slug}`)
      .waitFor();
    await page.context().close();
  });

  it('are reached from the keyboard by Ctrl-K: pages, jobs, organizations, and a run by its id', async () => {
    const owner = await program.owner();
    await owner.client.post('/auth/v1/orgs', { slug: `beside-${owner.slug}`, name: 'Beside' });
    await owner.client.post('/jobs/v1/jobs', {
      jobs: [
        { id: 'echo', name: 'Echo', handler: 'echo' },
        { id: 'nightly-report', name: 'Nightly report', handler: 'echo' },
      ],
    });
    const { body: run } = await owner.client.post<{ id: string }>('/jobs/v1/jobs/echo/trigger', {});
    const page = await program.signIn(owner, `/o/${owner.slug}`);
    const goTo = async (typed: string): Promise<void> => {
      await settled(page);
      await page.keyboard.press('Control+k');
      const search = page.getByRole('dialog').getByRole('textbox');
      await search.fill(typed);
      // What was typed has left one, of those that are read in the background too.
      await until(async () => (await page.getByRole('dialog').getByRole('button').count()) === 1);
      await search.press('Enter');
    };
    await goTo('Audit');
    await page.waitForURL(`**/o/${owner.slug}/audit`);
    await goTo(run.id);
    await page.waitForURL(`**/o/${owner.slug}/runs/${run.id}`);
    for (const typed of ['ightly rep', 'nightly-rep']) {
      await goTo(typed);
      await page.waitForURL(`**/o/${owner.slug}/jobs/nightly-report`);
      await page.goto(`${program.url}/console/o/${owner.slug}`);
    }
    await goTo('Beside');
    await page.waitForURL(`**/o/beside-${owner.slug}`);
    await page.context().close();
  });

  it('show a member without permissions what they lack, and not an overview that loads for ever', async () => {
    const owner = await program.owner();
    const member = await program.member(owner, 'member');
    const page = await program.signIn(member, `/o/${owner.slug}`);
    await page.getByText('Your role does not show jobs and runs').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['jobs:runs:read', ['', '/runs', '/runs/RUN', '/queue'], ['/jobs', '/jobs/echo', '/schedule']],
    ['jobs:jobs:read', ['', '/jobs', '/jobs/echo', '/schedule'], ['/runs', '/runs/RUN', '/queue']],
  ])('show all that %s allows, and say of other pages what is missing', async (permission, open, closed) => {
    const owner = await program.owner();
    await owner.client.post('/jobs/v1/jobs', { jobs: [{ id: 'echo', name: 'Echo', handler: 'echo' }] });
    const { body: run } = await owner.client.post<{ id: string }>('/jobs/v1/jobs/echo/trigger', {});
    await owner.client.post(`/auth/v1/orgs/${owner.slug}/roles`, {
      name: 'looker',
      permissions: [permission],
    });
    const page = await program.signIn(await program.member(owner, 'looker'), `/o/${owner.slug}`);
    for (const path of [...open, ...closed]) {
      await page.goto(`${program.url}/console/o/${owner.slug}${path.replace('RUN', run.id)}`);
      // No skeleton is left, and each place has its frame.
      await settled(page);
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      expect([path, await page.getByText('You may not see this').count()]).toEqual([
        path,
        open.includes(path) ? 0 : 1,
      ]);
    }
    await page.context().close();
  });

  it('say above what was read before when the network is gone, and go on when it is back', async () => {
    const owner = await program.owner();
    const page = await program.signIn(owner, `/o/${owner.slug}`);
    await settled(page);
    const word = page.getByRole('status').getByText('The service cannot be reached.');
    await page.context().setOffline(true);
    await word.waitFor();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.context().setOffline(false);
    await word.waitFor({ state: 'hidden' });
    await page.context().close();
  });

  it('have their frame, with ways out, also where there is no such organization', async () => {
    const owner = await program.owner();
    const page = await program.signIn(owner, '/o/no-such-place/runs');
    await settled(page);
    await page.getByText('This is not open to you').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'To the start' }).click();
    await page.waitForURL(`**/o/${owner.slug}`);
    await page.context().close();
  });

  it('open where the person was last in this browser, and else at the newest organization', async () => {
    const owner = await program.owner();
    await owner.client.post('/auth/v1/orgs', { slug: `newer-${owner.slug}`, name: 'Newer' });
    const page = await program.signIn(owner);
    await page.waitForURL(`**/o/newer-${owner.slug}`);
    await page.goto(`${program.url}/console/o/${owner.slug}/jobs`);
    await settled(page);
    const reopened = await page.context().newPage();
    await reopened.goto(`${program.url}/console`);
    await reopened.waitForURL(`**/o/${owner.slug}`);
    // What is kept names no organization to whoever uses the browser next.
    expect(await page.evaluate<string>('JSON.stringify({ ...localStorage })')).not.toContain(owner.slug);
    await page.context().close();
  });

  it('say that one is an operator, in an organization and without one, and lead to the deployment', async () => {
    const operator = await program.operator();
    const page = await program.signIn(operator);
    await page.getByRole('heading', { name: 'You operate this deployment' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await fitsPhone(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    const menu = page.getByRole('button', { name: /^Account menu/ });
    await menu.getByText('Operator', { exact: true }).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Deployment' }).click();
    await page.waitForURL('**/operator');
    await settled(page);
    await page.goto(`${program.url}/console`);
    // Where the operator was last.
    await page.waitForURL('**/operator');
    await page.context().close();
  });

  it('include the deployment for operators alone', async () => {
    const owner = await program.owner();
    const member = await program.signIn(owner, '/operator');
    await member.waitForURL(`**/o/${owner.slug}`);
    const asked: string[] = [];
    member.on('request', (request) => {
      if (request.url().includes('/admin/v1')) asked.push(request.url());
    });
    for (const path of listedPaths().deployment) {
      await member.goto(`${program.url}/console/operator/${path.replace(/:\w+/, 'any')}`);
      await member.waitForURL(`**/o/${owner.slug}`);
    }
    expect(asked).toEqual([]);
    await member.getByRole('button', { name: /^Switch organization/ }).click();
    expect(await member.getByRole('option', { name: 'Deployment' }).count()).toBe(0);
    await member.context().close();
    const operator = await program.signIn(await program.operator('read_only'), '/operator');
    await operator.getByText('Operator, read only').waitFor();
    expect(await violationsOf(operator)).toEqual([]);
    await operator.context().close();
  });
});
