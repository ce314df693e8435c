import type { Browser, Page } from 'playwright-core';
import { signIn } from '../../../support/accounts.js';
import { startBrowser } from '../../support/browser.js';
import { PASSWORD, signUp, signUpOwner } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { fetch } from '../../../support/fetch.js';
import { linkOf, tokenOf } from '../../../support/mail-server.js';
import { startMailingService } from '../../../support/mailing-service.js';
import type { MailingService } from '../../../support/mailing-service.js';

interface InvitationBody {
  id: string;
  status: string;
  emailed: boolean;
  link?: string;
}

const CHOSEN = 'chosen on the page';

let running: MailingService;
let browser: Browser;
let owner: SignedUp & { orgId: string; slug: string };
let count = 0;

beforeAll(async () => {
  [running, browser] = await Promise.all([startMailingService(), startBrowser()]);
  owner = await signUpOwner(running.service.url);
});

afterAll(async () => {
  await browser.close();
  await running.stop();
});

function freshAddress(): string {
  count += 1;
  return `guest-${count}@example.com`;
}

async function invite(email: string, role = 'member'): Promise<InvitationBody> {
  const path = `/auth/v1/orgs/${owner.orgId}/invitations`;
  const answer = await owner.client.post<InvitationBody>(path, { email, role });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** The link of an invitation as its mail has it. */
async function mailedLink(email: string, mails = 1): Promise<URL> {
  expect(await invite(email)).toMatchObject({ emailed: true });
  return linkOf(await running.mailServer.mailTo(email, mails));
}

async function membersOf(email: string): Promise<unknown[]> {
  return await running.environment.database.query(
    `SELECT member.role, account.email_verified AS verified
     FROM users account JOIN members member ON member.user_id = account.id
     WHERE account.email = $1 AND member.org_id = $2`,
    [email, owner.orgId],
  );
}

async function withPage(javaScriptEnabled: boolean, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled });
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}

async function postForm(link: URL, password: string): Promise<number> {
  const token = link.searchParams.get('token') ?? '';
  const body = new URLSearchParams({ token, password, repeat: password });
  return (await fetch(`${link.origin}${link.pathname}`, { method: 'POST', body })).status;
}

test.each([true, false])(
  "in a browser (JavaScript: %s) a mailed invitation's link makes the account and the membership, once",
  async (withScript) => {
    const email = freshAddress();
    const link = await mailedLink(email);
    await withPage(withScript, async (page) => {
      await page.goto(link.href);
      expect(await page.getByRole('heading').textContent()).toBe('Join An organization');
      expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
      expect(await page.getByLabel('New password').getAttribute('minlength')).toBe('8');
      await page.getByLabel('New password').fill(CHOSEN);
      await page.getByLabel('Repeat the password').fill(CHOSEN);
      await page.getByRole('button', { name: 'Accept invitation' }).click();
      await page.getByRole('heading', { name: 'Welcome' }).waitFor();
      expect((await page.goto(link.href))?.status()).toBe(400);
    });
    expect(await membersOf(email)).toEqual([{ role: 'member', verified: true }]);
    expect((await signIn(running.anonymous, email, CHOSEN)).status).toBe(200);
  },
);

test("an organization's name in a mail is no link, and one from before names were checked is not in it", async () => {
  const rename = (name: string): Promise<unknown> =>
    running.environment.database.query('UPDATE organizations SET name = $2 WHERE id = $1', [
      owner.orgId,
      name,
    ]);
  const [first, second] = [freshAddress(), freshAddress()];
  try {
    await rename('Booking.com');
    await invite(first);
    const { email: mail } = await running.mailServer.mailTo(first);
    expect(mail.subject).toBe('You are invited to Booking.com');
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('Booking.\u200Bcom');
      expect(body).not.toContain('Booking.com');
    }
    await rename('Win\nat https://evil.example/now');
    await invite(second);
    const { email } = await running.mailServer.mailTo(second);
    expect(email.subject).toBe(`You are invited to ${owner.slug}`);
    expect(`${email.text}${email.html}`).not.toContain('evil');
  } finally {
    await rename('An organization');
  }
});

