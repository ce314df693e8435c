import { randomBytes } from 'node:crypto';
import { CATALOGUES } from '../../../../src/identity/languages/index.js';
import { LANGUAGES } from '../../../../src/platform/languages/index.js';
import type { Language } from '../../../../src/platform/languages/index.js';
import { Client, PASSWORD, signUpOwner } from '../../../support/client.js';
import { fetch } from '../../../support/fetch.js';
import { linkOf } from '../../../support/mail-server.js';
import type { ReceivedMail } from '../../../support/mail-server.js';
import { startMailingService } from '../../../support/mailing-service.js';
import type { MailingService } from '../../../support/mailing-service.js';
import { OPERATOR_TOKEN } from '../../../support/profile.js';
import { until } from '../../../support/until.js';

const NAME = 'Ωmega & <b>Söhne</b>';

let running: MailingService;
let operator: Client;

beforeAll(async () => {
  running = await startMailingService({
    SERVICE_ADMIN__TOKEN: OPERATOR_TOKEN,
    SERVICE_IDENTITY__BRAND__NAME: 'Omega & Söhne',
    SERVICE_IDENTITY__BRAND__LOGO_URL: 'https://cdn.example.com/logo.png?a=1&b=2',
    SERVICE_IDENTITY__BRAND__COLOR: '#FFCC00',
    SERVICE_IDENTITY__BRAND__SUPPORT_URL: 'https://omega.example/help',
    SERVICE_IDENTITY__DEFAULT_LOCALE: 'es',
    SERVICE_LIMITS__MAIL_INTERVAL_SECS: '0',
    SERVICE_LIMITS__MAILS_PER_RECIPIENT: '0',
  });
  operator = new Client(running.service.url).as(OPERATOR_TOKEN);
});

afterAll(async () => {
  await running.stop();
});

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

/** Signs up with a language of the account, with one of the request, or with none. */
async function signUpIn(
  locale: string | null,
  acceptLanguage: string | null,
): Promise<{ email: string; client: Client }> {
  const email = freshAddress();
  const anonymous = running.anonymous.with({ 'accept-language': acceptLanguage ?? '*' });
  const { status, body } = await anonymous.post<{ session: { access_token: string } }>('/auth/v1/signup', {
    email,
    password: PASSWORD,
    ...(locale === null ? {} : { locale }),
  });
  expect(status).toBe(201);
  return { email, client: anonymous.as(body.session.access_token) };
}

/** What holds for each mail, whatever it is. */
function expectBranded({ email }: ReceivedMail, language: Language): void {
  const { html = '', text = '' } = email;
  expect(html).toContain(`<html lang="${language}">`);
  expect(html).toContain('alt="Omega &amp; Söhne"');
  expect(html).toContain('src="https://cdn.example.com/logo.png?a&#x3D;1&amp;b&#x3D;2"');
  expect(html).toContain('href="https://omega.example/help"');
  expect(text).toContain(`${CATALOGUES[language]['mail.help']}: https://omega.example/help`);
  expect(email.headers.filter(({ key }) => key === 'subject')).toHaveLength(1);
}

