import argon2 from 'argon2';
import { createHash } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { allowInsecureRequests, validateJwtAccessToken } from 'oauth4webapi';
import type { JWTAccessTokenClaims } from 'oauth4webapi';
import { actionsOf, passwordHashes, setDisabled } from '../../support/accounts.js';
import { Client, PASSWORD } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { linkOf, tokenOf } from '../../support/mail-server.js';
import { until } from '../../support/until.js';
import {
  freshAddress,
  newUser,
  organizationGround,
  projectGround,
  recoveryToken,
} from './identity-ground.js';
import type { IdentityGround, Outcome } from './identity-ground.js';

/** As the tests configure it. */
const STRONG = /^\$argon2id\$v=19\$m=8192,(?:t=1,p=1|p=1,t=1)\$/;
/** What the background services of the program do meanwhile is not the request's. */
const OF_IDENTITY = /users|sessions|refresh_tokens|audit_/;

/** Those of a request of this suite: the mails of earlier sign-ups may be sent meanwhile. */
function ofIdentity(statements: readonly string[]): string[] {
  return statements.filter((sql) => OF_IDENTITY.test(sql) && !sql.includes('outgoing_mails'));
}
const NEW_PASSWORD = 'a wholly other password';

/** What section 4 of the contract says of both profiles, said of each over HTTP. */
describe.each([
  ['organizations', organizationGround],
  ['projects', projectGround],
])('the identity of %s', (_profile, prepare) => {
  let ground: IdentityGround;

  beforeAll(async () => {
    ground = await prepare();
  });

  afterAll(async () => {
    await ground.stop();
  });

  async function hashOf({ userId }: Outcome): Promise<string> {
    const [user] = await ground.environment.database.query<{ password_hash: string }>(
      'SELECT password_hash FROM users WHERE id = $1',
      [userId],
    );
    return user?.password_hash ?? '';
  }

  const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

  describe('addresses', () => {
    it('are one account however they are written', async () => {
      const email = freshAddress();
      const written = ` ${email.toUpperCase()} `;
      expect(await ground.signUp(written)).toMatchObject({ status: 201, email });
      expect(await ground.signIn(written)).toMatchObject({ status: 200, email });
      expect(await ground.signUp(email)).toMatchObject({ status: 409, code: 'email_taken' });
    });

    it('are one account with and without quotes and escapes, and one count of mails', async () => {
      const email = freshAddress();
      const [local = '', domain = ''] = email.split('@');
      const spellings = [
        `"${local}"@${domain}`,
        `"\\${local}"@${domain}`,
        `"${local.replace(/./g, '\\$&')}"@${domain}`,
      ];
      expect(await ground.signUp(spellings[0] ?? '')).toMatchObject({ status: 201, email });
      for (const spelling of spellings) {
        expect(await ground.signUp(spelling)).toMatchObject({ status: 409, code: 'email_taken' });
        expect(await ground.signIn(spelling)).toMatchObject({ status: 200, email });
      }
      expect(await ground.signUp(`"${local} x"@${domain}`)).toMatchObject({
        status: 400,
        answer: {
          body: {
            error: {
              details: [{ path: 'email', message: expect.stringMatching('needs no quotes') as string }],
            },
          },
        },
      });
    });

    it('are one account also where several sign up at one time', async () => {
      const email = freshAddress();
      const answers = await Promise.all([1, 2, 3, 4].map(() => ground.signUp(email)));
      const outcomes = answers.map(({ status, code }) => [status, code ?? '']).sort();
      const taken = [409, 'email_taken'];
      expect(outcomes).toEqual([[201, ''], taken, taken, taken]);
    });

    it('are kept with their domain as it is looked up', async () => {
      const local = freshAddress().split('@')[0] ?? '';
      expect((await ground.signUp(`${local}@Bücher.example`)).email).toBe(`${local}@xn--bcher-kva.example`);
      expect((await ground.signIn(`${local}@bücher.example`)).status).toBe(200);
    });

    it.each([
      'ada',
      '@example.com',
      'adä@example.com',
      'a\u212Aa@example.com',
      `${'a'.repeat(250)}@b.example`,
    ])('such as %s are refused', async (email) => {
      expect(await ground.signUp(email)).toMatchObject({ status: 400, code: 'validation_failed' });
    });
  });

  describe('passwords', () => {
    it('are at least 8 characters and at most 1024 bytes', async () => {
      for (const password of ['1234567', 'é'.repeat(513)])
        expect(await ground.signUp(freshAddress(), password)).toMatchObject({
          status: 400,
          code: 'validation_failed',
        });
      for (const password of ['73519862', 'é'.repeat(512)])
        expect((await ground.signUp(freshAddress(), password)).status).toBe(201);
    });

    it('that are among the most used are refused where one is set, and nothing is used up', async () => {
      const email = freshAddress();
      for (const password of ['password', '12345678', 'PASSWORD', 'iloveyou'])
        expect(await ground.signUp(email, password)).toMatchObject({
          status: 400,
          code: 'weak_password',
          answer: { body: { error: { details: [{ path: 'password' }] } } },
        });
      const token = await recoveryToken(ground, await newUser(ground));
      expect(await ground.completeRecovery(token, 'Password1')).toMatchObject({ code: 'weak_password' });
      expect(await ground.completeRecovery(token, NEW_PASSWORD)).toMatchObject({ status: 200 });
    });

    it('are the same in any normal form of Unicode', async () => {
      const email = freshAddress();
      await ground.signUp(email, 'pässwörter'.normalize('NFD'));
      expect((await ground.signIn(email, 'pässwörter'.normalize('NFC'))).status).toBe(200);
    });

    it('are kept as Argon2id, and hashed again at sign-in if the parameters were weaker', async () => {
      const user = await newUser(ground);
      expect(await hashOf(user)).toMatch(STRONG);
      const weak = await argon2.hash(PASSWORD, { type: argon2.argon2id, memoryCost: 1024, timeCost: 2 });
      await ground.environment.database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [
        user.userId,
        weak,
      ]);
      expect((await ground.signIn(user.email, 'not this one')).status).toBe(401);
      expect(await hashOf(user)).toBe(weak);
      expect((await ground.signIn(user.email)).status).toBe(200);
      expect(await hashOf(user)).toMatch(STRONG);
    });
  });

  describe('sign-in', () => {
    it('reveals nothing: unknown, wrong and disabled have the same response, with its headers, cost and number of statements', async () => {
      const [ada, disabled] = [await newUser(ground), await newUser(ground)];
      await setDisabled(ground.service, disabled.userId, true);
      const client = new Client(ground.service.url);
      // What is left to guess at an account goes down with each guess, whether the account exists or not.
      const changing = new Set(['date', 'x-request-id', 'ratelimit']);
      const seen: object[] = [];
      for (const [email, password] of [
        [freshAddress(), PASSWORD],
        [ada.email, 'not the password'],
        [disabled.email, PASSWORD],
        [ada.email, '        '],
        [freshAddress(), ' '],
      ] as const) {
        const before = await passwordHashes(client);
        let refused: Outcome | undefined;
        const statements = await ground.service.statementsOf(async () => {
          refused = await ground.signIn(email, password);
        });
        seen.push({
          status: refused?.status,
          body: refused?.answer.body,
          headers: [...(refused?.answer.headers ?? [])].filter(([name]) => !changing.has(name)).sort(),
          hashes: (await passwordHashes(client)) - before,
          statements: statements.filter((sql) => /"users"|audit_/.test(sql)).length,
        });
      }
      expect(seen[0]).toMatchObject({
        status: 401,
        body: { error: { code: 'invalid_credentials' } },
        hashes: 1,
      });
      for (const other of seen.slice(1)) expect(other).toEqual(seen[0]);
    });

    it('with an empty password is refused before anything is looked up', async () => {
      const { email } = await newUser(ground);
      const statements = await ground.service.statementsOf(async () => {
        expect((await ground.signIn(email, '')).status).toBe(400);
      });
      expect(ofIdentity(statements).filter((sql) => sql.includes('users'))).toEqual([]);
    });

    it('costs four statements and one hash at most', async () => {
      const { email } = await newUser(ground);
      const client = new Client(ground.service.url);
      const before = await passwordHashes(client);
      const statements = await ground.service.statementsOf(() => ground.signIn(email));
      expect(ofIdentity(statements).length).toBeLessThanOrEqual(4);
      expect((await passwordHashes(client)) - before).toBe(1);
    });
  });

  describe('access tokens', () => {
    it('are good by the published key, for their user, for as long as the profile says', async () => {
      const user = await newUser(ground);
      const keys = createRemoteJWKSet(new URL(ground.jwks));
      const { payload, protectedHeader } = await jwtVerify(user.accessToken, keys, { typ: 'at+jwt' });
      expect(payload).toMatchObject({
        sub: user.userId,
        email: user.email,
        sid: expect.any(String) as string,
      });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(ground.accessTtlSecs);
      expect(protectedHeader.kid).toEqual(expect.any(String));
      expect(await ground.user(user.accessToken)).toMatchObject({ status: 200, userId: user.userId });
    });

    it('have every claim that RFC 9068 demands, as a verifier that follows it finds', async () => {
      const user = await newUser(ground);
      const issuer = { issuer: 'service', jwks_uri: ground.jwks };
      const verify = async (accessToken: string): Promise<JWTAccessTokenClaims> =>
        await validateJwtAccessToken(
          issuer,
          new Request('http://api.example.com', { headers: { authorization: `Bearer ${accessToken}` } }),
          ground.audience,
          { [allowInsecureRequests]: true, signingAlgorithms: ['RS256', 'EdDSA'] },
        );
      const claims = await verify(user.accessToken);
      expect(claims).toMatchObject({ sub: user.userId, client_id: ground.clientId });
      const { jti } = await verify((await ground.refresh(user.refreshToken)).accessToken);
      expect(jti).not.toBe(claims.jti);
    });

    it('that were altered or are unsigned are refused', async () => {
      const { accessToken } = await newUser(ground);
      const [header = '', payload = '', signature = ''] = accessToken.split('.');
      const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const other = encode({ ...decodeJwt(accessToken), sub: '01890000-0000-7000-8000-000000000000' });
      const unsigned = encode({ ...decodeProtectedHeader(accessToken), alg: 'none' });
      for (const token of [`${header}.${other}.${signature}`, `${unsigned}.${payload}.`])
        expect(await ground.user(token)).toMatchObject({ status: 401, code: 'invalid_access_token' });
    });

    it('are kept by no cache on their way', async () => {
      const { email } = await newUser(ground);
      const { answer } = await ground.signIn(email);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    it('end with their account, immediately when it is disabled, and so do its sessions', async () => {
      const user = await newUser(ground);
      await setDisabled(ground.service, user.userId, true);
      expect(await ground.user(user.accessToken)).toMatchObject({
        status: 401,
        code: 'invalid_access_token',
      });
      expect((await ground.refresh(user.refreshToken)).code).toBe(ground.endedSessionCode);
      expect((await ground.signIn(user.email)).code).toBe('invalid_credentials');
      await setDisabled(ground.service, user.userId, false);
      expect((await ground.signIn(user.email)).status).toBe(200);
      expect((await ground.refresh(user.refreshToken)).status).toBe(401);
    });
  });

  describe('refresh tokens', () => {
    it('are kept as hashes, live 30 days from each use, and cost three statements', async () => {
      const { refreshToken } = await newUser(ground);
      const expiryOf = async (token: string): Promise<number> => {
        const [row] = await ground.environment.database.query<{ expires_at: Date }>(
          'SELECT expires_at FROM refresh_tokens WHERE token_hash = $1',
          [sha256(token)],
        );
        return row?.expires_at.getTime() ?? 0;
      };
      const days = (instant: number): number => (instant - Date.now()) / 86_400_000;
      expect(days(await expiryOf(refreshToken))).toBeCloseTo(30, 2);
      await ground.environment.database.query(
        `UPDATE refresh_tokens SET expires_at = now() + interval '1 day' WHERE token_hash = $1`,
        [sha256(refreshToken)],
      );
      let next: Outcome | undefined;
      const statements = await ground.service.statementsOf(async () => {
        next = await ground.refresh(refreshToken);
      });
      expect(next?.status).toBe(200);
      expect(ofIdentity(statements).length).toBeLessThanOrEqual(3);
      expect(days(await expiryOf(next?.refreshToken ?? ''))).toBeCloseTo(30, 2);
    });

    it('are good for one of any number of simultaneous uses, and never again', async () => {
      const { refreshToken } = await newUser(ground);
      const answers = await Promise.all(Array.from({ length: 6 }, () => ground.refresh(refreshToken)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
      expect((await ground.refresh(refreshToken)).status).toBe(401);
    });

    it('that have expired, or were never given, are unknown', async () => {
      const { refreshToken } = await newUser(ground);
      await ground.environment.database.query(
        'UPDATE refresh_tokens SET expires_at = now() WHERE token_hash = $1',
        [sha256(refreshToken)],
      );
      for (const token of [refreshToken, 'made-up'])
        expect(await ground.refresh(token)).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
    });
  });

  describe('logout', () => {
    it('ends one session and leaves the others', async () => {
      const user = await newUser(ground);
      const other = await ground.signIn(user.email);
      expect((await ground.logOut({ refresh_token: user.refreshToken })).status).toBe(204);
      expect((await ground.refresh(user.refreshToken)).code).toBe(ground.endedSessionCode);
      expect((await ground.refresh(other.refreshToken)).status).toBe(200);
    });

    it('by access token ends its own', async () => {
      const user = await newUser(ground);
      expect((await ground.logOut({}, user.accessToken)).status).toBe(204);
      expect((await ground.refresh(user.refreshToken)).code).toBe(ground.endedSessionCode);
    });

    it('with an unknown token is 204, with none at all 401', async () => {
      expect((await ground.logOut({ refresh_token: 'made-up' })).status).toBe(204);
      expect(await ground.logOut({})).toMatchObject({ status: 401, code: 'unauthenticated' });
    });

    it('lets no refresh of the session succeed after its response, even a simultaneous one', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { refreshToken } = await newUser(ground);
        const [refreshed] = await Promise.all([
          ground.refresh(refreshToken),
          ground.logOut({ refresh_token: refreshToken }),
        ]);
        const left = refreshed.status === 200 ? [refreshed.refreshToken] : [refreshToken];
        // Of a token that was exchanged a moment ago nothing may be left to name the session by.
        if (refreshed.status === 200) await ground.logOut({ refresh_token: refreshed.refreshToken });
        for (const token of left) expect((await ground.refresh(token)).status).toBe(401);
      }
    });
  });

  describe('recovery', () => {
    it('answers known and unknown addresses alike, and mails the known one', async () => {
      const user = await newUser(ground);
      const [known, unknown] = [await ground.recover(user.email), await ground.recover(freshAddress())];
      expect([known.status, known.answer.body]).toEqual([unknown.status, unknown.answer.body]);
      expect(known.status).toBeLessThan(300);
      await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 1);
    });

    it('sets the password, signs in, and ends every other session', async () => {
      const user = await newUser(ground);
      const token = await recoveryToken(ground, user);
      const done = await ground.completeRecovery(token, NEW_PASSWORD);
      expect(done).toMatchObject({ status: 200, userId: user.userId });
      expect((await ground.refresh(done.refreshToken)).status).toBe(200);
      expect((await ground.refresh(user.refreshToken)).code).toBe(ground.endedSessionCode);
      expect((await ground.signIn(user.email)).status).toBe(401);
      expect((await ground.signIn(user.email, NEW_PASSWORD)).status).toBe(200);
    });

    it('works once, for its purpose, and its token is not an access token', async () => {
      const user = await newUser(ground);
      const token = await recoveryToken(ground, user);
      expect(await ground.verify(token)).toMatchObject({ status: 400, code: 'invalid_token' });
      expect((await ground.user(token)).status).toBe(401);
      expect(await ground.completeRecovery(token, 'short')).toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
      const uses = await Promise.all([1, 2, 3].map(() => ground.completeRecovery(token, NEW_PASSWORD)));
      expect(uses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      expect(await ground.completeRecovery(token, NEW_PASSWORD)).toMatchObject({ code: 'invalid_token' });
    });

    it('is void once the user has changed the password', async () => {
      const user = await newUser(ground);
      const token = await recoveryToken(ground, user);
      const change = { password: NEW_PASSWORD, current_password: PASSWORD };
      const changed = await ground.authenticated(user.accessToken).send('PATCH', '/auth/v1/user', change);
      expect(changed.status).toBe(200);
      expect(await ground.completeRecovery(token, 'a wholly other password')).toMatchObject({
        status: 400,
        code: 'invalid_token',
      });
    });

    it('expires, and its token is nowhere to be read', async () => {
      const user = await newUser(ground);
      const token = await recoveryToken(ground, user);
      const { database } = ground.environment;
      const held = await database.query('SELECT FROM one_time_tokens WHERE token_hash = $1', [sha256(token)]);
      expect(held).toHaveLength(1);
      await until(async () => (await database.query('SELECT FROM outgoing_mails')).length === 0);
      await database.query('UPDATE one_time_tokens SET expires_at = now() WHERE token_hash = $1', [
        sha256(token),
      ]);
      expect(await ground.completeRecovery(token, NEW_PASSWORD)).toMatchObject({
        status: 400,
        code: 'invalid_token',
      });
    });

    it('stays valid when somebody only opens its link', async () => {
      const user = await newUser(ground);
      await ground.recover(user.email);
      const mail = await ground.mailServer.mailTo(user.email, ground.mailsOfSignUp + 1);
      const link = linkOf(mail);
      const page = `${ground.service.url}${link.pathname.replace(/^\/base/, '')}${link.search}`;
      for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(page, { method })).status).toBe(200);
      expect((await ground.completeRecovery(tokenOf(mail), NEW_PASSWORD)).status).toBe(200);
    });
  });

  it('is recorded in the audit trail, including wrong passwords', async () => {
    const user = await newUser(ground);
    await ground.signIn(user.email, 'not the password');
    await ground.logOut({ refresh_token: user.refreshToken });
    expect(await actionsOf(ground.environment.database, user.userId)).toEqual([
      'user.signed_up',
      'session.opened',
      'session.sign_in_refused',
      'session.revoked',
    ]);
  });
});