test('in a browser an invited account with a verified address enters its own password, and no other does', async () => {
  const ada = await signUp(running.service.url);
  const token = tokenOf(await running.mailServer.mailTo(ada.email));
  expect((await running.anonymous.post('/auth/v1/verify', { token })).status).toBe(200);
  const link = await mailedLink(ada.email, 2);
  await withPage(true, async (page) => {
    await page.goto(link.href);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('The password is wrong.');
    expect(await membersOf(ada.email)).toEqual([]);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  });
  expect(await membersOf(ada.email)).toMatchObject([{ role: 'member' }]);
});

test('GET and HEAD, three times each, use no invitation up; of two simultaneous POSTs one wins', async () => {
  const email = freshAddress();
  const link = await mailedLink(email);
  for (let round = 0; round < 3; round += 1) {
    for (const method of ['GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200);
  }
  expect(await membersOf(email)).toEqual([]);
  const statuses = await Promise.all([postForm(link, CHOSEN), postForm(link, CHOSEN)]);
  expect(statuses.sort()).toEqual([200, 400]);
  expect(await membersOf(email)).toHaveLength(1);
});

test('a replaced and a revoked invitation open no page any more', async () => {
  const email = freshAddress();
  const replaced = await mailedLink(email);
  await running.environment.database.query(`UPDATE mail_cooldowns SET taken_at = now() - interval '61 s'`);
  const current = await mailedLink(email, 2);
  expect((await fetch(replaced)).status).toBe(400);
  expect(await postForm(replaced, CHOSEN)).toBe(400);
  expect((await fetch(current)).status).toBe(200);
  const { id } = await invite(freshAddress());
  const path = `/auth/v1/orgs/${owner.orgId}/invitations`;
  const { body: listed } = await owner.client.get<{ id: string; email: string }[]>(path);
  const pending = listed.find((invitation) => invitation.email === email);
  for (const ended of [id, pending?.id ?? ''])
    expect((await owner.client.send('DELETE', `${path}/${ended}`)).status).toBe(204);
  expect((await fetch(current)).status).toBe(400);
  expect(await membersOf(email)).toEqual([]);
});

test('what a name or a role says is text on the page and in the mail, never markup', async () => {
  const name = `<img src=x onerror="alert(1)"> & 'Co'`;
  await owner.client.send('PATCH', `/auth/v1/orgs/${owner.orgId}`, { name });
  const email = freshAddress();
  const link = await mailedLink(email);
  const { email: mail } = await running.mailServer.mailTo(email);
  expect(mail.html).not.toContain('<img');
  expect(mail.text).toContain(name);
  expect(mail.subject).toBe(`You are invited to ${name}`);
  await withPage(true, async (page) => {
    await page.goto(link.href);
    expect(await page.getByRole('heading').textContent()).toBe(`Join ${name}`);
    expect(await page.locator('img').count()).toBe(0);
  });
  await owner.client.send('PATCH', `/auth/v1/orgs/${owner.orgId}`, { name: 'An organization' });
});

test('while the mail server is down an invitation stands, not mailed; its link opens the page and proves no address', async () => {
  const email = freshAddress();
  await running.mailServer.down();
  try {
    const invitation = await invite(email);
    expect(invitation).toMatchObject({ emailed: false, status: 'pending', link: expect.any(String) });
    const link = new URL(invitation.link ?? '');
    expect(link.origin).toBe(running.service.url);
    expect((await fetch(link)).status).toBe(200);
    expect(await postForm(link, CHOSEN)).toBe(200);
    expect(await membersOf(email)).toEqual([{ role: 'member', verified: false }]);
  } finally {
    await running.mailServer.up();
  }
});
