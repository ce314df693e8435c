import { randomBytes } from 'node:crypto';
import { CATALOGUES } from '../../../src/identity/languages/index.js';
import { LANGUAGES } from '../../../src/platform/languages/index.js';
import type { Language } from '../../../src/platform/languages/index.js';
import { PASSWORD } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { linkOf } from '../../support/mail-server.js';
import type { ReceivedMail } from '../../support/mail-server.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects, ProjectSession } from '../../support/mailing-project.js';
import type { TestProject } from '../../support/project-environment.js';

const BRAND = {
  name: 'Ömega & مَرحبا',
  logo_url: 'https://cdn.example.com/logo.png',
  color: '#123456',
  support_url: 'mailto:help@omega.example',
};

let running: MailingProjects;
let project: TestProject;

beforeAll(async () => {
  running = await startMailingProjects({
    SERVICE_LIMITS__MAIL_INTERVAL_SECS: '0',
    SERVICE_LIMITS__MAILS_PER_RECIPIENT: '0',
  });
  project = await running.project();
  expect((await project.service.send('PUT', '/auth/v1/brand', BRAND)).body).toEqual(BRAND);
});

afterAll(async () => {
  await running.stop();
});

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

function expectBranded({ email }: ReceivedMail, language: Language): void {
  expect(email.html).toContain(`<html lang="${language}">`);
  expect(email.html).toContain('alt="Ömega &amp; مَرحبا"');
  expect(email.html).toContain('href="mailto:help@omega.example"');
  expect(email.text).toContain(`${CATALOGUES[language]['mail.help']}: mailto:help@omega.example`);
}

/** The page of a mail, at this program, since links lead to the public address. */
async function pageOf(mail: ReceivedMail, language: Language): Promise<Response> {
  const { pathname, search } = linkOf(mail);
  const address = `${running.service.url}${pathname.replace(/^\/base/, '')}${search}`;
  return await fetch(address, { headers: { 'accept-language': language } });
}

describe.each(LANGUAGES)('mails of a project in %s', (language) => {
  const says = CATALOGUES[language];
  const branded = (text: string): string => text.replace('{brand}', BRAND.name);

  it('sign in, set a password and change an address, with pages in the language', async () => {
    const email = freshAddress();
    const { body } = await project.anon.post<ProjectSession>('/auth/v1/signup', {
      email,
      password: PASSWORD,
      locale: language,
    });
    expect(body.user).toMatchObject({ locale: language });
    await project.anon.post('/auth/v1/magic-link', { email });
    const magicLink = await running.mailServer.mailTo(email);
    expect(magicLink.email.subject).toBe(branded(says['mail.magic_link.subject']));
    expect(magicLink.email.html).toContain('background: #123456; color: #ffffff');
    expectBranded(magicLink, language);
    await project.anon.post('/auth/v1/recover', { email });
    const recovery = await running.mailServer.mailTo(email, 2);
    expect(recovery.email.subject).toBe(branded(says['mail.recovery.subject_named']));
    expectBranded(recovery, language);
    for (const [mail, title] of [
      [magicLink, says['page.magic_link.title']],
      [recovery, says['page.recover.title']],
    ] as const) {
      const page = await pageOf(mail, 'en');
      expect([page.status, page.headers.get('vary')]).toEqual([200, 'Accept-Language']);
      const markup = await page.text();
      expect(markup).toContain(`<html lang="${language}">`);
      expect(markup).toContain(`<title>${title}</title>`);
      expect(markup).toContain('src="https://cdn.example.com/logo.png"');
    }
    const next = freshAddress();
    const session = project.anon.as(body.access_token);
    expect((await session.post('/auth/v1/user/email', { email: next })).status).toBe(202);
    expectBranded(await running.mailServer.mailTo(next), language);
    const notice = await running.mailServer.mailTo(email, 3);
    expect(notice.email.subject).toBe(says['notice.email_change_requested.title']);
    expectBranded(notice, language);
  });

  it('invite, in the language of the request', async () => {
    const email = freshAddress();
    const invited = await project.service
      .with({ 'accept-language': language })
      .post('/auth/v1/invite', { email });
    expect(invited.status).toBe(201);
    const mail = await running.mailServer.mailTo(email);
    expect(mail.email.subject).toBe(branded(says['mail.invite.subject']));
    expectBranded(mail, language);
    const dead = await fetch(`${running.service.url}/auth/v1/pages/${project.ref}/invite?token=x`, {
      headers: { 'accept-language': language },
    });
    expect(dead.status).toBe(400);
    expect(await dead.text()).toContain(says['page.dead_link.title']);
  });
});

