import { randomBytes } from 'node:crypto';
import { answerWithoutSecrets } from '../../../src/identity/mails/server-answer.js';

const TOKEN = 'sv9NC_6ghjmAPnjEMSEeeYCPcmzIPZuzMULKiRpws3Q';

test.each([
  ['as it is', `250 queued ${TOKEN}.`, '250 queued [token].'],
  ['cut at its end', `250 queued ${TOKEN.slice(0, -1)}`, '250 queued [token]'],
  ['cut at its beginning', `550 …${TOKEN.slice(3)} refused`, '550 …[token] refused'],
  ['wrapped', `550 token=3D${TOKEN.slice(0, 28)}= ${TOKEN.slice(28)} no`, '550 token=3D[token]= [token] no'],
  ['in a link', `550 https://id.example.com/auth?token=${TOKEN} no`, '550 [link] no'],
])('a token that a mail server repeats %s is taken out of its answer', (_how, answer, shown) => {
  expect(answerWithoutSecrets(answer, TOKEN)).toBe(shown);
});

test.each([0, 1, 2, 3, 4])(
  'a token in base64 after %i characters is taken out but for its ends',
  (before) => {
    const token = randomBytes(32).toString('base64url');
    const encoded = Buffer.from(`${'x'.repeat(before)}${token}\r\nyours`).toString('base64');
    const shown = answerWithoutSecrets(`550 refused: ${encoded}`, token) ?? '';
    const decoded = Buffer.from(
      shown.replace(/^550 refused: /, '').replace('[token]', ''),
      'base64',
    ).toString();
    expect(shown).toContain('[token]');
    for (let at = 0; at + 6 <= token.length; at += 1) expect(decoded).not.toContain(token.slice(at, at + 6));
  },
);

test('an answer is cut only once the token is out of it', () => {
  for (let before = 240; before < 320; before += 1) {
    const shown = answerWithoutSecrets(`${'.'.repeat(before)}${TOKEN}`, TOKEN) ?? '';
    expect(shown.length).toBeLessThanOrEqual(300);
    expect(shown).not.toContain(TOKEN.slice(0, 6));
  }
});

test('the name of the mail in an answer stays', () => {
  const answer = '250 2.0.0 OK 1700000000 d9443c01a7336-1cc1ff0a12345678 - gsmtp';
  expect(answerWithoutSecrets(answer, TOKEN)).toBe(answer);
});
