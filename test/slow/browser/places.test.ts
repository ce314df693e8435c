import { ConsoleProgram, violationsOf } from '../../support/console.js';

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
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(`${program.url}/console/account`);
    const listed = page.getByRole('region', { name: 'Organizations' }).getByRole('link');
    await page.getByRole('button', { name: 'Show all 40' }).click();
    expect(await listed.count()).toBe(40);
    await page.context().close();
  });

  it('are reached from the keyboard by Ctrl-K: pages, organizations, and a run by its id', async () => {
    const owner = await program.owner();
    await owner.client.post('/auth/v1/orgs', { slug: `beside-${owner.slug}`, name: 'Beside' });
    await owner.client.post('/jobs/v1/jobs', { jobs: [{ id: 'echo', name: 'Echo', handler: 'echo' }] });
    const { body: run } = await owner.client.post<{ id: string }>('/jobs/v1/jobs/echo/trigger', {});
    const page = await program.signIn(owner, `/o/${owner.slug}`);
    const goTo = async (typed: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      const search = page.getByRole('dialog').getByRole('textbox');
      await search.fill(typed);
      await page.getByRole('dialog').getByRole('button').first().waitFor();
      await search.press('Enter');
    };
    await goTo('Audit');
    await page.waitForURL(`**/o/${owner.slug}/audit`);
    await goTo(run.id);
    await page.waitForURL(`**/o/${owner.slug}/runs/${run.id}`);
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

  it('include the deployment for operators alone', async () => {
    const owner = await program.owner();
    const member = await program.signIn(owner, '/operator');
    await member.waitForURL(`**/o/${owner.slug}`);
    await member.getByRole('button', { name: /^Switch organization/ }).click();
    expect(await member.getByRole('option', { name: 'Deployment' }).count()).toBe(0);
    await member.context().close();
    const operator = await program.signIn(await program.operator('read_only'), '/operator');
    await operator.getByText('Operator, read only').waitFor();
    expect(await violationsOf(operator)).toEqual([]);
    await operator.context().close();
  });
});
