import { nameProblem } from '../../../src/http/index.js';

const LENGTH = 'must have 1 to 80 characters';
const UNSEEN = 'must be one line, without control characters and characters that cannot be seen';
const LINK = 'must not contain a link or an e-mail address';

describe('the name of an organization or a project', () => {
  it.each([
    'Acme Inc.',
    'Dr. Smith & Co.',
    'Booking.com',
    'Booking.com B.V.',
    'Node.js Foundation',
    'S.p.A. Ferrari / Maserati',
    'Yahoo!',
    'A/B Testing: 24/7',
    'Meet @ Acme',
    '12.5 % AG',
    '東京株式会社',
    'شرکت می‌خواهم',
    'नेपाल क्‍ष',
    'The 👩‍💻 Company ❤️',
    'x'.repeat(80),
    '👍'.repeat(80),
  ])('may be %s', (name) => {
    expect(nameProblem(name)).toBeNull();
  });

  it.each([
    ['nothing', '', LENGTH],
    ['81 characters', 'x'.repeat(81), LENGTH],
    ['81 characters of two code units', '👍'.repeat(81), LENGTH],
    ['a million characters', '\u0301'.repeat(1_000_000), LENGTH],
    ['blanks', ' \u00A0 ', 'must not be blank'],
    ['a number', 7, 'must be text'],
    ['a line feed', 'Acme\nBcc: all', UNSEEN],
    ['a carriage return', 'Acme\rInc', UNSEEN],
    ['a tab', 'Acme\tInc', UNSEEN],
    ['a next line', 'Acme\u0085Inc', UNSEEN],
    ['a line separator', 'Acme\u2028Inc', UNSEEN],
    ['a paragraph separator', 'Acme\u2029Inc', UNSEEN],
    ['an override of the direction', 'Acme\u202Egpj.exe', UNSEEN],
    ['an isolate', 'Acme\u2066', UNSEEN],
    ['a zero-width space', 'Ac\u200Bme', UNSEEN],
    ['a joiner before a dot', 'evil\u200D.com', UNSEEN],
    ['a byte order mark', '\uFEFFAcme', UNSEEN],
    ['a soft hyphen', 'Ac\u00ADme', UNSEEN],
    ['a letter that is not seen', '\u3164', UNSEEN],
    ['a pattern of no dots', '\u2800', UNSEEN],
    ['tags', 'Acme\u{E0041}', UNSEEN],
    ['half of a surrogate pair', 'Acme\uD800', UNSEEN],
    ['a character of private use', 'Acme\uE000', UNSEEN],
    ['an address of the web', 'Pay at https://evil.example', LINK],
    ['an address without a scheme', '//evil.example', LINK],
    ['an address in full-width letters', 'ｈｔｔｐｓ：／／ｅｖｉｌ．ｃｏｍ', LINK],
    ['a host of the web', 'See WWW.evil.example', LINK],
    ['a path', 'evil.com/win', LINK],
    ['a query', 'evil.com?win', LINK],
    ['a port', 'evil.com:8080', LINK],
    ['an IPv4 address with a path', '192.0.2.7/win', LINK],
    ['an e-mail address', 'Call ada@example.com', LINK],
    ['a link to mail', 'mailto:ada', LINK],
    ['a script', 'JavaScript:alert(1)', LINK],
  ])('is refused with %s', (_, name, problem) => {
    expect(nameProblem(name)).toBe(problem);
  });
});
