import fc from 'fast-check';
import { decodeJwt } from 'jose';
import type { Client } from '../../support/client.js';
import { addPasskey, passkeyGrant } from '../../support/passkey.js';
import { addFactor } from '../../support/second-factor.js';
import type { SoftwareAuthenticator } from '../../support/software-authenticator.js';
import { newUser, organizationGround, projectGround } from './identity-ground.js';
import type { IdentityGround, Outcome } from './identity-ground.js';

/** What people, and whoever stole something of theirs, do at about the same time. */
const ACTS = [
  'sign in',
  'complete',
  'refresh',
  'add',
  'add a passkey',
  'sign in by a passkey',
  'remove',
  'renew codes',
  'reset',
  'demand',
] as const;
type Act = (typeof ACTS)[number];

/** Rounds of acts; those of one round at once. */
const ROUNDS = fc.array(fc.array(fc.constantFrom(...ACTS), { minLength: 1, maxLength: 4 }), {
  minLength: 4,
  maxLength: 8,
});

/** One account, as all who know its password use it. */
class Account {
  readonly sessions: Outcome[] = [];
  recoveryCodes: string[] = [];
  readonly authenticators: SoftwareAuthenticator[] = [];
  private isDemanded = false;

  private constructor(
    private readonly ground: IdentityGround,
    readonly user: Outcome,
  ) {
    this.sessions.push(user);
  }

  static async of(ground: IdentityGround): Promise<Account> {
    return new Account(ground, await newUser(ground));
  }

  /** Does it; refusals are as good as anything. @returns the tokens that it gave */
  async act(act: Act): Promise<Outcome | null> {
    const { ground, user } = this;
    switch (act) {
      case 'sign in':
        return this.kept(await ground.signIn(user.email));
      case 'complete':
        return await this.complete();
      case 'refresh': {
        const session = this.sessions.pop();
        return session === undefined ? null : this.kept(await ground.refresh(session.refreshToken));
      }
      case 'add':
        await addFactor(this.client).then(
          ({ recoveryCodes }) => this.recoveryCodes.push(...recoveryCodes),
          () => null,
        );
        return null;
      case 'add a passkey':
        await addPasskey(this.client, ground.passkeyOrigin).then(
          ({ authenticator, recoveryCodes }) => {
            this.authenticators.push(authenticator);
            this.recoveryCodes.push(...recoveryCodes);
          },
          () => null,
        );
        return null;
      case 'sign in by a passkey': {
        const authenticator = this.authenticators.at(-1);
        if (authenticator === undefined) return null;
        const grant = await passkeyGrant(ground.anonymous, authenticator);
        return this.kept(await ground.signInByPasskey(grant));
      }
      case 'demand':
        this.isDemanded = !this.isDemanded;
        await ground.requireFactor?.(this.isDemanded);
        return null;
      case 'remove': {
        const { body } = await this.client.get<{ id: string }[]>('/auth/v1/factors');
        const [factor] = Array.isArray(body) ? body : [];
        if (factor !== undefined) await this.client.send('DELETE', `/auth/v1/factors/${factor.id}`);
        return null;
      }
      case 'renew codes': {
        const { body } = await this.client.post<{ recovery_codes?: string[] }>(
          '/auth/v1/factors/recovery-codes',
        );
        this.recoveryCodes = body.recovery_codes ?? this.recoveryCodes;
        return null;
      }
      case 'reset':
        await ground.manager.send('DELETE', `${ground.managed}/${user.userId}/factors`);
        return null;
    }
  }

  private get client(): Client {
    return this.ground.authenticated((this.sessions.at(-1) ?? this.user).accessToken);
  }

  private async complete(): Promise<Outcome | null> {
    const { ground } = this;
    const first = await ground.signIn(this.user.email);
    if (first.status === 200) return this.kept(first);
    const { challenge } = (first.answer.body as { error: { challenge?: { token: string } } }).error;
    if (challenge === undefined) return null;
    const recovery_code = this.recoveryCodes.pop() ?? 'aaaa-bbbb-cccc-dddd';
    return this.kept(await ground.completeSignIn({ challenge_token: challenge.token, recovery_code }));
  }

  private kept(outcome: Outcome): Outcome | null {
    if (outcome.status !== 200) return null;
    this.sessions.push(outcome);
    return outcome;
  }
}

/** Section 11 of the contract: no path by which a session of level 1 comes out of an account with a factor. */
describe.each([
  ['organizations', organizationGround],
  ['projects', projectGround],
])('whatever is done at one time with an account of %s', (_profile, prepareGround) => {
  let ground: IdentityGround;

  beforeAll(async () => {
    ground = await prepareGround();
  });

  afterAll(async () => {
    await ground.stop();
  });

  it('leaves no live session of level 1 beside a factor in force', async () => {
    await fc.assert(
      fc.asyncProperty(ROUNDS, async (rounds) => {
        await ground.requireFactor?.(false);
        const account = await Account.of(ground);
        for (const acts of rounds) {
          const given = await Promise.all(acts.map((act) => account.act(act)));
          const [row] = await ground.environment.database.query<{ low: number; factor: boolean }>(
            `SELECT account.second_factor AS factor,
                    (SELECT count(*)::int FROM sessions session
                     WHERE session.user_id = account.id AND session.revoked_at IS NULL AND session.aal < 2) AS low
             FROM users account WHERE account.id = $1`,
            [account.user.userId],
          );
          if (row?.factor !== true) continue;
          expect(row.low).toBe(0);
          // What was given at the same time works no more, or is of the session that has proven it.
          for (const session of given.flatMap((outcome) => outcome ?? [])) {
            const refreshed = await ground.refresh(session.refreshToken);
            if (refreshed.status === 200) expect(decodeJwt(refreshed.accessToken).aal).toBe(2);
          }
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });
});
