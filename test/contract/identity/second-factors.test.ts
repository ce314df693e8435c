import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { actionsOf } from '../../support/accounts.js';
import { PASSWORD } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { tokenOf } from '../../support/mail-server.js';
import { addFactor } from '../../support/second-factor.js';
import type { AddedFactor } from '../../support/second-factor.js';
import { newUser, organizationGround, projectGround } from './identity-ground.js';
import type { IdentityGround, Outcome } from './identity-ground.js';

interface Challenged {
  error: { code: string; challenge?: { token: string; factors: string[]; expires_at: string } };
}

/** An account with a factor in force, its authenticator and its recovery codes. */
interface Enrolled extends AddedFactor {
  readonly user: Outcome;
  readonly client: Client;
}

/** Section 11 of the contract, of both profiles. */
describe.each([
  ['organizations', organizationGround],
  ['projects', projectGround],
])('second factors of %s', (_profile, prepare) => {
  let ground: IdentityGround;

  beforeAll(async () => {
    ground = await prepare();
  });

  afterAll(async () => {
    await ground.stop();
  });

  async function withFactor(): Promise<Enrolled> {
    const user = await newUser(ground);
    const client = ground.authenticated(user.accessToken);
    const factor = await addFactor(client);
    await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 1);
    return { ...factor, user, client };
  }

  /** After the mails of the sign-up and the one that notifies of the factor. */
  async function recoveryTokenOf({ email }: Outcome): Promise<string> {
    await ground.recover(email);
    return tokenOf(await ground.mailServer.mailTo(email, ground.mailsOfSignUp + 2));
  }

  function tokenOfChallenge({ answer, status, code }: Outcome): string {
    expect([status, code]).toEqual([401, 'second_factor_required']);
    const { challenge } = (answer.body as Challenged).error;
    expect(challenge?.factors).toEqual(['totp', 'recovery_code']);
    return challenge?.token ?? '';
  }

  it('are not in force until a code confirms them', async () => {
    const user = await newUser(ground);
    const client = ground.authenticated(user.accessToken);
    const begun = await client.post<{ id: string; uri: string; secret: string; qr_svg: string }>(
      '/auth/v1/factors/totp',
      { name: 'Phone' },
    );
    expect(begun.body.qr_svg).toMatch(/^<svg /);
    expect(begun.body.uri).toContain(`secret=${begun.body.secret}`);
    expect((await client.get('/auth/v1/factors')).body).toEqual([]);
    expect((await ground.signIn(user.email)).status).toBe(200);
    const confirmation = `/auth/v1/factors/totp/${begun.body.id}/confirm`;
    expect(await client.post(confirmation, { code: '000000' })).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_second_factor' } },
    });
    expect((await ground.signIn(user.email)).status).toBe(200);
  });

  it('turn a password into a challenge that a code completes, in a session of level 2', async () => {
    const { user, totp } = await withFactor();
    const token = tokenOfChallenge(await ground.signIn(user.email));
    const provenAt = Math.floor(Date.now() / 1000);
    const session = await ground.completeSignIn({ challenge_token: token, code: totp.generate() });
    expect(session).toMatchObject({ status: 200, userId: user.userId });
    const claims = decodeJwt(session.accessToken);
    expect(claims).toMatchObject({ aal: 2, amr: ['pwd', 'otp', 'mfa'] });
    expect(claims.auth_time).toBeGreaterThanOrEqual(provenAt);
    const refreshed = await ground.refresh(session.refreshToken);
    expect(decodeJwt(refreshed.accessToken)).toMatchObject({
      aal: 2,
      amr: ['pwd', 'otp', 'mfa'],
      auth_time: claims.auth_time,
    });
  });

  it('leave no session that has not met them', async () => {
    const user = await newUser(ground);
    const other = await ground.signIn(user.email);
    const client = ground.authenticated(user.accessToken);
    const begun = await client.post<{ id: string; secret: string }>('/auth/v1/factors/totp', {
      name: 'Phone',
    });
    const code = new TOTP({ secret: begun.body.secret }).generate();
    await client.post(`/auth/v1/factors/totp/${begun.body.id}/confirm`, { code });
    expect((await ground.refresh(other.refreshToken)).status).toBe(401);
    const kept = await ground.refresh(user.refreshToken);
    expect(decodeJwt(kept.accessToken)).toMatchObject({ aal: 2, amr: ['mfa', 'otp', 'pwd'] });
  });

  it('accept a code once, also by two sign-ins at one time', async () => {
    const { user, totp } = await withFactor();
    const first = tokenOfChallenge(await ground.signIn(user.email));
    const second = tokenOfChallenge(await ground.signIn(user.email));
    const code = totp.generate();
    const answers = await Promise.all(
      [first, second].map((challenge_token) => ground.completeSignIn({ challenge_token, code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(answers.map(({ code: refusal }) => refusal)).toContain('invalid_second_factor');
  });

  it('accept each challenge and each recovery code once', async () => {
    const { user, recoveryCodes } = await withFactor();
    expect(new Set(recoveryCodes).size).toBe(10);
    const [recovery_code = '', other = ''] = recoveryCodes;
    const challenge_token = tokenOfChallenge(await ground.signIn(user.email));
    expect((await ground.completeSignIn({ challenge_token, recovery_code })).status).toBe(200);
    expect(await ground.completeSignIn({ challenge_token, recovery_code: other })).toMatchObject({
      status: 401,
      code: 'invalid_challenge',
    });
    const next = tokenOfChallenge(await ground.signIn(user.email));
    expect(await ground.completeSignIn({ challenge_token: next, recovery_code })).toMatchObject({
      status: 401,
      code: 'invalid_second_factor',
    });
  });

  it('allow five tries of a challenge, of whatever number at one time', async () => {
    const { user, totp } = await withFactor();
    const challenge_token = tokenOfChallenge(await ground.signIn(user.email));
    const tries = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map(() => ground.completeSignIn({ challenge_token, code: '000000' })),
    );
    const codes = tries.map(({ code }) => code);
    expect(codes.filter((code) => code === 'invalid_second_factor')).toHaveLength(5);
    expect(await ground.completeSignIn({ challenge_token, code: totp.generate() })).toMatchObject({
      status: 401,
      code: 'invalid_challenge',
    });
  });

  it('count wrong codes although the right password comes between them', async () => {
    const { user, totp } = await withFactor();
    for (let round = 0; round < 2; round += 1) {
      const challenge_token = tokenOfChallenge(await ground.signIn(user.email));
      for (let attempt = 0; attempt < 5; attempt += 1)
        await ground.completeSignIn({ challenge_token, code: '000000' });
    }
    const challenge_token = tokenOfChallenge(await ground.signIn(user.email));
    expect(await ground.completeSignIn({ challenge_token, code: totp.generate() })).toMatchObject({
      status: 429,
      code: 'rate_limited',
    });
    expect(await actionsOf(ground.environment.database, user.userId)).toContain(
      'session.second_factor_refused',
    );
  });

  it('count wrong codes although more of them come at one time than the challenge has tries', async () => {
    const { user, totp } = await withFactor();
    for (let round = 0; round < 2; round += 1) {
      const challenge_token = tokenOfChallenge(await ground.signIn(user.email));
      const wrong = () => ground.completeSignIn({ challenge_token, code: '000000' });
      for (let attempt = 0; attempt < 4; attempt += 1) await wrong();
      await Promise.all([wrong(), wrong(), wrong()]);
    }
    const challenge_token = tokenOfChallenge(await ground.signIn(user.email));
    expect(await ground.completeSignIn({ challenge_token, code: totp.generate() })).toMatchObject({
      status: 429,
      code: 'rate_limited',
    });
  });

  it('outlast the recovery of a password, which ends in a challenge', async () => {
    const { user, totp } = await withFactor();
    // Otherwise the account would be handed to the owner of the address, with nothing of who made it.
    await ground.environment.database.query('UPDATE users SET email_verified = true WHERE id = $1', [
      user.userId,
    ]);
    const recovered = await ground.completeRecovery(await recoveryTokenOf(user), 'a wholly other password');
    const challenge_token = tokenOfChallenge(recovered);
    expect(await ground.completeSignIn({ challenge_token, code: totp.generate() })).toMatchObject({
      status: 200,
    });
    tokenOfChallenge(await ground.signIn(user.email, 'a wholly other password'));
  });

  it('void a challenge when the password is replaced', async () => {
    const { user, totp } = await withFactor();
    await ground.environment.database.query('UPDATE users SET email_verified = true WHERE id = $1', [
      user.userId,
    ]);
    const challenge_token = tokenOfChallenge(await ground.signIn(user.email));
    await ground.completeRecovery(await recoveryTokenOf(user), 'a wholly other password');
    expect(await ground.completeSignIn({ challenge_token, code: totp.generate() })).toMatchObject({
      status: 401,
      code: 'invalid_challenge',
    });
  });

  it('go with the password when another proves an address that was never proven', async () => {
    const { user } = await withFactor();
    const recovered = await ground.completeRecovery(await recoveryTokenOf(user), 'a wholly other password');
    expect(recovered.status).toBe(200);
    expect(decodeJwt(recovered.accessToken)).toMatchObject({ aal: 1, amr: [] });
    expect((await ground.authenticated(recovered.accessToken).get('/auth/v1/factors')).body).toEqual([]);
  });

  it('are changed only with a proof of the last ten minutes', async () => {
    const { user, client, id, recoveryCodes } = await withFactor();
    const age = (): Promise<unknown> =>
      ground.environment.database.query(
        `UPDATE sessions SET auth_time = now() - interval '11 minutes' WHERE user_id = $1`,
        [user.userId],
      );
    await age();
    const refused = { status: 403, body: { error: { code: 'reauthentication_required' } } };
    expect(await client.post('/auth/v1/factors/totp', { name: 'Tablet' })).toMatchObject(refused);
    expect(await client.send('PATCH', `/auth/v1/factors/${id}`, { name: 'Old phone' })).toMatchObject(
      refused,
    );
    expect(await client.post('/auth/v1/factors/recovery-codes', {})).toMatchObject(refused);
    expect(await client.send('DELETE', `/auth/v1/factors/${id}`)).toMatchObject(refused);

    expect(await client.post('/auth/v1/reauthenticate', { password: 'wrong wrong wrong' })).toMatchObject({
      status: 403,
      body: { error: { code: 'wrong_password' } },
    });
    expect(await client.post('/auth/v1/reauthenticate', { password: PASSWORD })).toMatchObject({
      status: 204,
    });
    expect(await client.send('PATCH', `/auth/v1/factors/${id}`, { name: 'Old phone' })).toMatchObject({
      status: 200,
      body: { id, name: 'Old phone', type: 'totp' },
    });
    await age();
    const [recovery_code = ''] = recoveryCodes;
    expect(await client.post('/auth/v1/reauthenticate', { recovery_code })).toMatchObject({ status: 204 });
    expect(await client.send('DELETE', `/auth/v1/factors/${id}`)).toMatchObject({ status: 204 });
    expect((await ground.signIn(user.email)).status).toBe(200);
  });

  it('have recovery codes that others replace', async () => {
    const { user, client, recoveryCodes } = await withFactor();
    const renewed = await client.post<{ recovery_codes: string[] }>('/auth/v1/factors/recovery-codes', {});
    const challenge_token = tokenOfChallenge(await ground.signIn(user.email));
    const [old = ''] = recoveryCodes;
    expect((await ground.completeSignIn({ challenge_token, recovery_code: old })).status).toBe(401);
    const [recovery_code = ''] = renewed.body.recovery_codes;
    expect((await ground.completeSignIn({ challenge_token, recovery_code })).status).toBe(200);
  });

  it('are removed by whoever manages the users, with all sessions, for a person who has lost them', async () => {
    const { user, client } = await withFactor();
    const path = `${ground.managed}/${user.userId}/factors`;
    expect((await client.send('DELETE', path)).status).toBeGreaterThanOrEqual(401);
    expect((await ground.manager.send('DELETE', path)).status).toBe(204);
    expect((await ground.manager.send('DELETE', path)).status).toBe(204);
    expect((await ground.refresh(user.refreshToken)).status).toBe(401);
    const session = await ground.signIn(user.email);
    expect(session.status).toBe(200);
    expect((await ground.authenticated(session.accessToken).get('/auth/v1/factors')).body).toEqual([]);
    const mail = await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 2);
    expect(mail.email.subject).toContain('second factors were reset');
    const resets = (await actionsOf(ground.environment.database, user.userId)).filter(
      (action) => action === 'user.factors_reset',
    );
    expect(resets).toHaveLength(1);
    const unknown = `${ground.managed}/01890000-0000-7000-8000-000000000000/factors`;
    expect((await ground.manager.send('DELETE', unknown)).status).toBe(404);
  });

  it('are stored sealed, and their recovery codes hashed', async () => {
    const { totp, recoveryCodes } = await withFactor();
    const stored = await ground.environment.database.query<{ row: string }>(
      `SELECT row_to_json(factors)::text AS row FROM factors
       UNION ALL SELECT row_to_json(recovery_codes)::text FROM recovery_codes`,
    );
    const text = stored.map(({ row }) => row).join('\n');
    const secrets = [totp.secret.hex.toLowerCase(), totp.secret.base32, ...recoveryCodes];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});
