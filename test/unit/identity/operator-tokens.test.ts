import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { randomBytes } from 'node:crypto';
import { OPERATOR_REALM, UserEntity } from '../../../src/identity/index.js';
import { DeploymentOperatorTokens } from '../../../src/identity/token-signers/operator-tokens.js';
import { KeyRing, newId } from '../../../src/platform/crypto/index.js';
import { Clock } from '../../../src/platform/lifecycle/index.js';
import { load } from '../config/loading.js';

const DATA_KEYS = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')] as const;
const PURPOSE = 'operator access tokens';
const SESSION = { sessionId: newId(), authTime: new Date(), amr: ['pwd'], aal: 1 } as const;

/** A clock that stands still. */
class StandingClock extends Clock {
  constructor(private readonly at: Date) {
    super();
  }

  override now(): Date {
    return this.at;
  }
}

function tokensUnder(dataKeys: readonly string[], clock = new Clock()): DeploymentOperatorTokens {
  const config = load({ SERVICE_IDENTITY__PROFILE: 'project' });
  return new DeploymentOperatorTokens(config, clock, new KeyRing(dataKeys));
}

function operator(): UserEntity {
  return Object.assign(new UserEntity(), { id: newId(), realmId: OPERATOR_REALM, email: 'ada@example.com' });
}

describe('the access token of an operator of projects', () => {
  it('names the account and the session', async () => {
    const [user, sessionId] = [operator(), newId()];
    const { token, expiresInSecs } = await tokensUnder(DATA_KEYS).issue(user, { ...SESSION, sessionId });
    expect(await tokensUnder(DATA_KEYS).verifyOperatorToken(token)).toEqual({ userId: user.id, sessionId });
    expect(expiresInSecs).toBe(900);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256', typ: 'operator+jwt' });
  });

  it('holds while its data key is among the previous ones, and not after', async () => {
    const { token } = await tokensUnder([DATA_KEYS[0]]).issue(operator(), SESSION);
    expect(await tokensUnder([DATA_KEYS[1], DATA_KEYS[0]]).verifyOperatorToken(token)).not.toBeNull();
    expect(await tokensUnder([DATA_KEYS[1]]).verifyOperatorToken(token)).toBeNull();
  });

  it('expires', async () => {
    const { token } = await tokensUnder(DATA_KEYS).issue(operator(), SESSION);
    const { exp = 0 } = decodeJwt(token);
    const atSecs = (secs: number): Clock => new StandingClock(new Date(secs * 1000));
    expect(await tokensUnder(DATA_KEYS, atSecs(exp - 1)).verifyOperatorToken(token)).not.toBeNull();
    expect(await tokensUnder(DATA_KEYS, atSecs(exp + 1)).verifyOperatorToken(token)).toBeNull();
  });

  it('is refused when altered, unsigned, or of another type, audience or issuer', async () => {
    const { token } = await tokensUnder(DATA_KEYS).issue(operator(), SESSION);
    const [head = '', body = '', signature = ''] = token.split('.');
    const unsigned = Buffer.from('{"alg":"none","typ":"operator+jwt"}').toString('base64url');
    const [key] = new KeyRing(DATA_KEYS).derive(PURPOSE);
    const claims = decodeJwt(token);
    const { kid = '' } = decodeProtectedHeader(token);
    const signed = async (typ: string, changed: object): Promise<string> =>
      await new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg: 'HS256', typ, kid })
        .sign(key.secret);
    expect(await tokensUnder(DATA_KEYS).verifyOperatorToken(await signed('operator+jwt', {}))).not.toBeNull();
    for (const forged of [
      '',
      'x',
      `${unsigned}.${body}.`,
      `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      await signed('at+jwt', {}),
      await signed('operator+jwt', { aud: 'authenticated' }),
      await signed('operator+jwt', { iss: 'other' }),
      await signed('operator+jwt', { sub: 'x' }),
    ])
      expect([forged, await tokensUnder(DATA_KEYS).verifyOperatorToken(forged)]).toEqual([forged, null]);
  });
});
