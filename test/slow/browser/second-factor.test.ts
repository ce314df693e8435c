import type { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../support/client.js';
import type { SignedUp } from '../../support/client.js';
import { addFactor } from '../../support/second-factor.js';
import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import type { Theme } from '../support/console.js';

describe('the sign-in to the console of an account with a second factor', () => {
  let program: ConsoleProgram;
  let member: SignedUp;
  let totp: TOTP;
  let recoveryCode = '';

  beforeAll(async () => {
    program = await ConsoleProgram.start();
    const owner = await program.owner();
    member = await program.member(owner, 'member');
    const factor = await addFactor(member.client);
    ({ totp } = factor);
    [recoveryCode = ''] = factor.recoveryCodes;
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  async function typePassword(theme: Theme = 'light'): Promise<Page> {
    const page = await (await program.context(theme)).newPage();
    await page.goto(`${program.url}/console`);
    await page.getByLabel('E-mail address').fill(member.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code', { exact: true }).waitFor();
    return page;
  }

  it('asks for the code of the authenticator application, and keeps the session over a reload', async () => {
    const page = await typePassword();
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The code is wrong or was used.').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(totp.generate());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
    await page.context().close();
  });

  it('takes a recovery code instead, and leads back to another account', async () => {
    const page = await typePassword('dark');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await fitsPhone(page);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByLabel('E-mail address').fill(member.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
    await page.context().close();
  });
});
