import { ConsoleProgram, fitsPhone, settled, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { signUp } from '../../support/client.js';
import type { SignedUp } from '../../support/client.js';
import { until } from '../../support/until.js';

describe('the pages of members and of API keys in the console', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start();
    owner = await program.owner();
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('invite a person by a link, change their role, and remove them', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/members`);
    await page.getByText('Nobody is invited').waitFor();
    const ben = await signUp(program.url);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill(ben.email);
    // The deployment sends no mails.
    await dialog.getByRole('button', { name: 'Make a link to pass on' }).click();
    const link = await dialog.locator('code').first().getAttribute('title');
    await dialog.getByRole('button', { name: 'Done' }).click();
    const invitations = page.getByRole('region', { name: 'Pending invitations' });
    await invitations.getByText(ben.email).waitFor();

    const token = link?.split('token=')[1];
    expect((await ben.client.post('/auth/v1/invitations/accept', { token })).status).toBe(200);
    // The page learns of it by itself.
    await invitations.getByText(ben.email).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: `Role of ${ben.email}` }).click();
    await page.getByRole('option', { name: 'admin' }).click();
    await dialog.getByText(`The role of ${ben.email} changes from member to admin.`).waitFor();
    await dialog.getByRole('button', { name: 'Change the role' }).click();
    const roleOf = async (): Promise<string | undefined> => {
      const { body } = await owner.client.get<{ email: string; role: string }[]>(
        `/auth/v1/orgs/${owner.slug}/members`,
      );
      return body.find(({ email }) => email === ben.email)?.role;
    };
    await until(async () => (await roleOf()) === 'admin');

    // Whoever may do everything is asked about first.
    await page.getByRole('combobox', { name: `Role of ${ben.email}` }).click();
    await page.getByRole('option', { name: 'owner' }).click();
    await page.getByText(`${ben.email} can then do everything`).waitFor();
    expect(await roleOf()).toBe('admin');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    // The last owner can neither leave nor become anything else.
    await page.getByRole('combobox', { name: `Role of ${owner.email}` }).click();
    await page.getByRole('option', { name: 'member' }).click();
    await dialog.getByRole('button', { name: 'Change the role' }).click();
    await dialog.getByRole('alert').getByText(/owner/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Leave' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await dialog.getByRole('link', { name: 'delete the organization' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('row')
      .filter({ hasText: ben.email })
      .getByRole('button', { name: 'Remove' })
      .click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('cell', { name: ben.email }).first().waitFor({ state: 'detached' });
    expect(await roleOf()).toBeUndefined();
    // Where there is no room beside the buttons, below the name.
    await fitsPhone(page);
    await page.getByRole('link', { name: `What may they do? ${owner.email}` }).click();
    await page.waitForURL('**/roles?member=*');
    await until(
      async () => (await page.getByRole('combobox', { name: 'Member' }).inputValue()) === owner.email,
    );
    await page.context().close();
  });

  it('rename the organization, and delete it once its short name was typed', async () => {
    const { email, slug } = await program.owner();
    const page = await program.signIn({ email }, `/o/${slug}/members`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Acme of the north');
    await dialog.getByLabel('Short name').fill('Not a slug');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^must /).waitFor();
    await dialog.getByLabel('Short name').fill(`${slug}-north`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(`**/o/${slug}-north/members`);
    await page.getByText('Acme of the north').filter({ visible: true }).first().waitFor();

    await page.getByRole('button', { name: 'Delete organization' }).click();
    await dialog.getByText('This deletes Acme of the north for good').waitFor();
    const submit = dialog.getByRole('button', { name: 'Delete organization' });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel('Short name').fill(`${slug}-north`);
    expect(await violationsOf(page)).toEqual([]);
    await submit.click();
    await page.getByRole('heading', { name: 'Create your first organization' }).waitFor();
    await page.context().close();
  });

  it('create a key that works, show it once, and revoke it', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/keys`);
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nightly export');
    await dialog.getByLabel('jobs:runs:read').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const key = await dialog.getByRole('textbox', { name: 'Key', exact: true }).innerText();
    const asKey = owner.client.with({ authorization: `Bearer ${key}` });
    expect((await asKey.get('/jobs/v1/runs')).status).toBe(200);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Nightly export' });
    await row.getByText(owner.email).waitFor();
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    expect((await asKey.get('/jobs/v1/runs')).status).toBe(401);
    await page.context().close();
  });

  it('name the live keys of a member who is removed, and revoke them where that is wished, for operators too', async () => {
    const first = await program.owner();
    const [ada, bob] = [await program.member(first, 'owner'), await program.member(first, 'owner')];
    const keys = `/auth/v1/orgs/${first.slug}/api-keys`;
    const make = async (by: SignedUp, name: string): Promise<string> => {
      const made = await by.client.post<{ id: string }>(keys, { name, permissions: ['jobs:runs:read'] });
      expect(made.status).toBe(201);
      return made.body.id;
    };
    for (const by of [ada, bob]) {
      await make(by, 'One');
      await make(by, 'Two');
      expect((await by.client.send('DELETE', `${keys}/${await make(by, 'Revoked')}`)).status).toBe(204);
    }
    const liveOf = async (email: string): Promise<number> => {
      const { body } = await first.client.get<{ creator_name: string; revoked_at: string | null }[]>(keys);
      return body.filter(({ creator_name, revoked_at }) => creator_name === email && revoked_at === null)
        .length;
    };
    const label = 'Also revoke the 2 API keys that they made';

    const page = await program.signIn(first, `/o/${first.slug}/members`);
    const dialog = page.getByRole('dialog');
    const open = async (email: string): Promise<void> => {
      await page.getByRole('row').filter({ hasText: email }).getByRole('button', { name: 'Remove' }).click();
    };
    await open(ada.email);
    await dialog.getByLabel(label).check();
    // What was chosen for one member is no answer for the next.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await open(ada.email);
    expect(await dialog.getByLabel(label).isChecked()).toBe(false);
    await dialog.getByLabel(label).check();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('cell', { name: ada.email }).first().waitFor({ state: 'detached' });
    expect([await liveOf(ada.email), await liveOf(bob.email)]).toEqual([0, 2]);
    await page.context().close();

    const operators = await program.signIn(await program.operator(), `/operator/organizations/${first.slug}`);
    const row = operators.getByRole('row', { name: new RegExp(bob.email) });
    await row.getByRole('button', { name: 'Remove' }).click();
    await operators.getByRole('dialog').getByLabel(label).check();
    await operators.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'hidden' });
    expect(await liveOf(bob.email)).toBe(0);
    await operators.context().close();
  });

  it('list the keys that one person created', async () => {
    const first = await program.owner();
    const ada = await program.member(first, 'owner');
    const keys = `/auth/v1/orgs/${first.slug}/api-keys`;
    for (const [client, name] of [
      [first.client, 'By the first owner'],
      [ada.client, 'By Ada'],
    ] as const)
      expect((await client.post(keys, { name, permissions: ['jobs:runs:read'] })).status).toBe(201);
    const page = await program.signIn(first, `/o/${first.slug}/keys`);
    await page.getByText('By Ada').waitFor();
    await page.getByRole('combobox', { name: 'Created by' }).click();
    await page.getByRole('option', { name: first.email }).click();
    await page.getByText('By Ada').waitFor({ state: 'detached' });
    await page.getByText('By the first owner').waitFor();
    await page.context().close();
  });

  it('show a member without permissions nothing of it, and have nothing that axe objects to', async () => {
    const member = await program.member(owner, 'member');
    for (const theme of ['light', 'dark'] as const) {
      const page = await program.signIn(member, `/o/${owner.slug}/members`, await program.context(theme));
      await page.getByText('You may not see this').first().waitFor();
      expect(await page.getByRole('button', { name: /^(Invite|Remove)/ }).count()).toBe(0);
      expect([theme, await violationsOf(page)]).toEqual([theme, []]);
      await page.context().close();
      const own = await program.signIn(owner, `/o/${owner.slug}/keys`, await program.context(theme));
      expect([theme, await violationsOf(own)]).toEqual([theme, []]);
      for (const path of ['keys', 'members']) {
        await own.goto(`${program.url}/console/o/${owner.slug}/${path}`);
        await settled(own);
        await fitsPhone(own);
        await own.setViewportSize({ width: 1440, height: 900 });
      }
      await own.context().close();
    }
  });
});
