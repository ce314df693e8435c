import type { Browser } from 'playwright-core';
import { CATALOGUES } from '../../../src/identity/languages/index.js';
import { LANGUAGES } from '../../../src/platform/languages/index.js';
import { startBrowser } from '../support/browser.js';
import { Client, signUpOwner } from '../../support/client.js';
import { fitsPhone, violationsOf } from '../support/console.js';
import { linkOf } from '../../support/mail-server.js';
import { startMailingService } from '../../support/mailing-service.js';
import type { MailingService } from '../../support/mailing-service.js';

let running: MailingService;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([
    startMailingService({
      SERVICE_IDENTITY__BRAND__NAME: 'شركة الأمل للتقنية والخدمات العامة المحدودة',
      SERVICE_IDENTITY__BRAND__COLOR: '#ffcc00',
      SERVICE_IDENTITY__BRAND__SUPPORT_URL: 'https://www.example.com/help',
      SERVICE_LIMITS__MAIL_INTERVAL_SECS: '0',
      SERVICE_LIMITS__MAILS_PER_RECIPIENT: '0',
      SERVICE_LIMITS__MAILS_PER_SENDER: '0',
    }),
    startBrowser(),
  ]);
});

afterAll(async () => {
  await browser.close();
  await running.stop();
});

describe.each(['light', 'dark'] as const)('pages of mails, %s,', (colorScheme) => {
  it.each(LANGUAGES)(
    'in %s are in its language, fit a phone, and have nothing that axe objects to',
    async (language) => {
      const owner = await signUpOwner(running.service.url);
      const to = `${language}-${colorScheme}@example.com`;
      await owner.client
        .with({ 'accept-language': language })
        .post(`/auth/v1/orgs/${owner.orgId}/invitations`, { email: to, role: 'member' });
      await new Client(running.service.url, { 'accept-language': language }).post('/auth/v1/recover', {
        email: owner.email,
      });
      const invitation = linkOf(await running.mailServer.mailTo(to));
      const recovery = linkOf(await running.mailServer.mailTo(owner.email, 2));
      const dead = new URL('/auth/v1/pages/verify?token=used', running.service.url);
      const context = await browser.newContext({ colorScheme, locale: language });
      try {
        const page = await context.newPage();
        const says = CATALOGUES[language];
        for (const [link, button] of [
          [invitation, says['page.invitation.button']],
          [recovery, says['page.recover.button']],
          [dead, null],
        ] as const) {
          await page.setViewportSize({ width: 1440, height: 900 });
          await page.goto(link.href);
          expect(await page.getAttribute('html', 'lang')).toBe(language);
          if (button !== null) expect(await page.getByRole('button', { name: button }).count()).toBe(1);
          expect(await violationsOf(page)).toEqual([]);
          await fitsPhone(page);
        }
        await page.goto(invitation.href);
        await page.locator('#password').fill('short');
        await page.locator('#repeat').fill('different from the first');
        await page.evaluate(`document.querySelector('form').noValidate = true`);
        await page.getByRole('button').click();
        await page.getByText(says['page.problem.repeat']).waitFor();
        expect(await violationsOf(page)).toEqual([]);
      } finally {
        await context.close();
      }
    },
    60_000,
  );
});
