import { decodeJwt } from 'jose';
import type { TOTP } from 'otpauth';
import type { Client } from '../../support/client.js';
import { tokenOf } from '../../support/mail-server.js';
import type { ReceivedMail } from '../../support/mail-server.js';
import { addPasskey, passkeyGrant } from '../../support/passkey.js';
import { addFactor } from '../../support/second-factor.js';
import { SoftwareAuthenticator } from '../../support/software-authenticator.js';
import type { RequestOptions } from '../../support/software-authenticator.js';
import { newUser, organizationGround, projectGround } from './identity-ground.js';
import type { IdentityGround, Outcome } from './identity-ground.js';

/** What an account has when somebody signs in, and whether that is a factor in force. */
const FACTOR_STATES = {
  'no factor': false,
  'a factor begun': false,
  'a factor in force': true,
  'a passkey in force': true,
  'a passkey and an authenticator': true,
  'one of two factors left': true,
  'a factor removed': false,
  'factors reset by an operator': false,
} as const;
type FactorState = keyof typeof FACTOR_STATES;

type Way = 'password' | 'recovery' | 'magic link' | 'passkey' | 'refresh';

/** Whether the tenant demands a second factor, which only projects do at sign-in. */
type Policy = 'no demand' | 'a demand';

interface Challenge {
  readonly token: string;
  readonly passkey_options?: RequestOptions;
}

interface Prepared {
  readonly user: Outcome;
  readonly totp: TOTP | null;
  readonly passkey: SoftwareAuthenticator | null;
  /** How many mails the account has received so far. */
  mails: number;
}

/** In this order: a recovery replaces the password, and ends the sessions. */
const OF_ORGANIZATIONS: readonly Way[] = ['refresh', 'password', 'passkey', 'recovery'];
const OF_PROJECTS: readonly Way[] = ['refresh', 'password', 'passkey', 'magic link', 'recovery'];

/** Each state under each policy. */
function rowsOf(policies: readonly Policy[]): [FactorState, Policy][] {
  const states = Object.keys(FACTOR_STATES) as FactorState[];
  return policies.flatMap((policy) => states.map((state): [FactorState, Policy] => [state, policy]));
}

