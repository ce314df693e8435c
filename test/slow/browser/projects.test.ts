import type { Page } from 'playwright-core';
import { ConsoleProgram, violationsOf } from '../support/console.js';
import { slugOf } from '../../../console/src/parts/slug-of.js';
import { PASSWORD } from '../../support/client.js';
import { MailServer } from '../../support/mail-server.js';

/** What a button "Copy …" puts into the clipboard. */
async function copied(page: Page, what: string): Promise<string> {
  await page.getByRole('button', { name: `Copy ${what}` }).click();
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  return await page.evaluate<string>('navigator.clipboard.readText()');
}

describe('the pages of projects in the console', () => {
  let program: ConsoleProgram;
  let mailServer: MailServer;

  beforeAll(async () => {
    [program, mailServer] = await Promise.all([
      ConsoleProgram.start(
        {},
        { profile: 'project', variables: { SERVICE_AUTH__PRIVATE_MAIL_HOSTS: 'true' } },
      ),
      MailServer.start(),
    ]);
  });

  afterAll(async () => {
    await program.stop();
    await mailServer.down();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  /** Creates a project by hand, as an operator. */
  async function create(page: Page, name: string, ref: string): Promise<void> {
    await page.getByRole('button', { name: 'Create project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    expect(await dialog.getByLabel('Ref').inputValue()).toBe(slugOf(name));
    await dialog.getByLabel('Ref').fill(ref);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: `Keys of ${name}` }).waitFor();
  }

  it('Project: it is made, its keys are copied for the customer, its mail is designed with a preview and tested, and its users are listed', async () => {
    const context = await program.context();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const operator = await program.signIn(await program.operator(), '/operator/projects', context);
    await create(operator, 'Corner shop', 'corner-shop');
    await operator.getByRole('textbox', { name: 'Anon key' }).waitFor();
    const serviceKey = await copied(operator, 'Service key');
    await operator.getByRole('button', { name: 'Copy all as variables' }).click();
    await operator.getByRole('button', { name: 'All copied' }).waitFor();
    const block = await operator.evaluate<string>('navigator.clipboard.readText()');
    expect(block).toContain(`SERVICE_URL=${program.url}\nSERVICE_PROJECT_REF=corner-shop\nSERVICE_ANON_KEY=`);
    expect(block).toContain(`SERVICE_KEY=${serviceKey}\n`);
    // Nothing of the keys is cut.
    const cut = `[...document.querySelectorAll('[role="textbox"]')].map((box) => box.scrollHeight - box.clientHeight)`;
    expect(Math.max(...(await operator.evaluate<number[]>(cut)))).toBeLessThan(2);
    await operator.getByRole('button', { name: 'I have copied the service key' }).click();
    await operator.getByRole('heading', { level: 1, name: 'Corner shop' }).waitFor();
    expect(await operator.content()).not.toContain(serviceKey);
    await context.close();

    const page = await program.openProject(serviceKey);
    await page.getByRole('link', { name: 'Mail', exact: true }).click();
    await page.getByText('No mail server is set yet').waitFor();
    await page.getByLabel('Host').fill('127.0.0.1');
    await page.getByLabel('Port').fill(String(mailServer.port));
    await page.getByLabel('Sender').fill('Corner shop <hello@shop.example>');
    await page.getByRole('combobox', { name: 'Encryption' }).click();
    await page.getByRole('option', { name: 'None' }).click();
    const settings = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Mail server' }) });
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Saved.').waitFor();
    await page.getByLabel('Address of the recipient').fill('ada@example.com');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The mail server accepted the message.').waitFor();
    expect((await mailServer.mailTo('ada@example.com')).from).toBe('hello@shop.example');

    const templates = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Templates' }) });
    await templates.getByLabel('Template', { exact: true }).selectOption('recovery');
    await templates.getByLabel('Subject').fill('Back into {{project}}');
    const preview = page.getByRole('region', { name: 'Preview', exact: true });
    await preview.getByText('Back into Corner shop').waitFor();
    const html = templates.getByLabel('HTML');
    await html.fill('<h1>{{project}}</h1><p><a href="{{wrong}}">Set a password</a></p>');
    await templates.getByRole('button', { name: 'Save' }).click();
    await templates.getByText('The preview shows what was right last.').waitFor();
    expect(await templates.getByText('details lists each').count()).toBe(0);
    await html.fill('<h1>{{project}}</h1><p><a href="{{link}}">Set a password</a></p>');
    await preview.frameLocator('iframe').getByRole('heading', { name: 'Corner shop' }).waitFor();
    await templates.getByRole('button', { name: 'Save' }).click();
    await templates.getByText('This is a template of your own.').waitFor();
    await page.reload();
    await templates.getByLabel('Template', { exact: true }).selectOption('recovery');
    await preview.getByText('Back into Corner shop').waitFor();
    await templates.getByRole('button', { name: 'Restore the built-in template' }).click();
    await templates.getByText('This is the built-in template.').waitFor();
    await page.getByRole('link', { name: 'Mail outbox' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mail outbox' }).waitFor();
    await page.getByText('No mails').waitFor();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('button', { name: 'Create user' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('grace@example.com');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'grace@example.com' }).waitFor();
    await page.getByRole('link', { name: 'Users', exact: true }).last().click();
    await page.getByRole('row').getByText('grace@example.com').waitFor();
    await page.context().close();
  });

  it('replace a service key, change the hosts and redirect URLs of a project, and delete it once its ref is typed', async () => {
    const page = await program.signIn(await program.operator(), '/operator/projects');
    await create(page, 'Old shop', 'old-shop');
    const shown = page.getByRole('textbox', { name: 'Service key' });
    const first = await shown.textContent();
    await page.getByRole('button', { name: 'I have copied the service key' }).click();
    await page.getByRole('button', { name: 'Replace service key' }).click();
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await shown.waitFor();
    expect(await shown.textContent()).not.toBe(first);
    await page.getByRole('button', { name: 'I have copied the service key' }).click();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Hosts').fill('old.shop.example');
    await page.getByLabel('Redirect URLs').fill('https://*.shop.example/');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('redirect_urls[0]').waitFor();
    await page.getByLabel('Redirect URLs').fill('https://app.shop.example/*\ncom.shop.app:/signed-in');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('old.shop.example', { exact: true }).waitFor();
    await page.getByText('https://app.shop.example/*', { exact: true }).waitFor();
    await page.getByText('com.shop.app:/signed-in', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Delete project' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete project' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Ref of the project').fill('old-shop');
    await confirm.click();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await page.getByRole('link', { name: 'Old shop' }).waitFor({ state: 'hidden' });
    await page.context().close();
  });

  it('show a mail template in a preview in which no script runs', async () => {
    const operator = await program.signIn(await program.operator(), '/operator/projects');
    await create(operator, 'Script shop', 'script-shop');
    const key = (await operator.getByRole('textbox', { name: 'Service key' }).textContent()) ?? '';
    await operator.context().close();
    const page = await program.openProject(key);
    await page.getByRole('link', { name: 'Mail', exact: true }).click();
    const blocked = page.waitForEvent('console', {
      predicate: (message) => message.text().startsWith('Blocked script execution'),
    });
    await page
      .getByLabel('HTML')
      .fill(
        `<script>top.document.title = 'ran'</script><img src="data:," onerror="top.document.title = 'ran'"><h1>After it</h1><a href="{{link}}">Sign in</a>`,
      );
    const preview = page.getByRole('region', { name: 'Preview', exact: true });
    await preview.frameLocator('iframe').getByRole('heading', { name: 'After it' }).waitFor();
    expect(await preview.locator('iframe').getAttribute('sandbox')).toBe('');
    expect(await page.title()).not.toBe('ran');
    expect((await blocked).text()).toContain('sandboxed');
    await page.context().close();
  });

  it('have nothing that axe objects to, in either theme', async () => {
    const account = await program.operator();
    for (const theme of ['light', 'dark'] as const) {
      const page = await program.signIn(account, '/operator/projects', await program.context(theme));
      expect([theme, 'projects', await violationsOf(page)]).toEqual([theme, 'projects', []]);
      await create(page, `Axe ${theme}`, `axe-${theme}`);
      const serviceKey = (await page.getByRole('textbox', { name: 'Service key' }).textContent()) ?? '';
      expect([theme, 'keys', await violationsOf(page)]).toEqual([theme, 'keys', []]);
      await page.getByRole('button', { name: 'I have copied the service key' }).click();
      await page.getByRole('heading', { level: 1, name: `Axe ${theme}` }).waitFor();
      expect([theme, 'project', await violationsOf(page)]).toEqual([theme, 'project', []]);
      await page.context().close();
      const customer = await program.openProject(serviceKey, await program.context(theme));
      await customer.getByRole('link', { name: 'Mail', exact: true }).click();
      await customer.getByRole('region', { name: 'Preview', exact: true }).waitFor();
      expect([theme, 'mail', await violationsOf(customer)]).toEqual([theme, 'mail', []]);
      await customer.context().close();
    }
  });
});
