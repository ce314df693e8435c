import { normalizeEmail } from '../../../src/identity/users/email-address.js';

const KELVIN = '\u212a';

describe('the normal form of an e-mail address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada@Example.COM\n', 'ada@example.com'],
    ['ada+tag@example.com', 'ada+tag@example.com'],
    ["o'neil@example.com", "o'neil@example.com"],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@bücher\u3002example', 'ada@xn--bcher-kva.example'],
    ['a@b.co', 'a@b.co'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('of %j is %s', (raw, expected) => {
    expect(normalizeEmail(raw)).toBe(expected);
    expect(normalizeEmail(expected)).toBe(expected);
  });

  it.each([
    '',
    '@',
    'a@',
    '@b.co',
    'ada',
    'ada@example',
    'ada@b@example.com',
    'ada @example.com',
    'ada@exam ple.com',
    'ada@exam\tple.com',
    'ada@exam\nple.com',
    'ada\u0000@example.com',
    'ada@example.com\u0000',
    'ada@example.com/path',
    'ada@example.com:80',
    'ada@example.com?query',
    'ada@example.com#fragment',
    'ada@example.com\\path',
    'ada@ex%61mple.com',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    'ada@-example.com',
    'ada@example..com',
    '.ada@example.com',
    'ädä@example.com',
    `mar${KELVIN}@example.com`,
    'ada\u200b@example.com',
    'ad\ud800a@example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.com`,
  ])('is not to be had of %j', (raw) => {
    expect(normalizeEmail(raw)).toBeNull();
  });
});
