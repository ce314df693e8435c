import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../support/browser.js';
import { PASSWORD, signUpOwner } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { ExampleProcess } from './example-process.js';

const HELLO = new URL('../../../../examples/hello/', import.meta.url);

describe('the web app of the examples', () => {
  let environment: TestEnvironment;
  let app: ExampleProcess;
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;
  let owner: SignedUp;

  beforeAll(async () => {
    environment = await createEnvironment();
    app = await ExampleProcess.start('web-app', 'serve.mjs', ['esbuild']);
    service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_SERVER__CORS_ORIGINS: app.url ?? '',
    });
    await environment.deploy('greet', await readFile(new URL('functions/greet.mjs', HELLO), 'utf8'));
    owner = await signUpOwner(service.url ?? '');
    const { jobs } = JSON.parse(await readFile(new URL('jobs.json', HELLO), 'utf8')) as {
      jobs: { id: string }[];
    };
    await owner.client.post('/jobs/v1/jobs', { jobs: jobs.filter(({ id }) => id === 'greet') });
    browser = await startBrowser();
    page = await browser.newPage();
    await page.goto(`${app.url ?? ''}?service=${service.url ?? ''}`);
  });

  afterAll(async () => {
    await browser.close();
    await service.stop();
    await app.stop();
    await environment.dispose();
  });

  async function signIn(password: string): Promise<void> {
    await page.getByLabel('Address').fill(owner.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('says what is wrong with a sign-in', async () => {
    await signIn('a wrong password');
    await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
    expect(await page.locator('#signed-in').isVisible()).toBe(false);
  });

  it('signs in, runs the job and shows its log to the end', async () => {
    await signIn(PASSWORD);
    await page.getByText(`You are ${owner.email}`).waitFor();
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button', { name: 'Greet' }).click();
    const log = page.locator('#log');
    await log.filter({ hasText: 'Hello, Ada!' }).waitFor();
    expect((await log.textContent())?.split('\n')).toEqual([
      'queued (manual)',
      'attempt 1 started',
      'greeting Ada',
      'attempt 1 completed with status 200; the run is completed',
      'Hello, Ada!',
    ]);
    expect(await page.getByRole('alert').textContent()).toBe('');
  });

  it('is signed in after a reload, and signed out for good', async () => {
    await page.reload();
    await page.getByText(`You are ${owner.email}`).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.locator('#signed-in').isVisible()).toBe(false);
  });
});
