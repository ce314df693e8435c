import { createHash, randomBytes } from 'node:crypto';
import { actionsOf } from '../../support/accounts.js';
import { fetch } from '../../support/fetch.js';
import { codeOf, locationOf, MailedPage } from '../../support/mailed-page.js';
import { addFactor } from '../../support/second-factor.js';
import { freshAddress, newUser, organizationGround, projectGround } from './identity-ground.js';
import type { IdentityGround, Outcome } from './identity-ground.js';

const APP = 'https://app.example.com/welcome?from=mail';
const NEW_PASSWORD = 'a wholly other password';
const FORM = { password: NEW_PASSWORD, repeat: NEW_PASSWORD };

interface Proof {
  readonly verifier: string;
  readonly challenge: string;
}

function proofKey(): Proof {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Section 11 of the contract, of both profiles. */
describe.each([
  ['organizations', organizationGround],
  ['projects', projectGround],
])('the way back into the application in %s', (_profile, prepareGround) => {
  let ground: IdentityGround;

  beforeAll(async () => {
    ground = await prepareGround();
  });

  afterAll(async () => {
    await ground.stop();
  });

  async function query(sql: string, parameters: unknown[]): Promise<Record<string, unknown>[]> {
    return await ground.environment.database.query(sql, parameters);
  }

  /** The page of a recovery mail to a user who had none yet. */
  async function recoveryPage(
    { email }: Outcome,
    fields: Record<string, string> = { redirect_to: APP },
    mailsBefore = ground.mailsOfSignUp,
  ): Promise<MailedPage> {
    const { status } = await ground.anonymous.post('/auth/v1/recover', { email, ...fields });
    expect([200, 204]).toContain(status);
    return new MailedPage(ground.service, await ground.mailServer.mailTo(email, mailsBefore + 1));
  }

  /** A code for a new user, by the page of a recovery mail. */
  async function recoveredCode(fields?: Record<string, string>): Promise<{ user: Outcome; code: string }> {
    const user = await newUser(ground);
    const page = await recoveryPage(user, fields);
    return { user, code: codeOf(await page.submit(FORM)) };
  }

  it('is a code at the end of the redirect URL, which opens one session', async () => {
    const user = await newUser(ground);
    const page = await recoveryPage(user);
    const shown = await page.show();
    expect(await shown.text()).toContain('<strong><bdi>app.example.com</bdi></strong>');
    const answer = await page.submit(FORM);
    const location = locationOf(answer);
    expect(location.href).toMatch(/^https:\/\/app\.example\.com\/welcome\?from=mail&code=[\w-]{43}$/);
    expect(await answer.text()).not.toContain(codeOf(answer));
    const session = await ground.exchange({ code: codeOf(answer) });
    expect(session).toMatchObject({ status: 200, userId: user.userId });
    expect((await ground.user(session.accessToken)).email).toBe(user.email);
    expect(await ground.exchange({ code: codeOf(answer) })).toMatchObject({
      status: 400,
      code: 'invalid_code',
    });
    expect(await actionsOf(ground.environment.database, user.userId)).toContain('session.opened');
  });

  it('leads through pages that nobody caches and that send their address nowhere', async () => {
    const page = await recoveryPage(await newUser(ground));
    for (const answer of [await page.show(), await page.submit({ password: 'short', repeat: 'short' })]) {
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-security-policy')).toContain(
        "form-action 'self' https://app.example.com;",
      );
    }
    const ended = await page.submit(FORM);
    expect(ended.status).toBe(303);
    expect(ended.headers.get('referrer-policy')).toBe('no-referrer');
    expect(ended.headers.get('cache-control')).toBe('no-store');
  });

  it('may be the scheme of an application on the device', async () => {
    const page = await recoveryPage(await newUser(ground), { redirect_to: 'com.example.app:/signed-in' });
    const shown = await page.show();
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self' com.example.app:;");
    const answer = await page.submit(FORM);
    expect(locationOf(answer).protocol).toBe('com.example.app:');
    expect((await ground.exchange({ code: codeOf(answer) })).status).toBe(200);
  });

  it('is not offered where the request named none', async () => {
    const page = await recoveryPage(await newUser(ground), {});
    const shown = await page.show();
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self';");
    expect((await page.submit(FORM)).status).toBe(200);
  });

  it.each([
    ['https://evil.example/', 'redirect_to', 'matches no entry'],
    ['https://app.example.com@evil.example/', 'redirect_to', 'must have no user'],
    ['https://app.example.com/\\evil', 'redirect_to', 'ASCII'],
    ['https://app.example.com/?code=1', 'redirect_to', 'must not have a parameter'],
    ['javascript:alert(1)', 'redirect_to', 'scheme of browsers'],
  ])('refuses %s, naming the field', async (url, path, message) => {
    const email = freshAddress();
    const { status, body } = await ground.anonymous.post<{
      error: { code: string; details: { path: string; message: string }[] };
    }>('/auth/v1/recover', { email, redirect_to: url });
    expect([status, body.error.code]).toEqual([400, 'validation_failed']);
    expect(body.error.details).toEqual([{ path, message: expect.stringContaining(message) as string }]);
  });

  it('refuses a challenge that is none, and one without a redirect URL', async () => {
    const { challenge } = proofKey();
    for (const fields of [{ code_challenge: challenge }, { redirect_to: APP, code_challenge: 'short' }])
      expect(
        await ground.anonymous.post('/auth/v1/recover', { email: freshAddress(), ...fields }),
      ).toMatchObject({ status: 400, body: { error: { details: [{ path: 'code_challenge' }] } } });
  });

  it('gives a code that is exchanged many times at once to one of them', async () => {
    const { user, code } = await recoveredCode();
    const answers = await Promise.all(Array.from({ length: 12 }, () => ground.exchange({ code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const [row] = await query(
      'SELECT count(*)::int AS live FROM sessions WHERE user_id = $1 AND revoked_at IS NULL',
      [user.userId],
    );
    expect(row).toEqual({ live: 1 });
  });

  it('keeps the digest of a code alone, for a minute', async () => {
    const { user, code } = await recoveredCode();
    const [row] = await query(
      `SELECT code_hash, extract(epoch FROM expires_at - now())::float8 AS "secondsLeft" FROM sign_in_codes
       WHERE user_id = $1`,
      [user.userId],
    );
    expect(row?.code_hash).toEqual(createHash('sha256').update(code).digest());
    expect(row?.secondsLeft).toBeGreaterThan(30);
    expect(row?.secondsLeft).toBeLessThanOrEqual(60);
    await query('UPDATE sign_in_codes SET expires_at = now() WHERE user_id = $1', [user.userId]);
    expect((await ground.exchange({ code })).code).toBe('invalid_code');
  });

  it('takes the verifier of the challenge, once', async () => {
    const { verifier, challenge } = proofKey();
    const fields = { redirect_to: APP, code_challenge: challenge };
    const { code } = await recoveredCode(fields);
    expect((await ground.exchange({ code, code_verifier: verifier })).status).toBe(200);

    const missing = await recoveredCode(fields);
    expect((await ground.exchange({ code: missing.code })).code).toBe('invalid_code');
    const wrong = await recoveredCode(fields);
    expect((await ground.exchange({ code: wrong.code, code_verifier: challenge })).code).toBe('invalid_code');
    // A code that came without a challenge is not the one that the application asked for (RFC 9700, section 4.8.2).
    const foreign = await recoveredCode({ redirect_to: APP });
    expect((await ground.exchange({ code: foreign.code, code_verifier: verifier })).code).toBe(
      'invalid_code',
    );
    // The first try used it up.
    for (const { code: used } of [missing, wrong, foreign])
      expect((await ground.exchange({ code: used, code_verifier: verifier })).code).toBe('invalid_code');
  });

  it('refuses to redeem the token of a challenge without its verifier, and does not use it up', async () => {
    const { verifier, challenge } = proofKey();
    const user = await newUser(ground);
    const { token } = await recoveryPage(user, { redirect_to: APP, code_challenge: challenge });
    const complete = async (fields: object): Promise<number> =>
      (
        await ground.anonymous.post('/auth/v1/recover/complete', {
          token,
          password: NEW_PASSWORD,
          ...fields,
        })
      ).status;
    expect(await complete({})).toBe(400);
    expect(await complete({ code_verifier: proofKey().verifier })).toBe(400);
    expect(await complete({ code_verifier: verifier })).toBe(200);
  });

  it('asks an account with a second factor for it', async () => {
    const user = await newUser(ground);
    // Proven, because the first proof of an address by another mail removes the factors of whoever made the account.
    await query('UPDATE users SET email_verified = true WHERE id = $1', [user.userId]);
    const { totp } = await addFactor(ground.authenticated(user.accessToken));
    await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 1);
    const page = await recoveryPage(user, { redirect_to: APP }, ground.mailsOfSignUp + 1);
    const challenged = await ground.exchange({ code: codeOf(await page.submit(FORM)) });
    expect([challenged.status, challenged.code]).toEqual([401, 'second_factor_required']);
    const { challenge } = (challenged.answer.body as { error: { challenge: { token: string } } }).error;
    const session = await ground.completeSignIn({
      challenge_token: challenge.token,
      code: totp.generate(),
    });
    expect(session.status).toBe(200);
    const [row] = await query('SELECT aal FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [
      user.userId,
    ]);
    expect(row).toEqual({ aal: 2 });
  });

  it.each<[string, (user: Outcome) => Promise<unknown>]>([
    [
      'the account is disabled',
      ({ userId }) => ground.manager.send('PATCH', `${ground.managed}/${userId}`, { disabled: true }),
    ],
    [
      'the account was disabled and enabled again',
      async ({ userId }) => {
        for (const disabled of [true, false])
          await ground.manager.send('PATCH', `${ground.managed}/${userId}`, { disabled });
      },
    ],
    [
      'its sessions are ended',
      ({ userId }) => ground.manager.send('DELETE', `${ground.managed}/${userId}/sessions`),
    ],
    [
      'its password is another',
      ({ userId }) =>
        ground.manager.send('PUT', `${ground.managed}/${userId}/password`, { password: 'yet another one 7' }),
    ],
    [
      'its address is another',
      ({ userId }) => query('UPDATE users SET email = $2 WHERE id = $1', [userId, freshAddress()]),
    ],
    ['it is deleted', ({ userId }) => query('DELETE FROM users WHERE id = $1', [userId])],
  ])('ends when %s', async (_what, change) => {
    const { user, code } = await recoveredCode();
    await change(user);
    expect(await ground.exchange({ code })).toMatchObject({ status: 400, code: 'invalid_code' });
  });

  it('ends with the sessions of the user that a logout of all ends', async () => {
    const user = await newUser(ground);
    const page = await recoveryPage(user);
    const code = codeOf(await page.submit(FORM));
    const session = await ground.signIn(user.email, NEW_PASSWORD);
    const deleted = await ground.environment.database.query(
      'SELECT 1 FROM sign_in_codes WHERE user_id = $1',
      [user.userId],
    );
    expect(deleted).toHaveLength(1);
    await ground.manager.send('DELETE', `${ground.managed}/${user.userId}/sessions`);
    expect((await ground.refresh(session.refreshToken)).status).toBe(401);
    expect((await ground.exchange({ code })).code).toBe('invalid_code');
  });

  it('is no way into another realm, nor is a token of a mail a code', async () => {
    const { code } = await recoveredCode();
    await query(
      `UPDATE users SET realm_id = gen_random_uuid() WHERE id IN (
      SELECT user_id FROM sign_in_codes WHERE code_hash = sha256(convert_to($1, 'UTF8')))`,
      [code],
    );
    expect((await ground.exchange({ code })).code).toBe('invalid_code');
    const { token } = await recoveryPage(await newUser(ground));
    expect((await ground.exchange({ code: token })).code).toBe('invalid_code');
    expect((await ground.exchange({ code: '' })).code).toBe('validation_failed');
  });

  it('is not gone where the list does not have the URL any more', async () => {
    const user = await newUser(ground);
    const page = await recoveryPage(user);
    await query(`UPDATE one_time_tokens SET redirect_to = 'https://former.example.com/' WHERE user_id = $1`, [
      user.userId,
    ]);
    const shown = await page.show();
    expect(await shown.text()).not.toContain('former.example.com');
    const answer = await page.submit(FORM);
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(await query('SELECT 1 FROM sign_in_codes WHERE user_id = $1', [user.userId])).toEqual([]);
    expect((await ground.signIn(user.email, NEW_PASSWORD)).status).toBe(200);
  });

  it('begins with the mails of whoever manages the users as well', async () => {
    const user = await newUser(ground);
    const send = async (fields: object): Promise<number> =>
      (await ground.manager.post(`${ground.managed}/${user.userId}/mails`, fields)).status;
    expect(await send({ kind: 'recovery', redirect_to: 'https://evil.example/' })).toBe(400);
    expect(await send({ kind: 'recovery', redirect_to: APP })).toBe(204);
    const mail = await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 1);
    const code = codeOf(await new MailedPage(ground.service, mail).submit(FORM));
    expect((await ground.exchange({ code })).userId).toBe(user.userId);

    const email = freshAddress();
    const wanted = { email, mail: ground.otherMail, redirect_to: APP };
    expect((await ground.manager.post(ground.managed, wanted)).status).toBe(201);
    const page = new MailedPage(ground.service, await ground.mailServer.mailTo(email, 1));
    expect((await ground.exchange({ code: codeOf(await page.submit()) })).email).toBe(email);
  });

  it('begins with a change of address, whose code is of the new one', async () => {
    const user = await newUser(ground);
    const [email, client] = [freshAddress(), ground.authenticated(user.accessToken)];
    expect(
      (await client.post('/auth/v1/user/email', { email, redirect_to: 'https://evil.example/' })).status,
    ).toBe(400);
    expect((await client.post('/auth/v1/user/email', { email, redirect_to: APP })).status).toBe(202);
    const page = new MailedPage(ground.service, await ground.mailServer.mailTo(email, 1));
    expect(await ground.exchange({ code: codeOf(await page.submit()) })).toMatchObject({
      status: 200,
      userId: user.userId,
      email,
    });
  });

  it('starts anew from a dead link, with the same end and the same challenge', async () => {
    const { verifier, challenge } = proofKey();
    const user = await newUser(ground);
    const page = await recoveryPage(user, { redirect_to: APP, code_challenge: challenge });
    await query('UPDATE one_time_tokens SET expires_at = now() WHERE user_id = $1', [user.userId]);
    const dead = await page.show();
    expect(dead.status).toBe(400);
    expect(await dead.text()).toContain('Send a new link');
    await query('DELETE FROM mail_cooldowns', []);
    const asked = await page.askForNewLink();
    expect(asked.status).toBe(200);
    const text = await asked.text();
    expect(text).not.toContain(user.email);
    const mail = await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 2);
    const code = codeOf(await new MailedPage(ground.service, mail).submit(FORM));
    expect((await ground.exchange({ code, code_verifier: verifier })).userId).toBe(user.userId);
  });

  it('counts the mail of a dead link with the others, and says the same for a link that never was', async () => {
    const user = await newUser(ground);
    const page = await recoveryPage(user);
    await page.submit(FORM);
    const texts = await Promise.all(
      [page, page].map(async (dead) => await (await dead.askForNewLink()).text()),
    );
    const unknown = await fetch(`${ground.service.url}${ground.pageOf('new-link')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: randomBytes(32).toString('base64url') }),
    });
    expect(new Set([...texts, await unknown.text()]).size).toBe(1);
    // Within the cooldown of the first mail, none of them left.
    const [row] = await query(`SELECT count(*)::int AS waiting FROM outgoing_mails WHERE recipient = $1`, [
      user.email,
    ]);
    expect(row).toEqual({ waiting: 0 });
    expect(ground.mailServer.received.filter(({ to }) => to === user.email)).toHaveLength(
      ground.mailsOfSignUp + 1,
    );
  });
});
