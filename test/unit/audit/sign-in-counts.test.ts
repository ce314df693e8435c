import { figureOf, SignInCounts } from '../../../src/audit/sign-ins/sign-in-counts.js';

describe('what counts as a sign-in', () => {
  it.each([
    ['sign_up', 'success', 'signedUp'],
    ['sign_up', 'email_taken', null],
    ['sign_in', 'success', 'signedIn'],
    ['sign_in', 'invalid_credentials', 'refused'],
    ['sign_in', 'rate_limited', 'unanswered'],
    ['sign_in', 'internal_error', 'unanswered'],
    ['magic_link', 'invalid_token', 'refused'],
    ['recovery', 'success', 'signedIn'],
    ['refresh', 'success', null],
    ['token_check', 'invalid_access_token', null],
  ])('%s with %s adds to %s', (event, outcome, figure) => {
    expect(figureOf(event, outcome)).toBe(figure);
  });

  it('is taken once, and joined by what came meanwhile when it is given back', () => {
    const counts = new SignInCounts();
    expect(counts.take()).toBeNull();
    counts.add('sign_in', 'success');
    const taken = counts.take();
    expect(counts.take()).toBeNull();
    counts.add('sign_in', 'success');
    counts.add('sign_in', 'overloaded');
    if (taken !== null) counts.giveBack(taken);
    expect(counts.take()).toEqual({ signedUp: 0, signedIn: 2, refused: 0, unanswered: 1 });
  });
});
