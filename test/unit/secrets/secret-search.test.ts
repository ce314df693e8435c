import { randomBytes } from 'node:crypto';
import { searchFor } from '../../support/secrets/secret-search.js';

const TOKEN = randomBytes(32).toString('base64url');
const PASSWORD = 'a "quoted" pass/word';

test.each([
  ['as it is', TOKEN],
  ['in hexadecimal', Buffer.from(TOKEN).toString('hex')],
  ['in Base64', Buffer.from(TOKEN).toString('base64')],
  ['in Base64 with more after it', Buffer.from(`${TOKEN}, and more`).toString('base64')],
  ['as the bytes that it stands for', Buffer.from(TOKEN, 'base64url').toString('hex')],
])('a token is found %s', (_form, written) => {
  expect(searchFor([PASSWORD, TOKEN])(`before ${written} after`)).toEqual([TOKEN]);
});

test.each([JSON.stringify({ password: PASSWORD }), `password=${encodeURIComponent(PASSWORD)}`])(
  'a password is found escaped: %s',
  (text) => {
    expect(searchFor([PASSWORD, TOKEN])(text)).toEqual([PASSWORD]);
  },
);

test('what only looks alike, a half, and ordinary words are not found', () => {
  const text = `${TOKEN.slice(0, 20)} ${randomBytes(32).toString('base64url')} secret`;
  expect(searchFor([TOKEN, 'secret', ''])(text)).toEqual([]);
});
