import { ConsoleProgram, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import { addFactor } from '../../support/second-factor.js';

/** Of the owner. */
const ORGANIZATION = 'An organization';

describe('the pages of users in the console, for an operator', () => {
  let program: ConsoleProgram;
  let ana: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start();
    ana = await program.owner();
    await ana.client.post(`/auth/v1/orgs/${ana.slug}/api-keys`, {
      name: 'Nightly export',
      permissions: ['jobs:runs:read'],
    });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('Ana left: an operator hands over her organization, revokes her key, ends her sessions and disables the account', async () => {
    const { email: heir } = await signUp(program.url);
    const page = await program.signIn(await program.operator(), '/operator/users');
    await page.getByLabel('Find by address, name or id').fill(ana.email);
    await page.getByRole('link', { name: ana.email }).click();
    await page.getByRole('heading', { level: 1, name: ana.email }).waitFor();

    const organizations = page.getByRole('region', { name: 'Organizations' });
    await organizations.getByText('only owner').waitFor();
    await organizations.getByRole('button', { name: 'Hand over' }).click();
    await page.getByText(`${ana.email} remains an owner until you remove them.`).waitFor();
    const address = page.getByLabel('Address of the new owner');
    await address.fill('nobody@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click();
    await page.getByText('No user has this address.').waitFor();
    await address.fill(heir);
    await page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click();
    await organizations.getByText('only owner').waitFor({ state: 'hidden' });
    await page.getByText(new RegExp(`^${heir} is an owner of .* now\\.$`)).waitFor();

    const keys = page.getByRole('region', { name: 'API keys created by this user' });
    await keys.getByText('never').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    const question = page.getByRole('dialog');
    await question
      .getByText('1 API key stays valid, because programs use it: revoke it on this page.')
      .waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    await keys.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await keys.getByText('Revoked').waitFor();

    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('No live session').waitFor();
    expect((await ana.client.get('/auth/v1/user')).status).toBe(401);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled since').waitFor();
    await page.getByRole('link', { name: ORGANIZATION }).click();
    await page.getByRole('heading', { level: 1, name: ORGANIZATION }).waitFor();
    await page.getByRole('row').filter({ hasText: ana.email }).getByText('Disabled').waitFor();
    await page.context().close();
    const credentials = { email: ana.email, password: PASSWORD };
    const { status } = await new Client(program.url).post('/auth/v1/token?grant_type=password', credentials);
    expect(status).toBe(401);
  });

  it('create a user with a password, who can sign in', async () => {
    const page = await program.signIn(await program.operator(), '/operator/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('made-by-hand@example.com');
    await dialog.getByLabel('Password', { exact: true }).fill('short');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'made-by-hand@example.com' }).waitFor();
    await page.context().close();
    const member = await program.signIn({ email: 'made-by-hand@example.com' });
    await member.context().close();
  });

  it('Ben lost his phone: an operator finds him by his name, sees his second factor and removes it', async () => {
    const { client, email, userId } = await signUp(program.url);
    await client.send('PATCH', '/auth/v1/user', { metadata: { name: 'Benedict Moreau' } });
    await addFactor(client);
    const reader = await program.signIn(await program.operator('read_only'), `/operator/users/${userId}`);
    await reader.getByRole('region', { name: 'Second factors' }).getByText('Phone').waitFor();
    await reader.context().close();

    const page = await program.signIn(await program.operator(), '/operator/users');
    await page.getByLabel('Find by address, name or id').fill('moreau');
    await page.getByRole('row').filter({ hasText: email }).getByText('Benedict Moreau').waitFor();
    await page.getByRole('row').filter({ hasNotText: 'Benedict Moreau' }).nth(1).waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: email }).click();
    await page.getByRole('heading', { level: 1, name: email }).waitFor();
    await page.getByRole('definition').getByText('Benedict Moreau').waitFor();
    const factor = page.getByRole('region', { name: 'Second factors' }).getByRole('row').nth(1);
    await factor.getByText('Phone').waitFor();
    await factor.getByText('Authenticator').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const menu = page.getByRole('button', { name: 'More actions' });
    const removal = page.getByRole('menuitem', { name: 'Remove second factors' });
    await menu.click();
    await removal.click();
    const question = page.getByRole('dialog', { name: `Remove second factors: ${email}` });
    await question.getByText('All sessions end, and a mail notifies the user.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No second factor').waitFor();
    await page.getByText('No live session').waitFor();
    await question.waitFor({ state: 'hidden' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Set a password', exact: true }).waitFor();
    expect(await removal.count()).toBe(0);
    await page.context().close();
    const again = await new Client(program.url).post('/auth/v1/token?grant_type=password', {
      email,
      password: PASSWORD,
    });
    expect(again.status).toBe(200);
  });

  it('let a read-only operator look, and change nothing', async () => {
    const { email, userId } = await signUp(program.url);
    const page = await program.signIn(await program.operator('read_only'), `/operator/users/${userId}`);
    await page.getByRole('heading', { level: 1, name: email }).waitFor();
    await page.getByRole('region', { name: 'Sessions' }).getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('button', { name: /^(Disable|End|More actions)/ }).count()).toBe(0);
    await page.context().close();
  });

  it('have nothing that axe objects to, in either theme', async () => {
    const { userId } = await signUp(program.url);
    const operator = await program.operator();
    for (const theme of ['light', 'dark'] as const) {
      const context = await program.context(theme);
      const page = await program.signIn(operator, '/operator/users', context);
      for (const rest of ['', '?find=none', `/${userId}`]) {
        await page.goto(`${program.url}/console/operator/users${rest}`);
        expect([theme, rest, await violationsOf(page)]).toEqual([theme, rest, []]);
      }
      await context.close();
    }
  });
});
