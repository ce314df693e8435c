import { ConsoleProgram, violationsOf } from '../support/console.js';

const SECRET = 'a-secret-of-webhooks-with-many-characters';

describe('the settings in the console', () => {
  let program: ConsoleProgram;

  beforeAll(async () => {
    const variables = { SERVICE_LIMITS__ROLES: '77', SERVICE_JOBS__WEBHOOK_SECRET: SECRET };
    program = await ConsoleProgram.start({}, { variables });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('show what differs from its default and where that comes from, and no secret', async () => {
    const page = await program.signIn(await program.operator('read_only'), '/operator/settings');
    const limits = page.getByRole('region', { name: 'limits', exact: true });
    const roles = limits.getByRole('row').filter({ has: page.getByText('roles', { exact: true }) });
    await roles.waitFor();
    expect((await roles.getByRole('cell').allInnerTexts()).slice(1)).toEqual(['77', '200', 'Variable']);

    await page.getByLabel('Different from the default').click();
    await page.waitForURL(/changed=true/);
    await limits.getByRole('row').filter({ hasText: '10000' }).first().waitFor({ state: 'detached' });
    await roles.waitFor();

    await page.getByLabel('Find by name, variable or description').fill('jobs__webhook');
    await page.waitForURL(/find=jobs__webhook/);
    await limits.waitFor({ state: 'detached' });
    const jobs = page.getByRole('region', { name: 'jobs', exact: true });
    await jobs.getByText('••••••••').waitFor();
    expect(await page.content()).not.toContain(SECRET);
    await page.reload();
    await jobs.getByText('••••••••').waitFor();
    await page.context().close();
  });

  it('have nothing that axe objects to in either theme, and fit a narrow screen', async () => {
    const operator = await program.operator('read_only');
    for (const theme of ['light', 'dark'] as const) {
      const page = await program.signIn(operator, '/operator/settings', await program.context(theme));
      await page.getByRole('region', { name: 'limits', exact: true }).waitFor();
      expect([theme, await violationsOf(page)]).toEqual([theme, []]);
      await page.setViewportSize({ width: 360, height: 800 });
      await page.waitForFunction('document.documentElement.scrollWidth === 360');
      await page.context().close();
    }
  });
});
