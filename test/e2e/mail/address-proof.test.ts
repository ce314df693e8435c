import { refresh, signIn } from '../../support/accounts.js';
import { PASSWORD, signUp, signUpOwner } from '../../support/client.js';
import type { Answer, SignedUp } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { tokenOf } from '../../support/mail-server.js';
import { startMailingService } from '../../support/mailing-service.js';
import type { MailingService } from '../../support/mailing-service.js';

interface InvitationBody {
  emailed: boolean;
  link?: string;
}

interface AcceptedBody {
  user: { id: string; email_verified: boolean };
  session?: { access_token: string; refresh_token: string };
}

const CHOSEN = 'chosen by who reads the mail';
const VERIFIED = 'user.email_verified';

let running: MailingService;
let owner: SignedUp & { orgId: string };

beforeAll(async () => {
  running = await startMailingService();
  owner = await signUpOwner(running.service.url);
});

afterAll(async () => {
  await running.stop();
});

/** An account of somebody who does not read the mails to its address, with a second session. */
async function signUpAsSomebodyElse(): Promise<SignedUp & { others: string[] }> {
  const account = await signUp(running.service.url);
  await running.mailServer.mailTo(account.email);
  const second = await signIn(running.anonymous, account.email, PASSWORD);
  expect(second.status).toBe(200);
  return { ...account, others: [second.body.access_token] };
}

async function expectOutside({ email, accessToken, refreshToken, others }: SignedUp & { others: string[] }) {
  const { anonymous } = running;
  for (const token of [accessToken, ...others]) {
    const answer = await anonymous.as(token).get('/auth/v1/user');
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'invalid_access_token' } } });
  }
  expect((await refresh(anonymous, refreshToken)).status).toBe(401);
  expect((await signIn(anonymous, email, PASSWORD)).status).toBe(401);
}

async function expectInside(token: string, email: string): Promise<void> {
  const { status, body } = await running.anonymous.as(token).get('/auth/v1/user');
  expect([status, body.email, body.email_verified]).toEqual([200, email, true]);
}

async function invite(email: string): Promise<InvitationBody> {
  const path = `/auth/v1/orgs/${owner.orgId}/invitations`;
  const { status, body } = await owner.client.post<InvitationBody>(path, { email, role: 'member' });
  expect(status).toBe(201);
  return body;
}

async function mailedInvitation(email: string, mails: number): Promise<string> {
  expect(await invite(email)).toEqual(expect.objectContaining({ emailed: true }));
  return tokenOf(await running.mailServer.mailTo(email, mails));
}

async function shownInvitation(email: string): Promise<string> {
  await running.mailServer.down();
  try {
    const { link = '' } = await invite(email);
    return new URL(link).searchParams.get('token') ?? '';
  } finally {
    await running.mailServer.up();
  }
}

async function accept(
  token: string,
  by: { password?: string; accessToken?: string } = {},
): Promise<Answer<AcceptedBody>> {
  const { accessToken, ...password } = by;
  const client = accessToken === undefined ? running.anonymous : running.anonymous.as(accessToken);
  return await client.post<AcceptedBody>('/auth/v1/invitations/accept', { token, ...password });
}

async function detailsOf(userId: string): Promise<unknown[]> {
  const entries = await running.environment.database.query<{ details: unknown }>(
    'SELECT details FROM audit_entries WHERE chain_id = $1 AND action = $2 ORDER BY position',
    [`user:${userId}`, VERIFIED],
  );
  return entries.map(({ details }) => details);
}

