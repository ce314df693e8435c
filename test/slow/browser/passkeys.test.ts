import type { BrowserContext, Page } from 'playwright-core';
import { PASSWORD } from '../../support/client.js';
import type { SignedUp } from '../../support/client.js';
import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import type { ConsoleOwner, Theme } from '../support/console.js';

/** Browsers have passkeys under a name and under no address. */
function named(url: string): string {
  return url.replace('127.0.0.1', 'localhost');
}

describe('passkeys in the console', () => {
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

  /** A page with an authenticator that unlocks at once, unless it is told otherwise. */
  async function openPage(
    context: BrowserContext,
    path: string,
  ): Promise<{ page: Page; unlock: (isUnlocked: boolean) => Promise<void> }> {
    const page = await context.newPage();
    const protocol = await context.newCDPSession(page);
    await protocol.send('WebAuthn.enable');
    const { authenticatorId } = await protocol.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${named(program.url)}/console${path}`);
    return {
      page,
      unlock: async (isUserVerified) => {
        await protocol.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
      },
    };
  }

  async function typePassword(page: Page, { email }: SignedUp): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  }

  async function withPasskey(
    theme: Theme = 'light',
  ): Promise<{ member: SignedUp; page: Page; unlock: (isUnlocked: boolean) => Promise<void> }> {
    const member = await program.member(owner, 'member');
    const { page, unlock } = await openPage(await program.context(theme), '/account');
    await typePassword(page, member);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Work laptop');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('dialog', { name: 'Recovery codes' }).waitFor();
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByRole('row').filter({ hasText: 'Work laptop' }).getByText('Passkey').waitFor();
    return { member, page, unlock };
  }

  it('are added, sign in alone, and are renamed and removed after a proof by one', async () => {
    const { member, page } = await withPasskey();
    await signOut(page);
    expect(await violationsOf(page)).toEqual([]);
    await fitsPhone(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Work laptop' });
    await row.waitFor();
    await program.environment.database.query(
      `UPDATE sessions SET auth_time = now() - interval '11 minutes' WHERE user_id = $1`,
      [member.userId],
    );
    await row.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    const proof = page.getByRole('dialog', { name: 'Is it you?' });
    expect(await violationsOf(page)).toEqual([]);
    await proof.getByRole('button', { name: 'Use a passkey' }).click();
    const renamed = page.getByRole('row').filter({ hasText: 'Old laptop' });
    await renamed.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No second factor', { exact: true }).waitFor();
    await page.context().close();
  });

  it('complete a sign-in by password, and tell nothing in red of whoever changes their mind', async () => {
    const { member, page, unlock } = await withPasskey('dark');
    await signOut(page);
    await typePassword(page, member);
    await page.getByText('Your account has a passkey.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await fitsPhone(page);
    await unlock(false);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page
      .getByRole('button', { name: 'Use a passkey' })
      .and(page.locator(':not([data-loading])'))
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await unlock(true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
    await page.context().close();
  });

  it('of an account that is gone are refused in words', async () => {
    const { member, page } = await withPasskey();
    await signOut(page);
    await program.environment.database.query('DELETE FROM factors WHERE user_id = $1', [member.userId]);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey signs in to no account here.').waitFor();
    await page.context().close();
  });

  it('are not offered under an address, where browsers have none', async () => {
    const page = await (await program.context()).newPage();
    await page.goto(`${program.url}/console`);
    await page.getByLabel('E-mail address').waitFor();
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    await page.context().close();
  });
});