describe.each(LANGUAGES)('mails in %s', (language) => {
  const says = CATALOGUES[language];

  it('confirm an address, set a password, change an address and tell of it, with links that work', async () => {
    const { email, client } = await signUpIn(language, 'ja');
    const verification = await running.mailServer.mailTo(email);
    expect(verification.email.subject).toBe(says['mail.verification.subject']);
    expectBranded(verification, language);
    expect(verification.email.html).toContain('background: #ffcc00; color: #000000');
    const link = linkOf(verification);
    expect((await fetch(link)).status).toBe(200);

    await running.anonymous.post('/auth/v1/recover', { email });
    const recovery = await running.mailServer.mailTo(email, 2);
    expect(recovery.email.subject).toContain('Omega & Söhne');
    expect(recovery.email.subject).toBe(
      says['mail.recovery.subject_named'].replace('{brand}', 'Omega & Söhne'),
    );
    expectBranded(recovery, language);
    expect((await fetch(linkOf(recovery))).status).toBe(200);

    const next = freshAddress();
    expect((await client.post('/auth/v1/user/email', { email: next })).status).toBe(202);
    const change = await running.mailServer.mailTo(next);
    expect(change.email.subject).toBe(says['mail.email_change.subject']);
    expectBranded(change, language);
    const notice = await running.mailServer.mailTo(email, 3);
    expect(notice.email.subject).toBe(says['notice.email_change_requested.title']);
    expect(notice.email.text).toContain(says['notice.email_change_requested.message']);
    expectBranded(notice, language);
  });

  it('invite, in the language of the request of whoever invites', async () => {
    const owner = await signUpOwner(running.service.url);
    const to = freshAddress();
    const invited = await owner.client
      .with({ 'accept-language': `zz, ${language};q=0.9, *;q=0.1` })
      .post(`/auth/v1/orgs/${owner.orgId}/invitations`, { email: to, role: 'member' });
    expect(invited.status).toBe(201);
    const mail = await running.mailServer.mailTo(to);
    expectBranded(mail, language);
    expect(mail.email.html).toContain(says['mail.invite.button']);
    const page = await fetch(linkOf(mail), { headers: { 'accept-language': language } });
    expect([page.status, page.headers.get('vary')]).toEqual([200, 'Accept-Language']);
    const markup = await page.text();
    expect(markup).toContain(`<html lang="${language}">`);
    expect(markup).toContain(says['page.invitation.button']);
    expect(page.headers.get('content-security-policy')).toContain('img-src https://cdn.example.com;');
  });
});

describe('the language of a mail', () => {
  it.each<[string | null, string | null, Language]>([
    ['fr-CA', 'de', 'fr'],
    [null, 'de-AT,en;q=0.5', 'de'],
    ['it', 'pt-BR', 'pt'],
    [null, null, 'es'],
    ['it', 'sv', 'es'],
  ])('is for the account %j and the request %j that of %s', async (locale, accept, language) => {
    const { email } = await signUpIn(locale, accept);
    const { email: mail } = await running.mailServer.mailTo(email);
    expect(mail.subject).toBe(CATALOGUES[language]['mail.verification.subject']);
  });

  it('is the one that the user has chosen by the time that it is sent, and is kept in its canonical form', async () => {
    const { email, client } = await signUpIn(null, 'en');
    await running.mailServer.mailTo(email);
    expect((await client.get('/auth/v1/user')).body).not.toHaveProperty('locale');
    const changed = await client.send('PATCH', '/auth/v1/user', { locale: 'pt-br' });
    expect(changed).toMatchObject({ status: 200, body: { locale: 'pt-BR' } });
    await client.post('/auth/v1/verify/resend');
    const { email: mail } = await running.mailServer.mailTo(email, 2);
    expect(mail.subject).toBe(CATALOGUES.pt['mail.verification.subject']);
    const cleared = await client.send('PATCH', '/auth/v1/user', { locale: null });
    expect(cleared.body).not.toHaveProperty('locale');
  });

  it.each(['', 'x', 'en_US', 'de; DROP TABLE users', '<b>', 'x'.repeat(5_000), 1, {}, ['de']])(
    'is not %j, which is refused',
    async (locale) => {
      const { client } = await signUpIn(null, null);
      const answer = await client.send('PATCH', '/auth/v1/user', { locale });
      expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'locale' }] } } });
    },
  );
});