describe('the language of an account', () => {
  it('is changed by its user', async () => {
    const email = freshAddress();
    const { body } = await project.anon.post<ProjectSession>('/auth/v1/signup', {
      email,
      password: PASSWORD,
    });
    const user = project.anon.as(body.access_token);
    expect((await user.get('/auth/v1/user')).body).toEqual({ id: body.user.id, email });
    const changed = await user.send('PATCH', '/auth/v1/user', { locale: 'ja-jp' });
    expect(changed).toMatchObject({ status: 200, body: { locale: 'ja-JP' } });
    expect((await user.get('/auth/v1/user')).body).toEqual({ id: body.user.id, email, locale: 'ja-JP' });
    expect((await user.send('PATCH', '/auth/v1/user', { locale: 'nonsense!' })).status).toBe(400);
  });
});

describe('the brand of a project', () => {
  it('is replaced as a whole, is its name without one, and leaves other projects alone', async () => {
    const [mine, other] = [await running.project(), await running.project()];
    const none = { name: null, logo_url: null, color: null, support_url: null };
    expect((await mine.service.get('/auth/v1/brand')).body).toEqual(none);
    await mine.service.send('PUT', '/auth/v1/brand', BRAND);
    expect((await other.service.get('/auth/v1/brand')).body).toEqual(none);
    expect((await mine.service.send('PUT', '/auth/v1/brand', { color: '#ABCDEF' })).body).toEqual({
      ...none,
      color: '#abcdef',
    });
    const to = freshAddress();
    await mine.service.post('/auth/v1/invite', { email: to });
    expect((await running.mailServer.mailTo(to)).email.subject).toBe(
      `You are invited to Project ${mine.ref}`,
    );
    expect((await mine.anon.get('/auth/v1/brand')).status).toBe(403);
  });

  it.each([
    [{ name: 'Sign in at https://evil.example' }, 'name'],
    [{ name: 'two\r\nBcc: lines@example.com' }, 'name'],
    [{ name: '' }, 'name'],
    [{ logo_url: 'http://example.com/logo.png' }, 'logo_url'],
    [{ logo_url: 'javascript:alert(1)' }, 'logo_url'],
    [{ logo_url: 'https://a;script-src/logo.png' }, 'logo_url'],
    [{ color: 'red;background:url(https://evil.example)' }, 'color'],
    [{ color: 5 }, 'color'],
    [{ support_url: 'javascript:alert(1)' }, 'support_url'],
    [{ support_url: 'mailto:a@b.c?body=x' }, 'support_url'],
    [{ nonsense: 1 }, 'nonsense'],
  ])('with %j is refused at %s', async (change, path) => {
    const answer = await project.service.send('PUT', '/auth/v1/brand', { ...BRAND, ...change });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } });
    expect((await project.service.get('/auth/v1/brand')).body).toEqual(BRAND);
  });

  it('breaks no header and no markup, whatever it says', async () => {
    const mine = await running.project();
    const name = `<img src=x onerror=alert(1)> "quoted" 'single' & {{link}} {email} #`;
    expect((await mine.service.send('PUT', '/auth/v1/brand', { name })).status).toBe(200);
    const to = freshAddress();
    await mine.service.post('/auth/v1/invite', { email: to });
    const { email } = await running.mailServer.mailTo(to);
    expect(email.subject).toBe(`You are invited to ${name}`);
    expect(email.html).not.toContain('<img src=x');
    expect(email.text).toContain(name);
  });
});
