import { ConsoleProgram, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { PASSWORD, signUp } from '../../support/client.js';
import { until } from '../../support/until.js';

describe('signing out of the console', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start();
    owner = await program.owner();
    await owner.client.send('PUT', '/vault/v1/secrets/shop/payment-key', { value: 'sk-1' });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('leaves nothing of what one person saw or typed to the next who signs in at the same page', async () => {
    const stranger = await signUp(program.url);
    const page = await program.signIn(owner, `/o/${owner.slug}/members`);
    await page.getByRole('cell', { name: owner.email }).first().waitFor();
    await page.getByRole('link', { name: 'Secrets', exact: true }).click();
    await page.getByRole('cell', { name: 'shop/payment-key', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail address').fill(stranger.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This is not open to you').waitFor();
    expect(await page.content()).not.toContain('shop/payment-key');
    expect(await page.content()).not.toContain(owner.email);
    await page.context().close();
  });

  it('says so when the service did not end the session, and ends it at the next try', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/secrets`);
    let isAway = true;
    await page.route('**/console/session', async (route) => {
      if (isAway && route.request().method() === 'DELETE') await route.abort();
      else await route.continue();
    });
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The service did not end your session.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('cell', { name: 'shop/payment-key', exact: true }).waitFor();
    isAway = false;
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.context().close();
  });

  it('is not undone by a renewal of the session that was under way', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/secrets`);
    let answer = (): void => undefined;
    let isHeld = false;
    await page.route('**/console/session/refresh', async (route) => {
      const response = await route.fetch();
      isHeld = true;
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.fulfill({ response });
    });
    // Another tab has signed in: this one renews its session.
    await page.evaluate("new BroadcastChannel('service.console.session').postMessage('signed-in')");
    await until(() => isHeld);
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    answer();
    await page.waitForResponse('**/console/session/refresh').catch(() => null);
    expect(await page.getByRole('button', { name: /^Account menu/ }).count()).toBe(0);
    await page.context().close();
  });
});
