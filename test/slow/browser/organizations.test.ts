import { ConsoleProgram, violationsOf } from '../support/console.js';
import { signUp } from '../../support/client.js';

describe('the pages of organizations in the console, for an operator', () => {
  let program: ConsoleProgram;

  beforeAll(async () => {
    program = await ConsoleProgram.start();
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('create an organization for a user, add a member, make the member an owner, remove the first owner, give the organization another short name, and delete it', async () => {
    const [first, second] = [await signUp(program.url), await signUp(program.url)];
    const page = await program.signIn(await program.operator(), '/operator/organizations');
    await page.getByRole('button', { name: 'Create organization' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('شركة النور');
    await dialog.getByLabel('Short name').fill('nour');
    const owner = dialog.getByLabel('Address or id of the owner');
    await owner.fill(first.email);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('nobody has proven yet').waitFor();
    await owner.fill(first.userId);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/operator/organizations/nour');
    await page.getByRole('row', { name: new RegExp(`${first.email} owner`) }).waitFor();

    await page.getByRole('button', { name: 'Add or change a member' }).click();
    const member = dialog.getByLabel('Address or id of the user');
    await member.fill(second.email);
    await dialog.getByRole('button', { name: 'Set role' }).click();
    await dialog.getByText('Nobody has proven yet').waitFor();
    await member.fill(second.userId);
    await dialog.getByRole('button', { name: 'Set role' }).click();
    const row = page.getByRole('row', { name: new RegExp(second.email) });
    await row.getByRole('button', { name: 'Make owner' }).click();
    await page.getByRole('row', { name: new RegExp(`${second.email} owner`) }).waitFor();

    const former = page.getByRole('row', { name: new RegExp(first.email) });
    await former.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await former.waitFor({ state: 'hidden' });
    expect((await second.client.in('nour').get('/auth/v1/permissions')).body).toMatchObject({
      role: 'owner',
    });
    expect((await first.client.in('nour').get('/auth/v1/permissions')).status).toBe(403);

    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Short name').fill('dawn');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/operator/organizations/dawn');
    await page.locator('h1').getByText('شركة النور').waitFor();
    await page.getByRole('link', { name: 'Organizations' }).last().click();
    await page.getByRole('link', { name: 'شركة النور' }).click();
    await page.getByRole('button', { name: 'Delete organization' }).click();
    await dialog.getByLabel('Short name').fill('dawn');
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await page.waitForURL('**/operator/organizations');
    await page.getByRole('link', { name: 'شركة النور' }).waitFor({ state: 'hidden' });
    expect((await second.client.in('dawn').get('/auth/v1/permissions')).status).toBe(403);
    await page.context().close();
  });

  it('have nothing that axe objects to, in either theme', async () => {
    const { slug } = await program.owner();
    const operator = await program.operator();
    for (const theme of ['light', 'dark'] as const) {
      const context = await program.context(theme);
      const page = await program.signIn(operator, '/operator', context);
      for (const rest of ['', `/${slug}`]) {
        await page.goto(`${program.url}/console/operator/organizations${rest}`);
        expect([theme, rest, await violationsOf(page)]).toEqual([theme, rest, []]);
      }
      await context.close();
    }
  });
});
