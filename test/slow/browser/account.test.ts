import { Client, PASSWORD } from '../../support/client.js';
import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { until } from '../../support/until.js';

const NEW_PASSWORD = 'another staple for the battery';

describe("the page of a person's own account in the console", () => {
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

  /** A session of another program. @returns a call with its access token */
  async function signInFrom(userAgent: string, email: string, password = PASSWORD): Promise<Client> {
    const caller = new Client(program.url, { 'user-agent': userAgent });
    const { status, body } = await caller.post<{ access_token: string }>(
      '/auth/v1/token?grant_type=password',
      { email, password },
    );
    if (status !== 200) throw new Error(`signing in answered ${status}`);
    return caller.as(body.access_token);
  }

  const statusOf = async (client: Client): Promise<number> =>
    (await client.send('PATCH', '/auth/v1/user', { metadata: {} })).status;

  it('is in the account menu, saves the name, and ends one session or all others', async () => {
    const ben = await program.member(owner, 'member');
    const [curl, wget, ci] = [
      await signInFrom('curl/8.5.0', ben.email),
      await signInFrom('Wget/1.24', ben.email),
      await signInFrom('ci/1', ben.email),
    ];
    const page = await program.signIn(ben, `/o/${owner.slug}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ben');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await until(async () => {
      const { body } = await ben.client.get<{ metadata: { name?: string } }>('/auth/v1/user');
      return body.metadata.name === 'Ben';
    });

    const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('row');
    const own = sessions.filter({ hasText: 'this one' });
    expect(await own.innerText()).toContain('Chrome · Linux');
    expect(await own.getByRole('button').count()).toBe(0);
    await sessions.filter({ hasText: 'curl/8.5.0' }).getByRole('button', { name: 'End' }).click();
    await sessions.filter({ hasText: 'curl/8.5.0' }).waitFor({ state: 'detached' });
    expect([await statusOf(curl), await statusOf(wget)]).toEqual([401, 200]);
    await page.getByRole('button', { name: 'End all others' }).click();
    await sessions.filter({ hasText: 'ci/1' }).waitFor({ state: 'detached' });
    expect([await statusOf(wget), await statusOf(ci)]).toEqual([401, 401]);
    await page.reload();
    await own.waitFor();
    const activity = page.getByRole('region', { name: 'Activity' }).getByRole('row');
    await activity.filter({ hasText: 'session.' }).first().waitFor();
    await page.context().close();
  });

  it('changes the password, which ends the other sessions, and refuses a wrong current one', async () => {
    const eve = await program.member(owner, 'member');
    const page = await program.signIn(eve, '/account');
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Change', exact: true });
    await dialog.getByLabel('Current password').fill('not the password');
    await dialog.getByLabel('New password').fill(NEW_PASSWORD);
    await submit.click();
    await dialog.getByText('The current password is wrong').waitFor();
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await submit.click();
    await page.getByRole('status').filter({ hasText: 'Your password is changed' }).waitFor();
    expect(await statusOf(eve.client)).toBe(401);
    expect(await statusOf(await signInFrom('ci/1', eve.email, NEW_PASSWORD))).toBe(200);
    await page.context().close();
  });

  it('leaves an organization and deletes the account, but not as the last owner', async () => {
    const dan = await program.member(owner, 'member');
    const page = await program.signIn(dan, '/account');
    await page.getByRole('button', { name: 'Leave' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('You are in no organization').waitFor();
    await page.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect((await dan.client.get('/auth/v1/user')).status).toBe(401);
    await page.context().close();

    const last = await program.signIn(owner, '/account');
    const question = last.getByRole('dialog');
    await last.getByRole('button', { name: 'Leave' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await question.getByRole('alert').getByText(/owner/).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await last.getByRole('button', { name: /^Switch organization/ }).click();
    await last.getByRole('option', { name: owner.slug }).click();
    await last.waitForURL(`**/o/${owner.slug}`);
    await last.context().close();
  });

  it('fits a narrow screen and has nothing that axe objects to, in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await program.signIn(owner, '/account', await program.context(theme));
      expect([theme, await violationsOf(page)]).toEqual([theme, []]);
      await fitsPhone(page);
      await page.context().close();
    }
  });
});