/** Every way of signing in × what the account has × whether its tenant demands a factor. Section 11 of the contract. */
describe.each([
  ['organizations', organizationGround, OF_ORGANIZATIONS, rowsOf(['no demand'])],
  ['projects', projectGround, OF_PROJECTS, rowsOf(['no demand', 'a demand'])],
] as const)('signing in with the accounts of %s', (_profile, prepareGround, waysOf, rows) => {
  let ground: IdentityGround;

  beforeAll(async () => {
    ground = await prepareGround();
  });

  afterAll(async () => {
    await ground.stop();
  });

  /** Of a fresh account whose address is proven: otherwise a mail hands it over to somebody else. */
  async function prepare(state: FactorState): Promise<Prepared> {
    const user = await newUser(ground);
    await ground.environment.database.query('UPDATE users SET email_verified = true WHERE id = $1', [
      user.userId,
    ]);
    const client = ground.authenticated(user.accessToken);
    const before = ground.mailsOfSignUp;
    if (state === 'no factor') return { user, totp: null, passkey: null, mails: before };
    if (state === 'a factor begun') {
      await client.post('/auth/v1/factors/totp', { name: 'Phone' });
      await client.post('/auth/v1/factors/passkeys/options');
      return { user, totp: null, passkey: null, mails: before };
    }
    if (state === 'a passkey in force' || state === 'a passkey and an authenticator') {
      const { authenticator } = await addPasskey(client, ground.passkeyOrigin);
      if (state === 'a passkey in force') return await received(user, null, before + 1, authenticator);
      // A notice of the same kind has its cooldown.
      const { totp } = await addFactor(client);
      return await received(user, totp, before + 1, authenticator);
    }
    const first = await addFactor(client);
    if (state === 'a factor in force') return await received(user, first.totp, before + 1);
    if (state === 'factors reset by an operator') {
      await ground.manager.send('DELETE', `${ground.managed}/${user.userId}/factors`);
      return await received(user, null, before + 2);
    }
    if (state === 'one of two factors left') {
      const second = await addFactor(client);
      await removed(client, first.id);
      return await received(user, second.totp, before + 2);
    }
    await removed(client, first.id);
    return await received(user, null, before + 2);
  }

  async function removed(client: Client, id: string): Promise<void> {
    expect((await client.send('DELETE', `/auth/v1/factors/${id}`)).status).toBe(204);
  }

  async function received(
    user: Outcome,
    totp: TOTP | null,
    mails: number,
    passkey: SoftwareAuthenticator | null = null,
  ): Promise<Prepared> {
    await ground.mailServer.mailTo(user.email, mails);
    return { user, totp, passkey, mails };
  }

  async function nextMail(prepared: Prepared): Promise<ReceivedMail> {
    prepared.mails += 1;
    return await ground.mailServer.mailTo(prepared.user.email, prepared.mails);
  }

  const ways: Record<Way, (prepared: Prepared) => Promise<Outcome>> = {
    password: ({ user }) => ground.signIn(user.email),
    recovery: async (prepared) => {
      await ground.recover(prepared.user.email);
      const token = tokenOf(await nextMail(prepared));
      return await ground.completeRecovery(token, 'a wholly other password');
    },
    'magic link': async (prepared) => {
      await ground.anonymous.post('/auth/v1/magic-link', { email: prepared.user.email });
      return await ground.verify(tokenOf(await nextMail(prepared)));
    },
    passkey: async ({ passkey }) => {
      const authenticator = passkey ?? new SoftwareAuthenticator(ground.passkeyOrigin);
      return await ground.signInByPasskey(await passkeyGrant(ground.anonymous, authenticator));
    },
    refresh: ({ user }) => ground.refresh(user.refreshToken),
  };

  /** The second step, by a code or by the passkey. */
  async function complete({ user, totp, passkey }: Prepared, { answer }: Outcome): Promise<Outcome> {
    // A code serves once, and the next would come in half a minute.
    await ground.environment.database.query('UPDATE factors SET last_step = 0 WHERE user_id = $1', [
      user.userId,
    ]);
    const { challenge } = (answer.body as { error: { challenge: Challenge } }).error;
    const proof =
      totp !== null
        ? { code: totp.generate() }
        : { credential: passkey?.get(challenge.passkey_options as RequestOptions) };
    return await ground.completeSignIn({ challenge_token: challenge.token, ...proof });
  }

  function expectLevelTwo(outcome: Outcome): void {
    expect(decodeJwt(outcome.accessToken)).toMatchObject({ aal: 2, amr: expect.arrayContaining(['mfa']) });
  }

  describe.each(rows)('with %s and %s', (state, policy) => {
    let prepared: Prepared;

    beforeAll(async () => {
      prepared = await prepare(state);
    });

    it.each(waysOf)('opens no session below its level by %s', async (way) => {
      await ground.requireFactor?.(policy === 'a demand');
      const outcome = await ways[way](prepared).finally(() => ground.requireFactor?.(false));
      const isInForce = FACTOR_STATES[state];
      if (way === 'refresh') {
        // The session that added the factor has proven it; a reset ends it. Demands are made of sign-ins.
        expect(outcome.status).toBe(state === 'factors reset by an operator' ? 401 : 200);
        if (outcome.status === 200 && isInForce) expect(decodeJwt(outcome.accessToken).aal).toBe(2);
      } else if (way === 'passkey') {
        if (prepared.passkey !== null) expectLevelTwo(outcome);
        else expect([outcome.status, outcome.code]).toEqual([401, 'invalid_passkey']);
      } else if (isInForce) {
        expect([outcome.status, outcome.code]).toEqual([401, 'second_factor_required']);
        expect(outcome.accessToken + outcome.refreshToken).toBe('');
        expectLevelTwo(await complete(prepared, outcome));
      } else if (policy === 'a demand') {
        expect([outcome.status, outcome.code]).toEqual([403, 'second_factor_required']);
        expect(outcome.accessToken + outcome.refreshToken).toBe('');
      } else {
        expect(outcome.status).toBe(200);
        expect(decodeJwt(outcome.accessToken).aal).toBe(1);
      }
      await expectNoLowSession(prepared.user.userId);
    });
  });

  /** No live session of level 1 in an account with a factor in force. */
  async function expectNoLowSession(userId: string): Promise<void> {
    const low = await ground.environment.database.query(
      `SELECT session.id FROM sessions session JOIN users account ON account.id = session.user_id
       WHERE account.id = $1 AND account.second_factor AND session.revoked_at IS NULL AND session.aal < 2`,
      [userId],
    );
    expect(low).toEqual([]);
  }
});
