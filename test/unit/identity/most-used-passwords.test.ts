import { MostUsedPasswords } from '../../../src/identity/passwords/most-used-passwords/most-used-passwords.js';

describe('the most used passwords', () => {
  const common = new MostUsedPasswords();

  it.each(['password', '12345678', 'qwertyuiop', 'PassWord', 'trustno1', 'iloveyou', '1q2w3e4r5t'])(
    'have %s among them, in upper or lower case',
    (password) => {
      expect(common.has(password)).toBe(true);
    },
  );

  it.each([
    'correct horse battery',
    'correct horse battery staple',
    'a wholly other password',
    '',
    'x'.repeat(1000),
  ])('do not have "%s" among them', (password) => {
    expect(common.has(password)).toBe(false);
  });
});
