import { similarTo } from '../../../servicectl/src/suggestions.js';

const JOBS = ['daily-report', 'greet', 'flaky', 'import-orders', 'import-users'];

describe('what the user probably meant', () => {
  it.each([
    ['gret', 'greet'],
    ['Greet', 'greet'],
    ['daily', 'daily-report'],
    ['dayly-report', 'daily-report'],
    ['import-order', 'import-orders'],
  ])('by %s is %s', (typed, meant) => {
    expect(similarTo(typed, JOBS)).toBe(meant);
  });

  it.each(['', 'cleanup', 'x'])('by %j is none of the others', (typed) => {
    expect(similarTo(typed, JOBS)).toBeNull();
  });
});
