import { mailBackoffSecs } from '../../../src/identity/mail-outbox/mail-delivery.js';
import type { PasswordPolicy } from '../../../src/identity/passwords/password-policy.js';
import { InvitationTokens } from '../../../src/identity/profiles/organization/index.js';
import type { InvitationDescription } from '../../../src/identity/profiles/organization/index.js';
import { NO_BRAND } from '../../../src/identity/brand/index.js';
import { builtInTemplate } from '../../../src/identity/mail-templates/index.js';
import { PageView } from '../../../src/identity/pages/index.js';
import { PROJECT_TEMPLATES } from '../../../src/identity/profiles/project/mail/project-mails.js';
import { LANGUAGES } from '../../../src/platform/languages/index.js';
import { html } from '../../../src/identity/pages/html.js';
import { InvitationPage } from '../../../src/identity/profiles/organization/pages/invitation-page.js';
import type { PageEndings } from '../../../src/identity/redirects/page-endings.js';
import { ServiceError } from '../../../src/http/index.js';
import type { ErrorCode } from '../../../src/http/index.js';

/** What a reader sees of markup. */
function textOf(markup: string): string {
  return markup.replace(/<style>.*?<\/style>/s, '').replaceAll(/<[^>]+>/g, '');
}

const POLICY = { minLength: 8, tooShort: 'must have at least 8 characters' } as PasswordPolicy;
const VIEW = new PageView('en', NO_BRAND);
/** Of pages that lead nowhere else. */
const NOWHERE = { destinationOf: () => Promise.resolve(null) } as unknown as PageEndings;
const ORIGIN = { ip: '127.0.0.1', userAgent: null };
const OFFER = {
  orgName: 'A & <b>',
  email: 'ada@example.com',
  role: 'member',
  needs: 'password',
  redirectTo: null,
  locale: null,
} as const;

/** One invitation, whose token is `good`. */
class OneInvitation extends InvitationTokens {
  readonly accepted: string[] = [];

  constructor(
    private readonly offer: InvitationDescription,
    private readonly refusal: ErrorCode | null = null,
  ) {
    super();
  }

  describe(token: string): Promise<InvitationDescription | null> {
    return Promise.resolve(token === 'good' ? this.offer : null);
  }

  acceptWithPassword(_token: string, password: string): Promise<{ location: string | null }> {
    if (this.refusal !== null) return Promise.reject(new ServiceError(this.refusal));
    this.accepted.push(password);
    return Promise.resolve({ location: null });
  }
}

test('an invitation without an account asks for a new password twice and accepts with it', async () => {
  const invitation = new OneInvitation(OFFER);
  const page = new InvitationPage(POLICY, NOWHERE, invitation);
  const shown = await page.show(VIEW, 'good');
  expect(shown.status).toBe(200);
  expect(shown.markup).toContain('A &amp; &lt;b&gt;');
  expect(shown.markup).not.toContain('<b>');
  expect(shown.markup).toContain('name="repeat"');
  expect(invitation.accepted).toEqual([]);

  const differing = await page.submit(
    VIEW,
    { token: 'good', password: 'long enough', repeat: 'other' },
    ORIGIN,
  );
  expect(differing.status).toBe(400);
  expect(differing.markup).toContain('The two passwords are not the same.');
  const fields = { token: 'good', password: 'long enough', repeat: 'long enough' };
  expect((await page.submit(VIEW, fields, ORIGIN)).status).toBe(200);
  expect(invitation.accepted).toEqual(['long enough']);
});

test('an invitation to an account asks for its password, and a wrong one may be tried again', async () => {
  const invitation = new OneInvitation({ ...OFFER, needs: 'sign_in' }, 'invalid_credentials');
  const page = new InvitationPage(POLICY, NOWHERE, invitation);
  expect((await page.show(VIEW, 'good')).markup).toContain('autocomplete="current-password"');
  const refused = await page.submit(VIEW, { token: 'good', password: 'wrong' }, ORIGIN);
  expect(refused.status).toBe(400);
  expect(refused.markup).toContain('The password is wrong.');
  expect(refused.markup).toContain('<form');
});

