import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';

describe('the pages of roles in the console', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;
  let ben: string;

  beforeAll(async () => {
    program = await ConsoleProgram.start();
    owner = await program.owner();
    await owner.client.post(`/auth/v1/orgs/${owner.slug}/roles`, {
      name: 'analyst',
      permissions: ['data:*:delete'],
    });
    await owner.client.post(`/auth/v1/orgs/${owner.slug}/roles`, {
      name: 'bookkeeper',
      permissions: ['data:invoices:delete'],
    });
    ben = (await program.member(owner, 'analyst')).email;
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('Make a role that may trigger jobs and read runs, nothing else: it is created, and shows who would have it', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/roles`);
    await page.getByRole('button', { name: 'Create role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Role', { exact: true }).fill('Not A Name');
    await dialog.getByLabel('jobs:jobs:trigger').check();
    await dialog.getByLabel('jobs:runs:read').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText(/^must begin with a lower-case letter/).waitFor();
    await dialog.getByText('To trigger a job in the console').waitFor();
    await dialog.getByLabel('Role', { exact: true }).fill('trigger-only');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'trigger-only' }).waitFor();
    await page.getByText('Nobody has this role yet').waitFor();
    const { body } = await owner.client.get<{ permissions: string[] }>(
      `/auth/v1/orgs/${owner.slug}/roles/trigger-only`,
    );
    expect([...body.permissions].sort()).toEqual(['jobs:jobs:trigger', 'jobs:runs:read']);

    await owner.client.post(`/auth/v1/orgs/${owner.slug}/invitations`, {
      email: 'new@example.com',
      role: 'trigger-only',
    });
    await page.reload();
    await page.getByText('new@example.com').waitFor();
    await page.getByRole('link', { name: 'Roles' }).first().click();
    const cellsOf = async (permission: string): Promise<string[]> =>
      await page
        .getByRole('region', { name: 'Permissions by role' })
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: permission, exact: true }) })
        .getByRole('cell')
        .allInnerTexts();
    await page.getByRole('columnheader', { name: 'trigger-only' }).waitFor();
    // The built-in roles, then by name: analyst, bookkeeper, trigger-only.
    expect((await cellsOf('jobs:runs:read')).slice(-2)).toEqual(['not granted', 'granted']);
    expect((await cellsOf('jobs:runs:cancel')).slice(-2)).toEqual(['not granted', 'not granted']);
    await page.context().close();
  });

  it('show on a phone which roles grant a permission', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/roles`);
    const table = page.getByRole('region', { name: 'Permissions by role' });
    const list = page.getByRole('list', { name: 'Roles that grant data:invoices:delete' });
    await table.waitFor();
    expect(await list.isVisible()).toBe(false);
    await fitsPhone(page);
    await list.waitFor();
    expect(await list.getByRole('listitem').allInnerTexts()).toEqual([
      'owner',
      'admin',
      'analyst',
      'bookkeeper',
    ]);
    expect(await table.isVisible()).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  it('May Ben delete data? The answer is yes or no, and names the role and the permission', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/roles`);
    await page.getByRole('combobox', { name: 'Member' }).click();
    await page.getByRole('option', { name: ben }).click();
    await page.getByText(`${ben} has the role analyst`).waitFor();
    await page.getByRole('listitem').getByText('data:*:delete', { exact: true }).first().waitFor();
    const permission = page.getByRole('combobox', { name: 'Permission' });
    await permission.fill('data:orders:');
    await page.getByText('A permission has three words').waitFor();
    await permission.fill('invoices');
    await page.getByRole('option', { name: 'data:invoices:delete' }).click();
    await page.getByText(`${ben} may do this.`).waitFor();
    await permission.fill('data:orders:delete');
    await page.getByText(`${ben} may do this.`).waitFor();
    await page.getByText('The role analyst grants it by the permission data:*:delete.').waitFor();
    await permission.fill('data:orders:write');
    await page.getByText(`${ben} may not do this.`).waitFor();
    await page.getByText('Roles that grant it: admin, owner').waitFor();
    await page.reload();
    await page.getByText(`${ben} may not do this.`).waitFor();
    await page.context().close();
  });

  it('change a role, and delete one only when nobody has it', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/roles/analyst`);
    await page.getByText(ben).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The change applies at once to 1 member who has this role.').waitFor();
    await dialog.getByLabel('jobs:runs:read').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('listitem').getByText('jobs:runs:read', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').waitFor();
    await page.context().close();
  });

  it('have nothing that axe objects to, in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const context = await program.context(theme);
      const page = await program.signIn(owner, '', context);
      for (const path of ['/roles', '/roles/analyst']) {
        await page.goto(`${program.url}/console/o/${owner.slug}${path}`);
        expect([theme, path, await violationsOf(page)]).toEqual([theme, path, []]);
      }
      await context.close();
    }
  });
});