describe('templates of the deployment', () => {
  const own = {
    subject: '{{brand}} {{locale}}',
    html: '<p>{{email}} <a href="{{link}}">in</a></p>',
    text: '{{email}}\n\n{{link}}\n',
  };

  it('are replaced for all languages or for one, and reset', async () => {
    const path = '/admin/v1/templates/verification';
    const builtIn = await operator.get(path);
    expect(builtIn).toMatchObject({ status: 200, body: { name: 'verification', builtin: true } });
    expect((await operator.send('PUT', path, own)).body).toEqual({
      name: 'verification',
      ...own,
      builtin: false,
    });
    const german = { ...own, subject: 'Nur Deutsch' };
    expect((await operator.send('PUT', `${path}?locale=de`, german)).status).toBe(200);
    const listed = await operator.get<{ name: string }[]>('/admin/v1/templates');
    expect(listed.body.find(({ name }) => name === 'verification')).toMatchObject({
      builtin: false,
      own_locales: ['de'],
    });
    const [first, second] = [await signUpIn('de', null), await signUpIn('fr', null)];
    expect((await running.mailServer.mailTo(first.email)).email.subject).toBe('Nur Deutsch');
    expect((await running.mailServer.mailTo(second.email)).email.subject).toBe('Omega & Söhne fr');
    expect((await operator.send('DELETE', path)).status).toBe(204);
    const third = await signUpIn('fr', null);
    expect((await running.mailServer.mailTo(third.email)).email.subject).toBe(
      CATALOGUES.fr['mail.verification.subject'],
    );
    expect((await operator.send('DELETE', `${path}?locale=de`)).status).toBe(204);
    expect((await operator.get(path)).body).toEqual(builtIn.body);
    expect((await operator.get(`${path}?locale=xx`)).status).toBe(400);
    expect((await operator.get('/admin/v1/templates/magic_link')).status).toBe(404);
    expect((await running.anonymous.get(path)).status).toBe(401);
  });

  it('that cannot be used when a mail is sent fail it for good, and say why in the outbox', async () => {
    await running.environment.database.query(
      `INSERT INTO mail_templates (name, locale, subject, html, text) VALUES ('verification', 'ja', '{{nothing}}', 'x', 'x')`,
    );
    const { email } = await signUpIn('ja', null);
    const state = async (): Promise<{ state: string; error: string; attempts: number } | undefined> => {
      const { body } = await operator.get<{ state: string; error: string; attempts: number }[]>(
        `/admin/v1/mail?to=${email}`,
      );
      return body[0];
    };
    await until(async () => (await state())?.state === 'failed');
    expect(await state()).toMatchObject({ attempts: 1 });
    expect(JSON.stringify(await state())).toContain('the template verification has only the variables');
    await running.environment.database.query(`DELETE FROM mail_templates`);
  });

  it('are previewed with made-up values: nothing is sent, nothing is stored, and no token exists', async () => {
    const before = running.mailServer.received.length;
    const tokens = await running.environment.database.query('SELECT FROM one_time_tokens');
    const shown = await operator.post<{ html: string; subject: string }>(
      '/admin/v1/templates/invite/preview',
      {
        locale: 'ja',
        subject: '{{org}}',
        html: '<a href="{{link}}" style="color: {{color}}">{{brand}}</a>',
        text: '{{link}}',
        brand: { name: NAME.replaceAll(/[<>]/g, ''), color: '#123456' },
      },
    );
    expect(shown).toMatchObject({ status: 200, body: { locale: 'ja', text: 'https://example.com/link' } });
    expect(shown.body.html).toContain('#123456');
    const inUse = await operator.post('/admin/v1/templates/recovery/preview', { locale: 'de' });
    expect(inUse.body).toMatchObject({ subject: 'Neues Passwort für Omega & Söhne festlegen' });
    const partial = await operator.post('/admin/v1/templates/recovery/preview', { subject: 'x' });
    expect(partial).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'html' }, { path: 'text' }] } },
    });
    for (const brand of [null, [], 'x'])
      expect(await operator.post('/admin/v1/templates/recovery/preview', { brand })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'brand' }] } },
      });
    // Where there is no brand, the mail would be empty.
    const conditional = { subject: 's', html: '{{#if brand}}{{link}}{{/if}}', text: '{{link}}' };
    expect(await operator.send('PUT', '/admin/v1/templates/recovery', conditional)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'html' }] } },
    });
    expect(running.mailServer.received.length).toBe(before);
    expect(await running.environment.database.query('SELECT FROM one_time_tokens')).toHaveLength(
      tokens.length,
    );
  });

  it('are tried out by a test mail, in the language of the request', async () => {
    const to = freshAddress();
    const german = operator.with({ 'accept-language': 'de' });
    expect((await german.post('/admin/v1/mail/test', { to })).status).toBe(204);
    expect((await running.mailServer.mailTo(to)).email.subject).toBe('Testnachricht: Omega & Söhne');
    expect((await operator.get('/admin/v1/brand')).body).toEqual({
      name: 'Omega & Söhne',
      logo_url: 'https://cdn.example.com/logo.png?a=1&b=2',
      color: '#ffcc00',
      support_url: 'https://omega.example/help',
    });
  });
});
