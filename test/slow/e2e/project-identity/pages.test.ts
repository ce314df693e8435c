import { randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../../support/browser.js';
import { PASSWORD } from '../../../support/client.js';
import { fetch } from '../../../support/fetch.js';
import { linkOf } from '../../../support/mail-server.js';
import { startMailingProjects } from '../../../support/mailing-project.js';
import type { MailingProjects } from '../../../support/mailing-project.js';
import type { TestProject } from '../../../support/project-environment.js';

let running: MailingProjects;
let project: TestProject;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startMailingProjects(), startBrowser()]);
  project = await running.project();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
});

type Flow = 'magic-link' | 'recover' | 'invite';

/** Has a mail of this flow sent to a fresh address, and answers where its link leads on this very program. */
async function linkOfFlow(flow: Flow): Promise<{ email: string; link: URL; token: string }> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  if (flow === 'recover') await project.anon.post('/auth/v1/signup', { email, password: PASSWORD });
  const caller = flow === 'invite' ? project.service : project.anon;
  await caller.post(`/auth/v1/${flow}`, { email });
  const mailed = linkOf(await running.mailServer.mailTo(email));
  const path = mailed.pathname.replace(/^\/base/, '');
  return {
    email,
    link: new URL(`${path}${mailed.search}`, running.service.url),
    token: mailed.searchParams.get('token') ?? '',
  };
}

async function submit(link: URL, fields: Record<string, string>): Promise<Response> {
  const page = `${link.origin}${link.pathname}`;
  return await fetch(page, { method: 'POST', body: new URLSearchParams(fields) });
}

test.each(['magic-link', 'recover', 'invite'] as const)(
  'the page of %s is shown any number of times, works once, and runs and loads nothing',
  async (flow) => {
    const { link, token } = await linkOfFlow(flow);
    for (const method of ['GET', 'HEAD', 'GET']) {
      const shown = await fetch(link, { method });
      expect(shown.status).toBe(200);
      expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(shown.headers.get('cache-control')).toBe('no-store');
      expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
      expect(await shown.text()).not.toContain('<script');
    }
    const fields = { token, ...(flow === 'magic-link' ? {} : { password: PASSWORD, repeat: PASSWORD }) };
    const answers = await Promise.all([submit(link, fields), submit(link, fields)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await fetch(link)).status).toBe(400);
  },
);

test('a page of another project, or of none, knows no token of this one', async () => {
  const other = await running.project();
  const { link, token } = await linkOfFlow('invite');
  for (const ref of [other.ref, 'no-such-project', 'X']) {
    const elsewhere = new URL(link.href.replace(project.ref, ref));
    expect((await fetch(elsewhere)).status).toBe(400);
    expect((await submit(elsewhere, { token, password: PASSWORD, repeat: PASSWORD })).status).toBe(400);
  }
  expect((await fetch(link)).status).toBe(200);
});

test('in a browser without scripts a magic link confirms the address, and its page shows no token', async () => {
  const { email, link, token } = await linkOfFlow('magic-link');
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(link.href);
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await page.getByRole('heading', { name: 'Address confirmed' }).waitFor();
  expect(await page.getByRole('status').textContent()).toContain(email);
  expect(await page.locator('main').innerHTML()).not.toMatch(/[\w-]{40,}|<input/);
  expect(await page.getByText('Go back to the application').count()).toBe(1);
  expect((await project.anon.post('/auth/v1/verify', { token })).status).toBe(400);
  await context.close();
});

test('the code in a magic link’s mail signs in without the page', async () => {
  const { email, token } = await linkOfFlow('magic-link');
  const { email: mail } = await running.mailServer.mailTo(email);
  for (const part of [mail.text, mail.html]) expect(part).toMatch(new RegExp(`[\\s>]${token}[\\s<]`));
  expect(await project.anon.post('/auth/v1/verify', { token })).toMatchObject({
    status: 200,
    body: { user: { email } },
  });
});

test('in a browser without scripts an invitation sets the first password', async () => {
  const { email, link } = await linkOfFlow('invite');
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(link.href);
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Repeat the password').fill('another');
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  expect(await page.getByRole('alert').textContent()).toBe('The two passwords are not the same.');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Repeat the password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  expect((await project.anon.post('/auth/v1/token', { email, password: PASSWORD })).status).toBe(200);
  await context.close();
});
