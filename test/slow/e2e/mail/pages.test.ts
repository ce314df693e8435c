import type { Browser, Page } from 'playwright-core';
import { signIn } from '../../../support/accounts.js';
import { startBrowser } from '../../support/browser.js';
import { PASSWORD, signUp } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { fetch } from '../../../support/fetch.js';
import { linkOf, tokenOf } from '../../../support/mail-server.js';
import { startMailingService } from '../../../support/mailing-service.js';
import type { MailingService } from '../../../support/mailing-service.js';

const NEW_PASSWORD = 'chosen on the page';

let running: MailingService;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startMailingService(), startBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await running.stop();
});

async function verifyLink(): Promise<{ ada: SignedUp; link: URL }> {
  const ada = await signUp(running.service.url);
  return { ada, link: linkOf(await running.mailServer.mailTo(ada.email)) };
}

async function recoverLink(): Promise<{ ada: SignedUp; link: URL }> {
  const { ada } = await verifyLink();
  await running.anonymous.post('/auth/v1/recover', { email: ada.email });
  return { ada, link: linkOf(await running.mailServer.mailTo(ada.email, 2)) };
}

/** A page that keeps what the browser complains of. */
async function openPage(javaScriptEnabled: boolean): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

async function postForm(path: string, fields: Record<string, string>): Promise<Response> {
  return await fetch(`${running.service.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) });
}

test.each([true, false])(
  'in a browser (JavaScript: %s) a button confirms the address, once',
  async (withScript) => {
    const { ada, link } = await verifyLink();
    const { page, complaints } = await openPage(withScript);
    await page.goto(link.href);
    expect(await page.getByRole('heading').textContent()).toBe('Confirm your address');
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByRole('heading', { name: 'Address confirmed' }).waitFor();
    expect(await ada.client.get('/auth/v1/user')).toMatchObject({ body: { email_verified: true } });

    const answer = await page.goto(link.href);
    expect(answer?.status()).toBe(400);
    expect(await page.getByRole('heading').textContent()).toBe('This link does not work');
    // The browser's own word on the status; nothing was blocked by the policy, and the style applies.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
    await page.context().close();
  },
);

test.each([true, false])('in a browser (JavaScript: %s) a form sets the new password', async (withScript) => {
  const { ada, link } = await recoverLink();
  const { page, complaints } = await openPage(withScript);
  await page.goto(link.href);
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(ada.email);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByLabel('Repeat the password').fill('something else');
  await page.getByRole('button', { name: 'Set password' }).click();
  expect(await page.getByRole('alert').textContent()).toBe('The two passwords are not the same.');

  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByLabel('Repeat the password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
  expect((await signIn(running.anonymous, ada.email, NEW_PASSWORD)).status).toBe(200);
  expect((await signIn(running.anonymous, ada.email, PASSWORD)).status).toBe(401);
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  await page.context().close();
});

test('GET and HEAD, three times each, use nothing up', async () => {
  const { ada, link } = await recoverLink();
  for (let round = 0; round < 3; round += 1) {
    for (const method of ['GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200);
  }
  const token = link.searchParams.get('token') ?? '';
  const fields = { token, password: NEW_PASSWORD, repeat: NEW_PASSWORD };
  const answers = await Promise.all([1, 2].map(() => postForm('/auth/v1/pages/recover', fields)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect((await signIn(running.anonymous, ada.email, NEW_PASSWORD)).status).toBe(200);
});

test('a page loads nothing, runs nothing, cannot be framed, is not stored and sends no referrer', async () => {
  const { link } = await verifyLink();
  const answer = await fetch(link);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    ),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  const markup = await answer.text();
  expect(markup).toContain('<html lang="en">');
  expect(markup).not.toMatch(/<script|src=|@import|url\(/);
});

test('a link that does not hold is a page with what to do next, and status 400', async () => {
  for (const purpose of ['verify', 'recover', 'invitation']) {
    for (const query of ['', '?token=', '?token=unknown', '?token=a&token=b', '?token=%3Cscript%3E']) {
      const answer = await fetch(`${running.service.url}/auth/v1/pages/${purpose}${query}`);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      const markup = await answer.text();
      expect(markup).toMatch(/[Aa]sk (?:the person who invited you )?for a new/);
      expect(markup).not.toContain('<script>');
    }
    const posted = await postForm(`/auth/v1/pages/${purpose}`, { token: 'unknown', password: NEW_PASSWORD });
    expect(posted.status).toBe(400);
    expect(posted.headers.get('content-type')).toBe('text/html; charset=utf-8');
  }
});

test('a password that is too short keeps the link alive', async () => {
  const { link } = await recoverLink();
  const token = link.searchParams.get('token') ?? '';
  const short = await postForm('/auth/v1/pages/recover', { token, password: 'short', repeat: 'short' });
  expect(short.status).toBe(400);
  expect(await short.text()).toContain('The password must have at least 8 characters.');
  expect((await fetch(link)).status).toBe(200);
});

test('a form is taken on pages alone; elsewhere it stays an unsupported media type', async () => {
  const { link } = await verifyLink();
  const token = link.searchParams.get('token') ?? '';
  for (const path of ['/auth/v1/verify', '/auth/v1/logout', '/auth/v1/signup']) {
    expect((await postForm(path, { token })).status).toBe(415);
  }
  expect((await postForm('/auth/v1/pages/verify', { token })).status).toBe(200);
});

test('the link in a mail never follows the Host header of the request', async () => {
  const { anonymous, mailServer, service } = running;
  const { ada } = await verifyLink();
  const hostile = anonymous.with({ 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' });
  await hostile.post('/auth/v1/recover', { email: ada.email });
  const mail = await mailServer.mailTo(ada.email, 2);
  expect(linkOf(mail).origin).toBe(service.url);
  expect(tokenOf(mail)).toHaveLength(43);
});

test('the OpenAPI document describes the pages as HTML that takes forms', async () => {
  interface Operation {
    requestBody?: { content: object };
    responses: Record<string, { content?: object }>;
  }
  const { body } = await running.anonymous.get<{ paths: Record<string, Record<string, Operation>> }>(
    '/openapi.json',
  );
  for (const purpose of ['verify', 'recover', 'invitation']) {
    const operations = body.paths[`/auth/v1/pages/${purpose}`];
    expect(Object.keys(operations?.post?.requestBody?.content ?? {})).toEqual([
      'application/x-www-form-urlencoded',
    ]);
    expect(Object.keys(operations?.get?.responses['200']?.content ?? {})).toEqual(['text/html']);
  }
  const described = [
    ...['get', 'patch', 'delete'].map((method) => body.paths['/auth/v1/user']?.[method]),
    body.paths['/auth/v1/user/audit']?.get,
    body.paths['/auth/v1/sessions']?.get,
    body.paths['/auth/v1/sessions/{id}']?.delete,
    ...['logout', 'verify', 'verify/resend', 'recover', 'recover/complete'].map(
      (path) => body.paths[`/auth/v1/${path}`]?.post,
    ),
  ];
  expect(described).not.toContain(undefined);
});
