import { Client, PASSWORD } from '../../support/client.js';
import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import { nextCodeOf } from '../../support/operator-account.js';
import { OPERATOR_TOKEN } from '../../support/profile.js';

describe('the console of a deployment with projects, in German', () => {
  let program: ConsoleProgram;
  let serviceKey: string;

  beforeAll(async () => {
    program = await ConsoleProgram.start(
      { echo: 'export default async (request) => Response.json({ got: await request.json() })' },
      { profile: 'project' },
    );
    const operator = new Client(program.url).as(OPERATOR_TOKEN);
    const { body } = await operator.post<{ service_key: string }>('/admin/v1/projects', {
      ref: 'shop',
      name: 'Der Laden',
    });
    serviceKey = body.service_key;
    const project = new Client(program.url).as(serviceKey);
    await project.post('/jobs/v1/jobs', { jobs: [{ id: 'bericht', name: 'Bericht', handler: 'echo' }] });
    await project.post('/jobs/v1/jobs/bericht/trigger', { payload: { tag: 'Montag' } });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('shows a project to the holder of its service key, who loses nothing by a reload', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const context = await program.context(theme, 'de-DE');
      const page = await context.newPage();
      await page.goto(`${program.url}/console`);
      await page.getByText('Service-Key', { exact: true }).click();
      await page.getByRole('textbox', { name: 'Service-Key' }).fill('not.a.key');
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await page.getByText('Das ist kein Service-Key eines Projekts hier.').waitFor();
      await page.getByRole('textbox', { name: 'Service-Key' }).fill(serviceKey);
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await page.waitForURL('**/p/shop');
      await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
      await page.getByRole('link', { name: 'Läufe', exact: true }).click();
      await page.waitForURL('**/p/shop/runs');
      await page.reload();
      await page.getByRole('row').getByText('Fertig', { exact: true }).waitFor();
      for (const path of ['', '/jobs', '/jobs/bericht', '/runs']) {
        await page.goto(`${program.url}/console/p/shop${path}`);
        expect([theme, path, await violationsOf(page)]).toEqual([theme, path, []]);
      }
      const { origins } = await context.storageState({ indexedDB: true });
      expect(JSON.stringify(origins)).not.toContain(serviceKey.slice(0, 20));
      await context.close();
    }
  });

  it('demands a second factor of the users, and stops', async () => {
    const project = new Client(program.url).as(serviceKey);
    const isDemanded = async (): Promise<unknown> =>
      (await project.get<{ require_second_factor: boolean }>('/auth/v1/sign-in-settings')).body
        .require_second_factor;
    const page = await (await program.context('dark', 'de-DE')).newPage();
    await page.goto(`${program.url}/console/p/shop/users`);
    await page.getByText('Service-Key', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Service-Key' }).fill(serviceKey);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('button', { name: 'Zweiten Faktor verlangen' }).click();
    const dialog = page.getByRole('dialog');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Zweiten Faktor verlangen' }).click();
    await page.getByText('Benutzer brauchen einen zweiten Faktor.').waitFor();
    expect(await isDemanded()).toBe(true);
    await fitsPhone(page);
    await page.getByRole('button', { name: 'Nicht mehr verlangen' }).click();
    await dialog.getByRole('button', { name: 'Nicht mehr verlangen' }).click();
    await page.getByText('Benutzer dürfen sich ohne zweiten Faktor anmelden.').waitFor();
    expect(await isDemanded()).toBe(false);
    await page.context().close();
  });

  it('leads operators to the deployment, and keeps those with a service key out of it', async () => {
    const operator = await program.operator();
    const { email } = operator;
    const context = await program.context('light', 'de-DE');
    const page = await context.newPage();
    await page.goto(`${program.url}/console`);
    await page.getByLabel('E-Mail-Adresse').fill(email);
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByLabel('Wiederherstellungscode').fill(nextCodeOf(operator));
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('Betreiber', { exact: true }).waitFor();
    await page.waitForURL(/\/console\/operator\b/);
    await page.goto(`${program.url}/console/operator/projects/shop`);
    await page.getByRole('link', { name: 'Projekt öffnen' }).click();
    await page.waitForURL('**/p/shop');
    await page.getByRole('link', { name: 'Läufe', exact: true }).click();
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await page.waitForURL('**/runs/run_*');
    const [first] = page.url().split('?');
    await page.getByRole('button', { name: 'Wiederholen', exact: true }).click();
    await page.waitForURL((url) => !url.href.startsWith(first ?? ''));
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'run.retried' }).getByText(email).first().waitFor();
    for (const path of ['/users', '/mail', '/secrets']) {
      await page.goto(`${program.url}/console/p/shop${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await page.getByRole('button', { name: /^Projekt wechseln/ }).click();
    await page.getByRole('option').click();
    await page.waitForURL('**/operator');
    await context.close();

    const reader = await program.signIn(await program.operator('read_only'), '/p/shop/runs');
    await reader.getByRole('row').nth(1).getByRole('link').first().click();
    await reader.waitForURL('**/runs/run_*');
    await reader.getByRole('heading', { level: 1 }).waitFor();
    expect(await reader.getByRole('button', { name: 'Retry', exact: true }).count()).toBe(0);
    await reader.goto(`${program.url}/console/p/shop/mail`);
    expect(await reader.getByLabel('Host').isDisabled()).toBe(true);
    await reader.context().close();

    const customer = await (await program.context('light', 'de-DE')).newPage();
    await customer.goto(`${program.url}/console/operator`);
    await customer.getByText('Service-Key', { exact: true }).click();
    await customer.getByRole('textbox', { name: 'Service-Key' }).fill(serviceKey);
    await customer.getByRole('button', { name: 'Anmelden' }).click();
    await customer.waitForURL('**/p/shop');
    await customer.context().close();
  });
});
