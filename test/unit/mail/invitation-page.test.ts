import { mailBackoffSecs } from '../../../src/identity/mail-outbox/mail-delivery.js';
import type { PasswordPolicy } from '../../../src/identity/passwords/password-policy.js';
import { InvitationEntry } from '../../../src/identity/profiles/organization/index.js';
import type { InvitationDescription } from '../../../src/identity/profiles/organization/index.js';
import { html } from '../../../src/identity/pages/html.js';
import { InvitationPage } from '../../../src/identity/profiles/organization/pages/invitation-page.js';
import { ServiceError } from '../../../src/http/index.js';
import type { ErrorCode } from '../../../src/http/index.js';

const POLICY = { minLength: 8 } as PasswordPolicy;
const ORIGIN = { ip: '127.0.0.1', userAgent: null };
const OFFER = { orgName: 'A & <b>', email: 'ada@example.com', role: 'member', needs: 'password' } as const;

/** One invitation, whose token is `good`. */
class OneInvitation extends InvitationEntry {
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

  acceptWithPassword(_token: string, password: string): Promise<void> {
    if (this.refusal !== null) return Promise.reject(new ServiceError(this.refusal));
    this.accepted.push(password);
    return Promise.resolve();
  }
}

test('an invitation without an account asks for a new password twice and accepts with it', async () => {
  const invitation = new OneInvitation(OFFER);
  const page = new InvitationPage(POLICY, invitation);
  const shown = await page.show('good');
  expect(shown.status).toBe(200);
  expect(shown.markup).toContain('A &amp; &lt;b&gt;');
  expect(shown.markup).not.toContain('<b>');
  expect(shown.markup).toContain('name="repeat"');
  expect(invitation.accepted).toEqual([]);

  const differing = await page.submit({ token: 'good', password: 'long enough', repeat: 'other' }, ORIGIN);
  expect(differing.status).toBe(400);
  expect(differing.markup).toContain('The password was not the same both times.');
  const fields = { token: 'good', password: 'long enough', repeat: 'long enough' };
  expect((await page.submit(fields, ORIGIN)).status).toBe(200);
  expect(invitation.accepted).toEqual(['long enough']);
});

test('an invitation to an account asks for its password, and a wrong one may be tried again', async () => {
  const invitation = new OneInvitation({ ...OFFER, needs: 'sign_in' }, 'invalid_credentials');
  const page = new InvitationPage(POLICY, invitation);
  expect((await page.show('good')).markup).toContain('autocomplete="current-password"');
  const refused = await page.submit({ token: 'good', password: 'wrong' }, ORIGIN);
  expect(refused.status).toBe(400);
  expect(refused.markup).toContain('The password is wrong.');
  expect(refused.markup).toContain('<form');
});

test.each<[ErrorCode, number]>([
  ['role_deleted', 409],
  ['invitation_void', 409],
  ['invalid_token', 400],
])('%s is a page of its own with status %i', async (code, status) => {
  const page = new InvitationPage(POLICY, new OneInvitation(OFFER, code));
  const answer = await page.submit({ token: 'good', password: 'long enough' }, ORIGIN);
  expect(answer.status).toBe(status);
  expect(answer.markup).not.toContain('<form');
});

test('without a keeper of invitations every link is dead', async () => {
  const page = new InvitationPage(POLICY);
  expect((await page.show('good')).status).toBe(400);
  expect((await page.submit({ token: 'good', password: 'long enough' }, ORIGIN)).status).toBe(400);
});

test('text in markup is escaped, markup in markup is not', () => {
  const rendered = html`<p title="${'"\''}">${'<&>'}${html`<b>${1}</b>`}${null}</p>`;
  expect(rendered.markup).toBe('<p title="&quot;&#39;">&lt;&amp;&gt;<b>1</b></p>');
});

test('a mail is tried again after 1, 2, 4 … seconds, and never later than a quarter of an hour', () => {
  expect([1, 2, 3, 10, 11, 500].map(mailBackoffSecs)).toEqual([1, 2, 4, 512, 900, 900]);
});
