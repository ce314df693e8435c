import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { actionsOf } from '../../support/accounts.js';
import { PASSWORD } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { addPasskey, passkeyGrant, registerPasskey } from '../../support/passkey.js';
import type { AddedPasskey, SignInOptions } from '../../support/passkey.js';
import { addFactor } from '../../support/second-factor.js';
import { EMPTY_MAP, SoftwareAuthenticator } from '../../support/software-authenticator.js';
import type { CreationOptions, Deviation, RequestOptions } from '../../support/software-authenticator.js';
import { newUser, organizationGround, projectGround } from './identity-ground.js';
import type { IdentityGround, Outcome } from './identity-ground.js';

interface Challenge {
  token: string;
  factors: string[];
  passkey_options?: RequestOptions;
}

interface Enrolled extends AddedPasskey {
  readonly user: Outcome;
  readonly client: Client;
}

/** What a passkey must not have been used with, by what it deviates in. */
const WRONG: readonly (readonly [string, Deviation])[] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['an origin that only begins alike', { origin: 'https://app.example.com.evil.example' }],
  ['another port', { origin: 'https://app.example.com:8443' }],
  ['the page of another origin', { crossOrigin: true }],
  ['another relying party', { rpId: 'evil.example' }],
  ['another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ['no verified user', { isVerified: false }],
  ['nobody present', { isPresent: false }],
];
const WRONG_ASSERTIONS: readonly (readonly [string, Deviation])[] = [
  ...WRONG,
  ['the type of a registration', { type: 'webauthn.create' }],
  ['the key of another', { signedBy: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ['the user handle of another', { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
];
const WRONG_REGISTRATIONS: readonly (readonly [string, Deviation])[] = [
  ...WRONG.filter(([name]) => name !== 'another challenge'),
  ['the type of a sign-in', { type: 'webauthn.get' }],
  ['an attestation', { attestation: { format: 'fido-u2f', statement: EMPTY_MAP } }],
];

/** Section 11 of the contract, of both profiles. */
describe.each([
  ['organizations', organizationGround],
  ['projects', projectGround],
])('passkeys of %s', (_profile, prepare) => {
  let ground: IdentityGround;

  beforeAll(async () => {
    ground = await prepare();
  });

  afterAll(async () => {
    await ground.stop();
  });

  async function withPasskey(kind: Parameters<typeof addPasskey>[2] = {}): Promise<Enrolled> {
    const user = await newUser(ground);
    const client = ground.authenticated(user.accessToken);
    return { ...(await addPasskey(client, ground.passkeyOrigin, kind)), user, client };
  }

  async function challengeOf(email: string): Promise<Challenge & { passkey_options: RequestOptions }> {
    const { answer, status, code } = await ground.signIn(email);
    expect([status, code]).toEqual([401, 'second_factor_required']);
    const { challenge } = (answer.body as { error: { challenge: Challenge } }).error;
    if (challenge.passkey_options === undefined) throw new Error('the challenge has no passkey options');
    return { ...challenge, passkey_options: challenge.passkey_options };
  }

  async function age(userId: string): Promise<void> {
    await ground.environment.database.query(
      `UPDATE sessions SET auth_time = now() - interval '11 minutes' WHERE user_id = $1`,
      [userId],
    );
  }

  it('are made for the account and the relying party, with a verified user, and named by no address', async () => {
    const { client, user, authenticator } = await withPasskey();
    const { body } = await client.post<CreationOptions & Record<string, unknown>>(
      '/auth/v1/factors/passkeys/options',
    );
    expect(body).toMatchObject({
      rp: { id: ground.relyingPartyId },
      user: { name: user.email },
      attestation: 'none',
      timeout: 300_000,
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      excludeCredentials: [{ id: authenticator.credentialId.toString('base64url'), type: 'public-key' }],
    });
    expect(Buffer.from(body.user.id, 'base64url').toString('hex')).toBe(user.userId.replaceAll('-', ''));
  });

  it('are a factor with recovery codes, which its user lists, renames and removes', async () => {
    const { client, id, recoveryCodes, user } = await withPasskey();
    expect(new Set(recoveryCodes).size).toBe(10);
    const second = await addPasskey(client, ground.passkeyOrigin);
    expect(second.recoveryCodes).toEqual([]);
    expect((await client.get('/auth/v1/factors')).body).toMatchObject([
      { id, type: 'passkey', name: 'Laptop', last_used_at: null },
      { id: second.id, type: 'passkey' },
    ]);
    expect((await client.send('PATCH', `/auth/v1/factors/${id}`, { name: 'Key' })).body).toMatchObject({
      name: 'Key',
    });
    for (const factor of [id, second.id])
      expect((await client.send('DELETE', `/auth/v1/factors/${factor}`)).status).toBe(204);
    expect((await ground.signIn(user.email)).status).toBe(200);
    expect(await actionsOf(ground.environment.database, user.userId)).toEqual(
      expect.arrayContaining(['user.factor_added', 'user.factor_removed']),
    );
  });

  it.each([
    ['ES256', true, 'swk'],
    ['EdDSA', false, 'hwk'],
    ['RS256', false, 'hwk'],
  ] as const)(
    'with a key of %s sign in alone, in a session of level 2',
    async (algorithm, isSynced, method) => {
      const { user, authenticator } = await withPasskey({ algorithm, isSynced });
      const session = await ground.signInByPasskey(await passkeyGrant(ground.anonymous, authenticator));
      expect(session).toMatchObject({ status: 200, userId: user.userId });
      expect(decodeJwt(session.accessToken)).toMatchObject({ aal: 2, amr: [method, 'user', 'mfa'] });
      const refreshed = await ground.refresh(session.refreshToken);
      expect(decodeJwt(refreshed.accessToken)).toMatchObject({ aal: 2, amr: [method, 'user', 'mfa'] });
    },
  );

  it('complete a sign-in by password', async () => {
    const { user, authenticator, client } = await withPasskey();
    const challenge = await challengeOf(user.email);
    expect(challenge.factors).toEqual(['passkey', 'recovery_code']);
    expect(challenge.passkey_options).toMatchObject({
      rpId: ground.relyingPartyId,
      userVerification: 'required',
      allowCredentials: [{ id: authenticator.credentialId.toString('base64url') }],
    });
    const credential = authenticator.get(challenge.passkey_options);
    const session = await ground.completeSignIn({ challenge_token: challenge.token, credential });
    expect(decodeJwt(session.accessToken)).toMatchObject({ aal: 2, amr: ['pwd', 'hwk', 'user', 'mfa'] });
    expect(await ground.completeSignIn({ challenge_token: challenge.token, credential })).toMatchObject({
      status: 401,
      code: 'invalid_challenge',
    });
    await addFactor(client);
    expect((await challengeOf(user.email)).factors).toEqual(['totp', 'passkey', 'recovery_code']);
  });

  it('complete a sign-in without the user handle that authenticators may leave out then', async () => {
    const { user, authenticator } = await withPasskey();
    const { token, passkey_options } = await challengeOf(user.email);
    const credential = authenticator.get(passkey_options, { userHandle: null });
    expect((await ground.completeSignIn({ challenge_token: token, credential })).status).toBe(200);
  });

  it.each(WRONG_REGISTRATIONS)('are not added when made with %s', async (_name, deviation) => {
    const user = await newUser(ground);
    const client = ground.authenticated(user.accessToken);
    const refused = await registerPasskey(client, new SoftwareAuthenticator(ground.passkeyOrigin), deviation);
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'invalid_passkey' } } });
    expect((await client.get('/auth/v1/factors')).body).toEqual([]);
  });

  it.each(WRONG_ASSERTIONS)('do not sign in when used with %s', async (_name, deviation) => {
    const { user, authenticator } = await withPasskey();
    const refused = await ground.signInByPasskey(
      await passkeyGrant(ground.anonymous, authenticator, deviation),
    );
    expect(refused).toMatchObject({ status: 401, code: 'invalid_passkey', accessToken: '' });
    const { token, passkey_options } = await challengeOf(user.email);
    const credential = authenticator.get(passkey_options, deviation);
    expect(await ground.completeSignIn({ challenge_token: token, credential })).toMatchObject({
      status: 401,
      code: 'invalid_second_factor',
    });
    expect(await actionsOf(ground.environment.database, user.userId)).toEqual(
      expect.arrayContaining(['session.sign_in_refused', 'session.second_factor_refused']),
    );
  });

  it('sign in alone only with their user handle', async () => {
    const { authenticator } = await withPasskey();
    const grant = await passkeyGrant(ground.anonymous, authenticator, { userHandle: null });
    expect(await ground.signInByPasskey(grant)).toMatchObject({ status: 401, code: 'invalid_passkey' });
  });

  it('are used once, also by many requests at one time', async () => {
    const { authenticator } = await withPasskey({ counts: false });
    const grant = await passkeyGrant(ground.anonymous, authenticator);
    const answers = await Promise.all([1, 2, 3, 4].map(() => ground.signInByPasskey(grant)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(await ground.signInByPasskey(grant)).toMatchObject({ status: 401, code: 'invalid_challenge' });
  });

  it('complete one of two sign-ins at one time by the same challenge', async () => {
    const { user, authenticator } = await withPasskey({ counts: false });
    const { token, passkey_options } = await challengeOf(user.email);
    const credential = authenticator.get(passkey_options);
    const answers = await Promise.all(
      [1, 2, 3].map(() => ground.completeSignIn({ challenge_token: token, credential })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('take five tries of a challenge', async () => {
    const { user, authenticator } = await withPasskey();
    const { token, passkey_options } = await challengeOf(user.email);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const credential = authenticator.get(passkey_options, { isVerified: false });
      expect((await ground.completeSignIn({ challenge_token: token, credential })).code).toBe(
        'invalid_second_factor',
      );
    }
    const credential = authenticator.get(passkey_options);
    expect((await ground.completeSignIn({ challenge_token: token, credential })).code).toBe(
      'invalid_challenge',
    );
  });

  it('are refused, and that is on record, when their counter goes back', async () => {
    const { user, authenticator } = await withPasskey();
    const first = await ground.signInByPasskey(await passkeyGrant(ground.anonymous, authenticator));
    expect(first.status).toBe(200);
    const copied = await passkeyGrant(ground.anonymous, authenticator, { counter: 1 });
    expect(await ground.signInByPasskey(copied)).toMatchObject({ status: 401, code: 'invalid_passkey' });
    expect(await actionsOf(ground.environment.database, user.userId)).toContain(
      'user.passkey_counter_refused',
    );
    expect((await ground.signInByPasskey(await passkeyGrant(ground.anonymous, authenticator))).status).toBe(
      200,
    );
  });

  it('are refused when a counter appears to be gone', async () => {
    const { authenticator } = await withPasskey();
    expect((await ground.signInByPasskey(await passkeyGrant(ground.anonymous, authenticator))).status).toBe(
      200,
    );
    const without = await passkeyGrant(ground.anonymous, authenticator, { counter: 0 });
    expect((await ground.signInByPasskey(without)).code).toBe('invalid_passkey');
  });

  it('do not complete the sign-in of another user', async () => {
    const { user } = await withPasskey();
    const other = await withPasskey();
    const { token, passkey_options } = await challengeOf(user.email);
    const credential = other.authenticator.get(passkey_options);
    expect(await ground.completeSignIn({ challenge_token: token, credential })).toMatchObject({
      status: 401,
      code: 'invalid_second_factor',
    });
  });

  it('belong to one account', async () => {
    const { authenticator } = await withPasskey();
    const other = await newUser(ground);
    const refused = await registerPasskey(ground.authenticated(other.accessToken), authenticator);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'passkey_taken' } } });
  });

  it('take options once, of the session that they were made for, and not of another purpose', async () => {
    const user = await newUser(ground);
    const client = ground.authenticated(user.accessToken);
    const other = ground.authenticated((await ground.signIn(user.email)).accessToken);
    const authenticator = new SoftwareAuthenticator(ground.passkeyOrigin);
    const { body } = await client.post<CreationOptions>('/auth/v1/factors/passkeys/options');
    const credential = authenticator.create(body);
    const gone = { status: 401, body: { error: { code: 'invalid_challenge' } } };
    expect(await other.post('/auth/v1/factors/passkeys', { name: 'Key', credential })).toMatchObject(gone);
    const answers = await Promise.all(
      [1, 2].map(() => client.post('/auth/v1/factors/passkeys', { name: 'Key', credential })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
    const options = await client.post<RequestOptions>('/auth/v1/reauthenticate/options');
    const swapped = new SoftwareAuthenticator(ground.passkeyOrigin).create({
      ...body,
      challenge: options.body.challenge,
    });
    expect(
      await client.post('/auth/v1/factors/passkeys', { name: 'Key', credential: swapped }),
    ).toMatchObject(gone);
  });

  it('have at most five open options for each account, of which the oldest go', async () => {
    const user = await newUser(ground);
    const client = ground.authenticated(user.accessToken);
    const all = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map(() => client.post('/auth/v1/factors/passkeys/options')),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const rows = await ground.environment.database.query(
      'SELECT expires_at FROM passkey_challenges WHERE user_id = $1',
      [user.userId],
    );
    expect(rows).toHaveLength(5);
  });

  it('cost nothing that grows as long as nobody signs in by them', async () => {
    const count = async (): Promise<unknown> =>
      await ground.environment.database.query(
        `SELECT (SELECT count(*) FROM used_passkey_tokens) AS used, (SELECT count(*) FROM passkey_challenges) AS open,
                (SELECT count(*) FROM second_factor_challenges) AS challenges`,
      );
    const { authenticator } = await withPasskey();
    const before = await count();
    for (let round = 0; round < 5; round += 1)
      await ground.signInByPasskey(
        await passkeyGrant(ground.anonymous, authenticator, { isVerified: false }),
      );
    expect(await count()).toEqual(before);
  });

  it('expire with their challenge', async () => {
    const { user, client, authenticator } = await withPasskey();
    const { token, passkey_options } = await challengeOf(user.email);
    await ground.environment.database.query(
      'UPDATE second_factor_challenges SET expires_at = now() WHERE user_id = $1',
      [user.userId],
    );
    const credential = authenticator.get(passkey_options);
    expect((await ground.completeSignIn({ challenge_token: token, credential })).code).toBe(
      'invalid_challenge',
    );
    const { body } = await client.post<RequestOptions>('/auth/v1/reauthenticate/options');
    await ground.environment.database.query(
      'UPDATE passkey_challenges SET expires_at = now() WHERE user_id = $1',
      [user.userId],
    );
    expect(
      await client.post('/auth/v1/reauthenticate', { credential: authenticator.get(body) }),
    ).toMatchObject({ status: 401, body: { error: { code: 'invalid_challenge' } } });
  });

  it('begin only with a token that the program made', async () => {
    const { authenticator } = await withPasskey();
    const { body } = await ground.anonymous.post<SignInOptions>('/auth/v1/passkeys/options');
    const forged = `${body.challenge_token.slice(0, -4)}AAAA`;
    const credential = authenticator.get(body.passkey_options);
    expect(await ground.signInByPasskey({ challenge_token: forged, credential })).toMatchObject({
      status: 401,
      code: 'invalid_challenge',
    });
  });

  it('prove again who is there, for changes that need it', async () => {
    const { user, client, id, authenticator } = await withPasskey();
    await age(user.userId);
    expect((await client.post('/auth/v1/factors/passkeys/options')).status).toBe(403);
    const { body } = await client.post<RequestOptions>('/auth/v1/reauthenticate/options');
    expect(body.allowCredentials).toHaveLength(1);
    const wrong = authenticator.get(body, { isVerified: false });
    expect(await client.post('/auth/v1/reauthenticate', { credential: wrong })).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_second_factor' } },
    });
    // The challenge went with the wrong try.
    expect(
      await client.post('/auth/v1/reauthenticate', { credential: authenticator.get(body) }),
    ).toMatchObject({ status: 401, body: { error: { code: 'invalid_challenge' } } });
    const again = await client.post<RequestOptions>('/auth/v1/reauthenticate/options');
    const credential = authenticator.get(again.body);
    expect((await client.post('/auth/v1/reauthenticate', { credential })).status).toBe(204);
    expect((await client.send('DELETE', `/auth/v1/factors/${id}`)).status).toBe(204);
  });

  it('are added only with a proof of the last ten minutes, also when the options are older', async () => {
    const user = await newUser(ground);
    const client = ground.authenticated(user.accessToken);
    const { body } = await client.post<CreationOptions>('/auth/v1/factors/passkeys/options');
    await age(user.userId);
    const credential = new SoftwareAuthenticator(ground.passkeyOrigin).create(body);
    expect(await client.post('/auth/v1/factors/passkeys', { name: 'Key', credential })).toMatchObject({
      status: 403,
      body: { error: { code: 'reauthentication_required' } },
    });
    expect((await client.post('/auth/v1/reauthenticate', { password: PASSWORD })).status).toBe(204);
  });

  it('sign in nobody whose account is disabled or deleted, or whose factors were reset', async () => {
    const disabled = await withPasskey();
    const grant = await passkeyGrant(ground.anonymous, disabled.authenticator);
    await ground.environment.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [
      disabled.user.userId,
    ]);
    expect(await ground.signInByPasskey(grant)).toMatchObject({ status: 401, code: 'invalid_passkey' });
    const reset = await withPasskey();
    expect(
      (await ground.manager.send('DELETE', `${ground.managed}/${reset.user.userId}/factors`)).status,
    ).toBe(204);
    expect(
      await ground.signInByPasskey(await passkeyGrant(ground.anonymous, reset.authenticator)),
    ).toMatchObject({ status: 401, code: 'invalid_passkey' });
    const deleted = await withPasskey();
    await ground.environment.database.query('DELETE FROM users WHERE id = $1', [deleted.user.userId]);
    expect(
      await ground.signInByPasskey(await passkeyGrant(ground.anonymous, deleted.authenticator)),
    ).toMatchObject({ status: 401, code: 'invalid_passkey' });
  });

  it('are refused malformed, with the place of the fault', async () => {
    const { authenticator } = await withPasskey();
    const grant = await passkeyGrant(ground.anonymous, authenticator);
    const { response } = grant.credential;
    const faults: readonly [Record<string, unknown>, string][] = [
      [{ ...grant.credential, id: 'not base64url!' }, 'credential.id'],
      [{ ...grant.credential, type: 'password' }, 'credential.type'],
      [{ ...grant.credential, response: 'no' }, 'credential.response'],
      [{ ...grant.credential, response: { ...response, signature: 7 } }, 'credential.response.signature'],
      [
        { ...grant.credential, response: { ...response, clientDataJSON: 'a'.repeat(5000) } },
        'credential.response.clientDataJSON',
      ],
    ];
    for (const [credential, path] of faults) {
      const { status, answer } = await ground.signInByPasskey({ ...grant, credential });
      expect(status).toBe(400);
      expect(answer.body).toMatchObject({ error: { code: 'validation_failed', details: [{ path }] } });
    }
    const garbage = { ...response, authenticatorData: 'AAAA', clientDataJSON: 'AAAA' };
    const { code } = await ground.signInByPasskey({
      ...grant,
      credential: { ...grant.credential, response: garbage },
    });
    expect(code).toBe('invalid_passkey');
  });
});
