import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/browser.js';
import { PASSWORD } from '../../support/client.js';
import { fitsPhone, settled, violationsOf } from '../support/console.js';
import { programVariables } from '../../support/environment.js';
import { ServiceProcess } from '../../support/service-process.js';

const FUNCTIONS = fileURLToPath(new URL('../../../examples/hello/functions', import.meta.url));

describe('the first start of an empty deployment', () => {
  let data: string;
  let service: ServiceProcess;
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });

  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'service-first-start-'));
  });

  afterEach(async () => {
    await service.stop();
    await rm(data, { recursive: true, force: true });
  });

  afterAll(async () => {
    await browser.close();
  });

  async function start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    service = await ServiceProcess.start({
      ...programVariables(),
      SERVICE_SERVER__DATA_DIR: data,
      SERVICE_FUNCTIONS__DIR: FUNCTIONS,
      ...variables,
    });
  }

  /** A page of the operator whose account was created with the code of the terminal, with its second factor. */
  async function setUp(): Promise<Page> {
    const [, url = '', code = ''] =
      /create the operator's account at (\S+) with the code (\S+)/.exec(service.log) ?? [];
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
    await page.goto(url);
    await page.getByLabel('Code from the terminal').fill(code);
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByText('At least 8 characters').waitFor();
    await page.getByLabel('Password of the account').fill('short');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByText('must have at least 8 characters').waitFor();
    expect(await page.getByText('details lists each').count()).toBe(0);
    await page.getByLabel('Password of the account').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'Add a second factor' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await fitsPhone(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    // A reload does not go round it.
    await page.goto(url);
    await page.getByRole('button', { name: 'Add an authenticator' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Phone');
    await dialog.getByRole('button', { name: 'Next' }).click();
    const secret = await dialog.getByRole('textbox', { name: 'Key' }).innerText();
    await dialog.getByLabel('Code').fill(new TOTP({ secret }).generate());
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    return page;
  }

  /** Of the three jobs of the sample, one fails. */
  async function expectRuns(page: Page): Promise<void> {
    await settled(page);
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByText('Failed', { exact: true }).first().waitFor();
    await page.getByText('Completed', { exact: true }).nth(1).waitFor();
    await page.context().close();
  }

  it('First start: address, code, account and second factor lead to a sample with jobs by one click, in both profiles', async () => {
    await start();
    const page = await setUp();
    await page.getByRole('button', { name: 'Create the sample' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the sample' }).click();
    await page.waitForURL('**/o/sample');
    await expectRuns(page);
    await service.stop();
    await rm(data, { recursive: true, force: true });

    await start({ SERVICE_IDENTITY__PROFILE: 'project' });
    const ofProjects = await setUp();
    await ofProjects.waitForURL('**/console/operator/projects');
    await ofProjects.getByText('Operator', { exact: true }).waitFor();
    expect(await violationsOf(ofProjects)).toEqual([]);
    await ofProjects.getByRole('button', { name: 'Create the sample' }).click();
    await ofProjects.waitForURL('**/p/sample');
    await expectRuns(ofProjects);
  });
});
