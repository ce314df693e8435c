import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CATALOGUES } from '../../../../src/identity/languages/index.js';
import { LANGUAGES } from '../../../../src/platform/languages/index.js';
import { startBrowser } from '../../support/browser.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../../../support/client.js';
import type { Answer, SignedUp } from '../../../support/client.js';
import { violationsOf } from '../../support/console.js';
import { startLandingApplication } from '../../support/landing-application.js';
import type { LandingApplication } from '../../support/landing-application.js';
import { codeOf, locationOf, MailedPage } from '../../../support/mailed-page.js';
import { linkOf } from '../../../support/mail-server.js';
import { startMailingService } from '../../../support/mailing-service.js';
import type { MailingService } from '../../../support/mailing-service.js';
import { OPERATOR_TOKEN } from '../../../support/profile.js';
import { recordSecretOfLink } from '../../../support/secrets/secret-journal.js';
import { until } from '../../../support/until.js';

const CHOSEN = 'chosen on the page';
/** Set to keep pictures of the pages, for a look at them. */
const { PICTURES: pictures } = process.env;

interface Session {
  access_token: string;
  user: { email: string };
}

let application: LandingApplication;
let running: MailingService;
let browser: Browser;
let count = 0;

beforeAll(async () => {
  application = await startLandingApplication();
  const variables = {
    SERVICE_IDENTITY__REDIRECT_URLS: `${application.origin}/*`,
    SERVICE_ADMIN__TOKEN: OPERATOR_TOKEN,
  };
  [running, browser] = await Promise.all([startMailingService(variables), startBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  await application.stop();
});

function freshAddress(): string {
  count += 1;
  return `reader-${count}@example.com`;
}

async function exchange(code: string): Promise<Answer<Session>> {
  return await running.anonymous.post<Session>('/auth/v1/token?grant_type=code', { code });
}

async function pageTo(email: string, mails = 1): Promise<MailedPage> {
  return new MailedPage(running.service, await running.mailServer.mailTo(email, mails));
}

async function withPage(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext(options);
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}

test('the verification mail of a sign-up leads back into the application, signed in', async () => {
  const email = freshAddress();
  const redirectTo = `${application.origin}/welcome`;
  const body = { email, password: PASSWORD, redirect_to: redirectTo };
  expect((await running.anonymous.post('/auth/v1/signup', body)).status).toBe(201);
  const code = codeOf(await (await pageTo(email)).submit());
  const session = await exchange(code);
  expect([session.status, session.body.user.email]).toEqual([200, email]);
  expect(
    (await running.anonymous.as(session.body.access_token).get<{ email_verified: boolean }>('/auth/v1/user'))
      .body.email_verified,
  ).toBe(true);
});

test('a sign-up with a redirect URL that is not allowed makes no account', async () => {
  const email = freshAddress();
  const body = { email, password: PASSWORD, redirect_to: 'https://evil.example/' };
  expect((await running.anonymous.post('/auth/v1/signup', body)).status).toBe(400);
  const found = await running.environment.database.query('SELECT 1 FROM users WHERE email = $1', [email]);
  expect(found).toEqual([]);
});

test('a verification mail that was asked for again leads where that request says', async () => {
  const { email, client } = await signUp(running.service.url, freshAddress());
  await running.mailServer.mailTo(email);
  await running.environment.database.query('DELETE FROM mail_cooldowns');
  expect((await client.post('/auth/v1/verify/resend', { redirect_to: 'https://evil.example/' })).status).toBe(
    400,
  );
  const redirectTo = `${application.origin}/again`;
  expect((await client.post('/auth/v1/verify/resend', { redirect_to: redirectTo })).status).toBe(204);
  const code = codeOf(await (await pageTo(email, 2)).submit());
  expect((await exchange(code)).body.user.email).toBe(email);
});

test('a mail that an operator sends again leads where the first did, to whom the first was bound', async () => {
  const { database } = running.environment;
  const email = freshAddress();
  const redirectTo = `${application.origin}/bound`;
  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const body = { email, password: PASSWORD, redirect_to: redirectTo, code_challenge: challenge };
  expect((await running.anonymous.post('/auth/v1/signup', body)).status).toBe(201);
  await running.mailServer.mailTo(email);
  const operator = new Client(running.service.url).as(OPERATOR_TOKEN);
  const again = async (mails: number): Promise<MailedPage> => {
    await database.query('DELETE FROM mail_cooldowns');
    let sent: { id: string }[] = [];
    await until(async () => {
      ({ body: sent } = await operator.get<{ id: string }[]>(`/admin/v1/mail?to=${email}&state=sent`));
      return sent.length === mails - 1;
    });
    expect((await operator.post(`/admin/v1/mail/${sent[0]?.id ?? ''}/retry`)).status).toBe(202);
    return await pageTo(email, mails);
  };
  await again(2);
  const ended = await (await again(3)).submit();
  expect(String(locationOf(ended))).toContain(redirectTo);
  const bound = 'SELECT code_challenge FROM sign_in_codes WHERE email = $1';
  expect(await database.query(bound, [email])).toEqual([{ code_challenge: challenge }]);
  const code = codeOf(ended);
  const session = await running.anonymous.post('/auth/v1/token?grant_type=code', {
    code,
    code_verifier: verifier,
  });
  expect(session.status).toBe(200);
});

describe.each(LANGUAGES)('pages in %s', (language) => {
  const says = CATALOGUES[language];

  it('say where the button leads to, and that a dead link can be replaced', async () => {
    const email = freshAddress();
    const body = {
      email,
      password: PASSWORD,
      locale: language,
      redirect_to: `${application.origin}/welcome`,
    };
    expect((await running.anonymous.post('/auth/v1/signup', body)).status).toBe(201);
    const mail = await running.mailServer.mailTo(email);
    const shown = await new MailedPage(running.service, mail).show();
    expect(shown.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${application.origin};`,
    );
    const destination = `<strong><bdi>${new URL(application.origin).host}</bdi></strong>`;
    const leading = says['page.destination'].replace('<b>{destination}</b>', destination);
    expect(await shown.text()).toContain(leading);

    await running.environment.database.query('UPDATE one_time_tokens SET expires_at = now()');
    await running.environment.database.query('DELETE FROM mail_cooldowns');
    const dead = new MailedPage(running.service, mail, language);
    const offer = await (await dead.show()).text();
    expect(offer).toContain(says['page.dead_link.new_link']);
    expect(offer).toContain(says['page.dead_link.button']);
    const asked = await dead.askForNewLink();
    expect(asked.headers.get('vary')).toBe('Accept-Language');
    const answer = await asked.text();
    expect(answer).toContain(`<html lang="${language}">`);
    expect(answer).toContain(says['page.new_link.title']);
    expect(answer).toContain(says['page.new_link.text']);
    const renewed = await running.mailServer.mailTo(email, 2);
    expect(renewed.email.subject).toBe(says['mail.verification.subject']);
    const ended = await new MailedPage(running.service, renewed).submit();
    expect(locationOf(ended).pathname).toBe('/welcome');
    expect(await ended.text()).toContain(says['page.go_on.text']);
  });
});

test('a token that was mailed with a challenge still proves the address to programs, without a session', async () => {
  const email = freshAddress();
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  await running.anonymous.post('/auth/v1/signup', {
    email,
    password: PASSWORD,
    redirect_to: `${application.origin}/`,
    code_challenge: challenge,
  });
  const { token } = await pageTo(email);
  const { status, body } = await running.anonymous.post('/auth/v1/verify', { token });
  expect([status, Object.keys(body)]).toEqual([200, ['user']]);
});

describe('an invitation', () => {
  let owner: SignedUp & { orgId: string; slug: string };

  beforeAll(async () => {
    owner = await signUpOwner(running.service.url);
  });

  async function invite(email: string, redirectTo: string): Promise<number> {
    const invitation = { email, role: 'member', redirect_to: redirectTo };
    return (await owner.client.post(`/auth/v1/orgs/${owner.orgId}/invitations`, invitation)).status;
  }

  it('leads a new member into the application, signed in', async () => {
    const email = freshAddress();
    expect(await invite(email, 'https://evil.example/')).toBe(400);
    expect(await invite(email, `${application.origin}/team`)).toBe(201);
    const code = codeOf(await (await pageTo(email)).submit({ password: CHOSEN, repeat: CHOSEN }));
    const session = await exchange(code);
    const client = running.anonymous.as(session.body.access_token);
    expect((await client.get<{ orgs: unknown[] }>('/auth/v1/user')).body.orgs).toEqual([
      expect.objectContaining({ id: owner.orgId, role: 'member' }),
    ]);
  });

  it('leads an account that exists there with its password, and shows a wrong one on the page', async () => {
    const { email } = await signUp(running.service.url, freshAddress());
    await running.mailServer.mailTo(email);
    await running.environment.database.query('UPDATE users SET email_verified = true WHERE email = $1', [
      email,
    ]);
    expect(await invite(email, `${application.origin}/team`)).toBe(201);
    const page = await pageTo(email, 2);
    const refused = await page.submit({ password: 'not the password' });
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
    expect(refused.headers.get('content-security-policy')).toContain(`'self' ${application.origin};`);
    const code = codeOf(await page.submit({ password: PASSWORD }));
    expect((await exchange(code)).body.user.email).toBe(email);
  });
});

describe.each(['light', 'dark'] as const)('in a browser, %s', (colorScheme) => {
  /** Looks at a page at three widths. */
  async function lookAt(page: Page, name: string): Promise<void> {
    for (const width of [1440, 768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      if (pictures === undefined) continue;
      await mkdir(pictures, { recursive: true });
      await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}-${width}.png`) });
    }
    expect(await violationsOf(page)).toEqual([]);
  }

  it.each([true, false])(
    'a form ends in the application, which learns nothing of the page (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { email } = await signUp(running.service.url, freshAddress());
      await running.mailServer.mailTo(email);
      const redirectTo = `${application.origin}/signed-in?tab=1`;
      await running.anonymous.post('/auth/v1/recover', { email, redirect_to: redirectTo });
      const link = linkOf(await running.mailServer.mailTo(email, 2));
      await withPage({ javaScriptEnabled, colorScheme }, async (page) => {
        await page.goto(link.href);
        if (javaScriptEnabled) await lookAt(page, 'recover');
        await page.getByLabel('New password').fill(CHOSEN);
        await page.getByLabel('Repeat the password').fill(CHOSEN);
        await page.getByRole('button', { name: 'Set password' }).click();
        await page.getByRole('heading', { name: 'Back in the application' }).waitFor();
      });
      const visit = application.visits.at(-1);
      expect([visit?.url.pathname, visit?.url.searchParams.get('tab'), visit?.referer]).toEqual([
        '/signed-in',
        '1',
        undefined,
      ]);
      const code = visit?.url.searchParams.get('code') ?? '';
      recordSecretOfLink(visit?.url ?? new URL(link));
      expect((await exchange(code)).body.user.email).toBe(email);
    },
  );

  it('a dead link has a button that sends a new one', async () => {
    const { email } = await signUp(running.service.url, freshAddress());
    const link = linkOf(await running.mailServer.mailTo(email));
    await running.environment.database.query('UPDATE one_time_tokens SET expires_at = now()');
    await running.environment.database.query('DELETE FROM mail_cooldowns');
    await withPage({ colorScheme }, async (page) => {
      expect((await page.goto(link.href))?.status()).toBe(400);
      await lookAt(page, 'dead-link');
      await page.getByRole('button', { name: 'Send a new link' }).click();
      await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
      await lookAt(page, 'new-link');
      const renewed = linkOf(await running.mailServer.mailTo(email, 2));
      expect(renewed.href).not.toBe(link.href);
      await page.goto(renewed.href);
      await page.getByRole('button', { name: 'Confirm address' }).click();
      await page.getByRole('heading', { name: 'Address confirmed' }).waitFor();
    });
  });
});