describe('who signed up with the address of somebody else', () => {
  it('is out, with password, sessions and access tokens, once the other recovers the account', async () => {
    const intruder = await signUpAsSomebodyElse();
    await running.anonymous.post('/auth/v1/recover', { email: intruder.email });
    const token = tokenOf(await running.mailServer.mailTo(intruder.email, 2));
    const recovered = await running.anonymous.post<{ access_token: string }>('/auth/v1/recover/complete', {
      token,
      password: CHOSEN,
    });
    expect(recovered.status).toBe(200);
    await expectOutside(intruder);
    await expectInside(recovered.body.access_token, intruder.email);
    const signedIn = await signIn(running.anonymous, intruder.email, CHOSEN);
    await expectInside(signedIn.body.access_token, intruder.email);
    expect(await detailsOf(intruder.userId)).toEqual([
      { by: 'recovery', password_removed: true, sessions_revoked: 2 },
    ]);
  });

  it('is out once the other accepts a mailed invitation with a password of their own', async () => {
    const intruder = await signUpAsSomebodyElse();
    const token = await mailedInvitation(intruder.email, 2);
    expect(await accept(token)).toMatchObject({ status: 401, body: { error: { code: 'sign_in_required' } } });
    const { status, body } = await accept(token, { password: CHOSEN });
    expect([status, body.user]).toEqual([
      200,
      expect.objectContaining({ id: intruder.userId, email_verified: true }),
    ]);
    await expectOutside(intruder);
    await expectInside(body.session?.access_token ?? '', intruder.email);
    expect((await signIn(running.anonymous, intruder.email, CHOSEN)).status).toBe(200);
  });

  it('is out once the other accepts a mailed invitation on its page, which asks for a new password', async () => {
    const intruder = await signUpAsSomebodyElse();
    const token = await mailedInvitation(intruder.email, 2);
    const page = `${running.service.url}/auth/v1/pages/invitation`;
    expect(await (await fetch(`${page}?token=${token}`)).text()).toContain('New password');
    const body = new URLSearchParams({ token, password: CHOSEN, repeat: CHOSEN });
    expect((await fetch(page, { method: 'POST', body })).status).toBe(200);
    await expectOutside(intruder);
    expect((await signIn(running.anonymous, intruder.email, CHOSEN)).status).toBe(200);
  });

  it('gets in nowhere by their own session, which ends even when it presents the mailed token', async () => {
    const intruder = await signUpAsSomebodyElse();
    const token = await mailedInvitation(intruder.email, 2);
    const { status, body } = await accept(token, { accessToken: intruder.accessToken });
    expect(status).toBe(200);
    await expectOutside(intruder);
    await expectInside(body.session?.access_token ?? '', intruder.email);
    expect((await refresh(running.anonymous, body.session?.refresh_token ?? '')).status).toBe(200);
  });

  it('is out whichever of two simultaneous proofs is the first', async () => {
    const intruder = await signUpAsSomebodyElse();
    const invitation = await mailedInvitation(intruder.email, 2);
    await running.anonymous.post('/auth/v1/recover', { email: intruder.email });
    const token = tokenOf(await running.mailServer.mailTo(intruder.email, 3));
    const [recovered, accepted] = await Promise.all([
      running.anonymous.post('/auth/v1/recover/complete', { token, password: CHOSEN }),
      accept(invitation, { password: CHOSEN }),
    ]);
    expect(recovered.status).toBe(200);
    expect([200, 401]).toContain(accepted.status);
    await expectOutside(intruder);
    expect((await signIn(running.anonymous, intruder.email, CHOSEN)).status).toBe(200);
    expect(await detailsOf(intruder.userId)).toHaveLength(1);
  });
});

it("a sign-up's own verification mail verifies the address and leaves password and sessions alone", async () => {
  const ada = await signUp(running.service.url);
  const token = tokenOf(await running.mailServer.mailTo(ada.email));
  expect((await running.anonymous.post('/auth/v1/verify', { token })).status).toBe(200);
  await expectInside(ada.accessToken, ada.email);
  expect((await refresh(running.anonymous, ada.refreshToken)).status).toBe(200);
  expect((await signIn(running.anonymous, ada.email, PASSWORD)).status).toBe(200);
});

describe('an invitation whose link an answer showed', () => {
  it('makes an unverified account, which is asked to confirm its address by mail', async () => {
    const email = 'ceo@bigbank.example';
    const token = await shownInvitation(email);
    const { status, body } = await accept(token, { password: CHOSEN });
    expect([status, body.user.email_verified]).toEqual([200, false]);
    expect((await running.mailServer.mailTo(email)).email.subject).toContain('Confirm');
    expect(await detailsOf(body.user.id)).toEqual([]);
  });

  it('admits no one to an unverified account without its password or session, and does not verify the account', async () => {
    const ada = await signUp(running.service.url);
    const token = await shownInvitation(ada.email);
    expect(await accept(token, { password: CHOSEN })).toMatchObject({
      status: 401,
      body: { error: { code: 'sign_in_required' } },
    });
    const { status, body } = await accept(token, { accessToken: ada.accessToken });
    expect([status, body.user.email_verified, body.session]).toEqual([200, false, undefined]);
    expect((await ada.client.get('/auth/v1/user')).body).toMatchObject({ email_verified: false });
    expect((await signIn(running.anonymous, ada.email, PASSWORD)).status).toBe(200);
  });

  it('is replaced by a mailed one, which does verify', async () => {
    const email = 'replaced@example.com';
    const shown = await shownInvitation(email);
    const mailed = await mailedInvitation(email, 1);
    expect((await accept(shown, { password: CHOSEN })).status).toBe(400);
    expect((await accept(mailed, { password: CHOSEN })).body.user.email_verified).toBe(true);
  });
});
