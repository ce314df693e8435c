import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { PASSWORD } from '../../support/client.js';

describe('second factors in the console', () => {
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

  /** Adds an authenticator by hand. @returns the recovery codes on the page */
  async function addAuthenticator(page: Page): Promise<string[]> {
    await page.getByRole('button', { name: 'Add an authenticator' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Work phone');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('img', { name: 'QR code for the authenticator application' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const secret = await dialog.getByRole('textbox', { name: 'Key' }).innerText();
    await dialog.getByLabel('Code').fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByText('The code is wrong.').waitFor();
    await dialog.getByLabel('Code').fill(new TOTP({ secret }).generate());
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('dialog', { name: 'Recovery codes' }).waitFor();
    const codes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
    expect(await violationsOf(page)).toEqual([]);
    await fitsPhone(page);
    // No stray key loses the codes.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    return codes;
  }

  it('are added with a code and recovery codes, and removed after a new proof', async () => {
    const ana = await program.member(owner, 'member');
    const page = await program.signIn(ana, '/account', await program.context('dark'));
    const codes = await addAuthenticator(page);
    expect(new Set(codes).size).toBe(10);
    const row = page.getByRole('row').filter({ hasText: 'Work phone' });
    await row.waitFor();
    await program.environment.database.query(
      `UPDATE sessions SET auth_time = now() - interval '11 minutes' WHERE user_id = $1`,
      [ana.userId],
    );
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    const proof = page.getByRole('dialog', { name: 'Is it you?' });
    await proof.getByLabel('Password', { exact: true }).fill('not the password');
    await proof.getByRole('button', { name: 'Go on' }).click();
    await proof.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await proof.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await proof.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('No second factor', { exact: true }).waitFor();
    await page.context().close();
  });

  it('are required by an organization, which leads those who lack one to their account', async () => {
    const eve = await program.member(owner, 'member');
    const page = await program.signIn(owner, `/o/${owner.slug}/members`);
    await page.getByRole('button', { name: 'Require one' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Require one' }).click();
    await page.getByRole('dialog').getByText('Your own account has none.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('link', { name: 'Your account' }).click();
    await addAuthenticator(page);
    await page.goto(`${program.url}/console/o/${owner.slug}/members`);
    await page.getByRole('button', { name: 'Require one' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Require one' }).click();
    await page.getByText('Members need a second factor.').waitFor();
    await page.context().close();

    const hers = await program.signIn(eve, '/account');
    await hers.goto(`${program.url}/console/o/${owner.slug}/members`);
    await hers.getByRole('heading', { name: 'A second factor is needed here' }).waitFor();
    expect(await violationsOf(hers)).toEqual([]);
    await hers.getByRole('link', { name: 'Go to your account' }).click();
    await addAuthenticator(hers);
    await hers.goto(`${program.url}/console/o/${owner.slug}/members`);
    // Her role is what keeps her out now.
    await hers.getByRole('heading', { name: 'You may not see this' }).waitFor();
    await hers.context().close();
  });
});