test.each<[ErrorCode, number]>([
  ['role_deleted', 409],
  ['invitation_void', 409],
  ['invalid_token', 400],
])('%s is a page of its own with status %i', async (code, status) => {
  const page = new InvitationPage(POLICY, NOWHERE, new OneInvitation(OFFER, code));
  const answer = await page.submit(VIEW, { token: 'good', password: 'long enough' }, ORIGIN);
  expect(answer.status).toBe(status);
  expect(answer.markup).not.toContain('<form');
});

test('a refused password is marked at its field, and described by the problem and the hint', async () => {
  const page = new InvitationPage(POLICY, NOWHERE, new OneInvitation(OFFER, 'weak_password'));
  expect((await page.show(VIEW, 'good')).markup).not.toContain('aria-invalid=');
  const { markup } = await page.submit(
    VIEW,
    { token: 'good', password: 'password', repeat: 'password' },
    ORIGIN,
  );
  const [first, ...others] = [...markup.matchAll(/<input[^>]*type="password"[^>]*>/g)].map(([tag]) => tag);
  expect(first).toContain('aria-invalid="true"');
  expect(first).toContain('aria-describedby="password-problem password-hint"');
  expect(markup).toContain('<p class="problem" id="password-problem" role="alert">');
  expect(others.join('')).not.toContain('aria-invalid=');
});

test('a page without a form says what to do next, and puts no second full stop after a name that ends in one', async () => {
  const offer = { ...OFFER, orgName: 'Acme Inc.' };
  const fields = { token: 'good', password: 'long enough', repeat: 'long enough' };
  const shown = await new InvitationPage(POLICY, NOWHERE, new OneInvitation(offer)).show(VIEW, 'good');
  const ends = await Promise.all([
    new InvitationPage(POLICY, NOWHERE, new OneInvitation(offer)).submit(VIEW, fields, ORIGIN),
    ...(['role_deleted', 'invalid_token', 'sign_up_closed', 'rate_limited'] as const).map((code) =>
      new InvitationPage(POLICY, NOWHERE, new OneInvitation(offer, code)).submit(VIEW, fields, ORIGIN),
    ),
  ]);
  for (const { markup } of ends) expect(markup).toMatch(/<p class="next">[A-Z][^<]+\.<\/p>/);
  for (const { markup } of [shown, ...ends]) expect(textOf(markup)).not.toMatch(/\.\s*\./);
});

test('a mail puts no second full stop after a name that ends in one', () => {
  const organizations = ['link', 'email', 'org', 'role', 'inviter'] as const;
  const sources = LANGUAGES.flatMap((language) => [
    builtInTemplate('invite', language, organizations),
    ...PROJECT_TEMPLATES.names.map((name) =>
      builtInTemplate(name, language, PROJECT_TEMPLATES.variablesOf(name)),
    ),
  ]);
  for (const { subject, html: markup, text } of sources)
    for (const part of [subject, textOf(markup), text])
      expect(part).not.toMatch(/\{\{(?:brand|project|org|inviter|role)\}\}\./);
});

test('without a keeper of invitations every link is dead', async () => {
  const page = new InvitationPage(POLICY, NOWHERE);
  expect((await page.show(VIEW, 'good')).status).toBe(400);
  expect((await page.submit(VIEW, { token: 'good', password: 'long enough' }, ORIGIN)).status).toBe(400);
});

test('text in markup is escaped, markup in markup is not', () => {
  const rendered = html`<p title="${'"\''}">${'<&>'}${html`<b>${1}</b>`}${null}</p>`;
  expect(rendered.markup).toBe('<p title="&quot;&#39;">&lt;&amp;&gt;<b>1</b></p>');
});

test('a mail is tried again after 1, 2, 4 … seconds, and never later than a quarter of an hour', () => {
  expect(
    [1, 2, 3, 10, 11, 500].map((attempt) =>
      mailBackoffSecs(attempt, { firstRetrySecs: 1, longestRetrySecs: 900 }),
    ),
  ).toEqual([1, 2, 4, 512, 900, 900]);
});
