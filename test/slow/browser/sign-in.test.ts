import { PASSWORD, signUp } from '../../support/client.js';
import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import { linkOf, MailServer } from '../../support/mail-server.js';

describe('the sign-in to the console', () => {
  let program: ConsoleProgram;
  let mailServer: MailServer;

  beforeAll(async () => {
    mailServer = await MailServer.start();
    program = await ConsoleProgram.start({}, { variables: mailServer.variables });
  });

  afterAll(async () => {
    await program.stop();
    await mailServer.down();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('creates an account, and asks it for an organization', async () => {
    const context = await program.context('light', 'de-DE');
    const page = await context.newPage();
    await page.goto(`${program.url}/console`);
    await page.getByRole('button', { name: 'Konto anlegen' }).click();
    await page.getByRole('heading', { name: 'Konto anlegen' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await fitsPhone(page);
    await page.getByLabel('E-Mail-Adresse').fill('new@example.com');
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Konto anlegen' }).click();
    await page.getByRole('heading', { name: 'Erste Organisation anlegen' }).waitFor();
    // The session of the cookie alone.
    await page.goto(`${program.url}/console/account`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const language = 'SELECT locale FROM users WHERE email = $1';
    expect(await program.environment.database.query(language, ['new@example.com'])).toEqual([
      { locale: 'de' },
    ]);
    await context.close();
  });

  it('says that an address has an account', async () => {
    const { email } = await signUp(program.url);
    const page = await (await program.context('dark')).newPage();
    await page.goto(`${program.url}/console`);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in with an account instead' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.context().close();
  });

  it('sends the mail that leads to a new password', async () => {
    const { email } = await signUp(program.url);
    const page = await (await program.context()).newPage();
    await page.goto(`${program.url}/console`);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await page.getByText('Look into your mails').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await fitsPhone(page);
    // The first was about the address.
    expect(linkOf(await mailServer.mailTo(email, 2)).pathname).toBe('/auth/v1/pages/recover');
    await page.getByRole('button', { name: 'Back to the sign-in' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.context().close();
  });
});
