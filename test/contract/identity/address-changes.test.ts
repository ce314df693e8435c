import { actionsOf } from '../../support/accounts.js';
import type { Answer, Client } from '../../support/client.js';
import { PASSWORD } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { tokenOf } from '../../support/mail-server.js';
import { freshAddress, newUser, organizationGround, projectGround } from './identity-ground.js';
import type { IdentityGround, Outcome } from './identity-ground.js';

interface Refusal {
  error?: { code: string };
}

/** Section 11 of the contract, of both profiles. */
describe.each([
  ['organizations', organizationGround],
  ['projects', projectGround],
])('a change of address in %s', (profile, prepareGround) => {
  let ground: IdentityGround;

  beforeAll(async () => {
    ground = await prepareGround();
  });

  afterAll(async () => {
    await ground.stop();
  });

  function clientOf({ accessToken }: Outcome): Client {
    return ground.authenticated(accessToken);
  }

  async function request(user: Outcome, email: string): Promise<Answer<Refusal | null>> {
    return await clientOf(user).post<Refusal | null>('/auth/v1/user/email', { email });
  }

  async function complete(token: string): Promise<Answer<Refusal | null>> {
    return await ground.anonymous.post<Refusal | null>('/auth/v1/user/email/complete', { token });
  }

  /** Ends one session of the user by another, as who does not know it does. */
  async function endSession(by: Outcome, ended: Outcome): Promise<void> {
    const { body } = await clientOf(ended).get<{ id: string; current: boolean }[]>('/auth/v1/sessions');
    const { id } = body.find(({ current }) => current) ?? { id: '' };
    expect((await clientOf(by).send('DELETE', `/auth/v1/sessions/${id}`)).status).toBe(204);
  }

  /** @returns the token of the mail to the new address */
  async function requested(user: Outcome, email: string): Promise<string> {
    expect((await request(user, email)).status).toBe(202);
    return tokenOf(await ground.mailServer.mailTo(email, 1));
  }

  it('is in force once the link to the new address is used, and at no moment finds none or two', async () => {
    const user = await newUser(ground);
    const wanted = freshAddress();
    const token = await requested(user, wanted);
    const notice = await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 1);
    expect(notice.email.subject).toBe('Your address is about to change');
    expect(notice.email.text).not.toContain(wanted);
    expect((await ground.signIn(user.email)).status).toBe(200);
    expect((await ground.signIn(wanted)).status).toBe(401);

    expect((await complete(token)).status).toBe(204);
    expect((await ground.signIn(user.email)).status).toBe(401);
    const session = await ground.signIn(wanted);
    expect(session).toMatchObject({ status: 200, userId: user.userId });
    const [row] = await ground.environment.database.query(
      'SELECT email, email_verified FROM users WHERE id = $1',
      [user.userId],
    );
    expect(row).toEqual({ email: wanted, email_verified: true });
    const told = await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 2);
    expect(told.email.subject).toBe('Your address was changed');
    expect((await complete(token)).body?.error?.code).toBe('invalid_token');
    expect(await actionsOf(ground.environment.database, user.userId)).toEqual(
      expect.arrayContaining(['user.email_change_requested', 'user.email_changed']),
    );
  });

  it('needs a proof of the last ten minutes', async () => {
    const user = await newUser(ground);
    await ground.environment.database.query(
      `UPDATE sessions SET auth_time = now() - interval '11 minutes' WHERE user_id = $1`,
      [user.userId],
    );
    expect(await request(user, freshAddress())).toMatchObject({
      status: 403,
      body: { error: { code: 'reauthentication_required' } },
    });
    await clientOf(user).post('/auth/v1/reauthenticate', { password: PASSWORD });
    expect((await request(user, freshAddress())).status).toBe(202);
  });

  it('says nothing of whether the new address has an account, but to who reads its mails', async () => {
    const [user, other] = [await newUser(ground), await newUser(ground)];
    expect((await request(user, other.email)).status).toBe(202);
    const mail = await ground.mailServer.mailTo(other.email, ground.mailsOfSignUp + 1);
    expect(await complete(tokenOf(mail))).toMatchObject({
      status: 409,
      body: { error: { code: 'email_taken' } },
    });
    expect((await ground.signIn(other.email)).userId).toBe(other.userId);
    expect((await ground.signIn(user.email)).userId).toBe(user.userId);
  });

  it('gives an address that two ask for to one of them', async () => {
    const users = [await newUser(ground), await newUser(ground)];
    const wanted = freshAddress();
    // By the table, because the limits on mails let one of the two mails through.
    const tokens = await Promise.all(
      users.map(async (user, index) => {
        await request(user, wanted);
        const token = `token-${index}-${wanted}`;
        await ground.environment.database.query(
          `UPDATE address_changes SET token_hash = sha256(convert_to($2, 'UTF8')) WHERE user_id = $1`,
          [user.userId, token],
        );
        return token;
      }),
    );
    const answers = await Promise.all(tokens.map(complete));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('is void after a newer one, a new password, the end of its session by another or of all sessions, and a day', async () => {
    const user = await newUser(ground);
    const first = await requested(user, freshAddress());
    const second = await requested(user, freshAddress());
    expect((await complete(first)).body?.error?.code).toBe('invalid_token');
    await ground.manager.send('PUT', `${ground.managed}/${user.userId}/password`, {
      password: 'a wholly other password',
    });
    expect((await complete(second)).body?.error?.code).toBe('invalid_token');

    const robbed = await newUser(ground);
    const stolen = await requested(robbed, freshAddress());
    await ground.manager.send('DELETE', `${ground.managed}/${robbed.userId}/sessions`);
    expect((await complete(stolen)).body?.error?.code).toBe('invalid_token');

    const owner = await newUser(ground);
    const [thief, phone] = [await ground.signIn(owner.email), await ground.signIn(owner.email)];
    const foreign = await requested(thief, freshAddress());
    await endSession(owner, thief);
    expect((await complete(foreign)).body?.error?.code).toBe('invalid_token');
    // Another one, and a logout, leave the change as it is.
    const own = await requested(owner, freshAddress());
    await endSession(owner, phone);
    await ground.logOut({ scope: 'local' }, owner.accessToken);
    expect((await complete(own)).status).toBe(204);

    const late = await newUser(ground);
    const token = await requested(late, freshAddress());
    await ground.environment.database.query(
      `UPDATE address_changes SET expires_at = now() WHERE user_id = $1`,
      [late.userId],
    );
    expect((await complete(token)).body?.error?.code).toBe('invalid_token');
  });

  it('is void once its session has ended because a refresh token was used twice', async () => {
    const user = await newUser(ground);
    const session = await ground.signIn(user.email);
    const token = await requested(session, freshAddress());
    const second = await ground.refresh(session.refreshToken);
    await ground.refresh(second.refreshToken);
    const reused = await ground.refresh(session.refreshToken);
    // Projects keep no used tokens, so they cannot tell.
    const hasEnded = profile === 'organizations';
    expect(reused.code).toBe(hasEnded ? 'refresh_token_reused' : 'invalid_refresh_token');
    expect((await complete(token)).status).toBe(hasEnded ? 400 : 204);
  });

  it('voids the links that were mailed to the old address, also once the account has it again', async () => {
    const user = await newUser(ground);
    await ground.recover(user.email);
    const recovery = tokenOf(await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 1));
    const other = freshAddress();
    expect((await complete(await requested(user, other))).status).toBe(204);
    const isRefused = async (): Promise<void> => {
      expect(await ground.completeRecovery(recovery, 'a wholly other password')).toMatchObject({
        status: 400,
        code: 'invalid_token',
      });
    };
    await isRefused();
    expect((await request(await ground.signIn(other), user.email)).status).toBe(202);
    // By the table, since mails to the old address are counted by the limits on mails.
    await ground.environment.database.query(
      `UPDATE address_changes SET token_hash = sha256('back') WHERE user_id = $1`,
      [user.userId],
    );
    expect((await complete('back')).status).toBe(204);
    expect((await ground.signIn(user.email)).status).toBe(200);
    await isRefused();
  });

  it('refuses the address that the account has, and what is none', async () => {
    const user = await newUser(ground);
    for (const email of [user.email, user.email.toUpperCase(), 'nowhere', ''])
      expect(await request(user, email)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_failed', details: [{ path: 'email' }] } },
      });
  });

  it('is confirmed on the page that the mail opens, which looking at changes nothing', async () => {
    const user = await newUser(ground);
    const wanted = freshAddress();
    await request(user, wanted);
    const { email } = await ground.mailServer.mailTo(wanted, 1);
    const link = new URL(/https?:\/\/\S+/.exec(email.text ?? '')?.[0] ?? '');
    const page = `${ground.service.url}${link.pathname.replace('/base', '')}`;
    for (let look = 0; look < 2; look += 1) {
      const shown = await fetch(`${page}${link.search}`);
      expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await shown.text()).toContain(wanted);
    }
    const submit = async (): Promise<Response> =>
      await fetch(page, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token: link.searchParams.get('token') ?? '' }),
      });
    expect((await submit()).status).toBe(200);
    expect((await ground.signIn(wanted)).userId).toBe(user.userId);
    expect((await submit()).status).toBe(400);
  });
});
