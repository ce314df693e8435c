import { openSuccessor, sealSuccessor } from '../../../src/identity/sessions/sessions.js';
import { randomToken, UnsealError } from '../../../src/platform/crypto/index.js';

describe('the sealed successor of a refresh token', () => {
  const [token, successor] = [randomToken(), randomToken()];

  it('opens with the token that it follows', () => {
    expect(openSuccessor(token, sealSuccessor(token, successor))).toBe(successor);
  });

  it('opens with no other token', () => {
    const sealed = sealSuccessor(token, successor);
    expect(() => openSuccessor(randomToken(), sealed)).toThrow(UnsealError);
  });

  it('shows neither token to a reader of the database', () => {
    const sealed = sealSuccessor(token, successor).toString('latin1');
    expect(sealed).not.toContain(successor);
    expect(sealed).not.toContain(token);
    expect(sealed).not.toBe(sealSuccessor(token, successor).toString('latin1'));
  });
});
