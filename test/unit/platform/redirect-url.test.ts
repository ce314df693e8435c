import {
  matchesRedirectPatterns,
  redirectPatternProblem,
  redirectSource,
  redirectUrlProblem,
  redirectWithCode,
} from '../../../src/platform/redirects/index.js';

const LIST = [
  'https://app.example.com/app/*',
  'https://app.example.com/callback',
  'https://app.example.com:8443/callback',
  'https://root.example.com',
  'http://localhost:3000/*',
  'http://127.0.0.1:3000/callback',
  'com.example.app:/signed-in',
  'exampleapp://signed-in',
];

test.each(LIST)('the list may have %s', (pattern) => {
  expect(redirectPatternProblem(pattern)).toBeNull();
});

test.each([
  'https://app.example.com/app/',
  'https://app.example.com/app/orders/7?tab=items&page=2',
  'https://app.example.com/callback',
  'https://app.example.com/callback?next=%2Forders&state=code',
  'https://app.example.com:8443/callback',
  'https://root.example.com',
  'https://root.example.com/',
  'http://localhost:3000/',
  'http://localhost:3000/deep/path',
  'http://127.0.0.1:3000/callback',
  'com.example.app:/signed-in',
  'exampleapp://signed-in',
])('%s is in the list', (url) => {
  expect(matchesRedirectPatterns(LIST, url)).toBe(true);
});

/** What strangers send in the hope that it is taken for a URL of the list. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ['another host', 'https://evil.example/app/'],
  ['a host that begins like it', 'https://app.example.com.evil.example/app/'],
  ['a host that ends like it', 'https://evilapp.example.com/app/'],
  ['a host under it', 'https://www.app.example.com/app/'],
  ['a parent of it', 'https://example.com/app/'],
  ['its host as a user', 'https://app.example.com@evil.example/app/'],
  ['its host as a user with a password', 'https://app.example.com:x@evil.example/app/'],
  ['a user at its host', 'https://user@app.example.com/app/'],
  ['an empty user', 'https://@app.example.com/app/'],
  ['a backslash for the slash', 'https://evil.example\\@app.example.com/app/'],
  ['a backslash after the host', 'https://app.example.com\\.evil.example/app/'],
  ['backslashes for the first slashes', 'https:\\\\app.example.com/app/'],
  ['one slash', 'https:/app.example.com/app/'],
  ['no slash', 'https:app.example.com/app/'],
  ['three slashes', 'https:///app.example.com/app/'],
  ['no scheme', '//app.example.com/app/'],
  ['a path alone', '/app/'],
  ['http', 'http://app.example.com/app/'],
  ['another port', 'https://app.example.com:444/app/'],
  ['the default port, written', 'https://app.example.com:443/app/'],
  ['a trailing dot', 'https://app.example.com./app/'],
  ['upper case', 'https://APP.example.com/app/'],
  ['an upper-case scheme', 'HTTPS://app.example.com/app/'],
  ['a tab in it', 'https://app.example.com/\tapp/'],
  ['a line feed in it', 'https://app.exam\nple.com/app/'],
  ['a carriage return in it', 'https://app.example.com/app/\r\nSet-Cookie:x'],
  ['a null in it', 'https://app.example.com\u0000.evil.example/app/'],
  ['a space before it', ' https://app.example.com/app/'],
  ['a space after it', 'https://app.example.com/app/ '],
  ['a no-break space', 'https://app.example.com/app/\u00a0'],
  ['full-width letters', 'https://ａpp.example.com/app/'],
  ['a full-width full stop', 'https://app.example.com\uff0eevil.example/app/'],
  ['an ideographic full stop', 'https://app.example.com\u3002evil.example/app/'],
  ['a soft hyphen', 'https://app.ex\u00adample.com/app/'],
  ['a Cyrillic letter', 'https://\u0430pp.example.com/app/'],
  ['a KELVIN SIGN', 'https://app.example.com/app/\u212a'],
  ['a slash of another script', 'https://app.example.com\u2044evil/app/'],
  ['its host in percent-encoding', 'https://%61pp.example.com/app/'],
  ['dot segments', 'https://app.example.com/app/../admin'],
  ['encoded dot segments', 'https://app.example.com/app/%2e%2e/admin'],
  ['half-encoded dot segments', 'https://app.example.com/app/.%2e/admin'],
  ['dot segments behind encoded slashes', 'https://app.example.com/app/..%2fadmin'],
  ['dot segments behind encoded backslashes', 'https://app.example.com/app/..%5cadmin'],
  ['doubly encoded dot segments', 'https://app.example.com/app/%252e%252e/admin'],
  ['dot segments with a parameter', 'https://app.example.com/app/..;a=b/admin'],
  ['an encoded null in the path', 'https://app.example.com/app/%00'],
  ['an encoded line feed in the path', 'https://app.example.com/app/%0d%0aSet-Cookie:x'],
  ['broken percent-encoding', 'https://app.example.com/app/%zz'],
  ['the wildcard without its slash', 'https://app.example.com/app'],
  ['a path that begins like the wildcard', 'https://app.example.com/application'],
  ['a path under one without wildcard', 'https://app.example.com/callback/more'],
  ['a trailing slash too many', 'https://app.example.com/callback/'],
  ['the path in another case', 'https://app.example.com/Callback'],
  ['a fragment', 'https://app.example.com/app/#x'],
  ['an empty fragment', 'https://app.example.com/app/#'],
  ['a code', 'https://app.example.com/app/?code=1'],
  ['a code after others', 'https://app.example.com/app/?a=1&code=1'],
  ['a code without a value', 'https://app.example.com/app/?code'],
  ['a code in upper case', 'https://app.example.com/app/?CODE=1'],
  ['an encoded code', 'https://app.example.com/app/?%63ode=1'],
  ['a code as a list', 'https://app.example.com/app/?code[]=1'],
  ['a code behind a semicolon', 'https://app.example.com/app/?a=1;code=1'],
  ['a code behind a plus', 'https://app.example.com/app/?+code=1'],
  ['an error', 'https://app.example.com/app/?error=access_denied'],
  ['a description of an error', 'https://app.example.com/app/?error_description=x'],
  ['the URI of an error', 'https://app.example.com/app/?error_uri=x'],
  ['an issuer', 'https://app.example.com/app/?iss=https%3A%2F%2Fevil.example'],
  ['an IPv6 address', 'http://[::1]:3000/'],
  ['an IPv4 address in decimal', 'http://2130706433:3000/callback'],
  ['an IPv4 address in hexadecimal', 'http://0x7f.1:3000/callback'],
  ['a short IPv4 address', 'http://127.1:3000/callback'],
  ['localhost as a prefix', 'http://localhost.evil.example:3000/'],
  ['localhost at another port', 'http://localhost:3001/'],
  ['a script', 'javascript:alert(1)//app.example.com/app/'],
  ['data', 'data:text/html,<script>alert(1)</script>'],
  ['a file', 'file:///etc/passwd'],
  ['a blob', 'blob:https://app.example.com/app/'],
  ['the source of a page', 'view-source:https://app.example.com/app/'],
  ['a scheme in upper case', 'ExampleApp://signed-in'],
  ['a scheme with more path', 'exampleapp://signed-in/more'],
  ['a scheme with a query', 'exampleapp://signed-in?a=1'],
  ['a scheme with a host that begins like it', 'exampleapp://signed-in.evil'],
  ['a scheme with a user', 'exampleapp://a@signed-in'],
  ['nothing', ''],
  ['a word', 'callback'],
  ['a URL past the bound', `https://app.example.com/app/${'a'.repeat(2048)}`],
  ['a quotation mark', 'https://app.example.com/app/"x'],
  ['markup', 'https://app.example.com/app/<x>'],
  ['a directive of a policy', "https://app.example.com;script-src'unsafe-inline'/app/"],
];

test.each(HOSTILE)('%s is refused', (_what, url) => {
  expect(matchesRedirectPatterns(LIST, url)).toBe(false);
});

test.each([
  ['a wildcard for the host', 'https://*.example.com/', 'must have a host name'],
  ['a wildcard for a part of the host', 'https://app*.example.com/', 'must have a host name'],
  ['a wildcard for everything', '*', 'must be an absolute URL'],
  ['a wildcard for every host', 'https://*', 'must be an absolute URL'],
  ['a wildcard in the middle of the path', 'https://app.example.com/*/callback', 'may have a * only'],
  ['a wildcard for a part of a segment', 'https://app.example.com/app*', 'may have a * only'],
  ['two wildcards', 'https://app.example.com/*/*', 'may have a * only'],
  ['a wildcard of a scheme', 'exampleapp://*', 'may have a * only'],
  ['a wildcard behind a scheme', 'com.example.app:/*', 'may have a * only'],
  ['a query', 'https://app.example.com/?a=1', 'must have no query'],
  ['a fragment', 'https://app.example.com/#', 'must have no fragment'],
  ['http', 'http://app.example.com/', 'must begin with https://'],
  ['a user', 'https://user@app.example.com/', 'must have no user'],
  ['a script', 'javascript:alert(1)', 'has a scheme of browsers'],
  ['a host in Unicode', 'https://bücher.example/', 'xn--'],
  ['upper case', 'https://App.example.com/', 'its normal form, https://app.example.com/'],
  ['the default port', 'https://app.example.com:443/', 'its normal form'],
  ['a reserved parameter of a scheme', 'exampleapp://signed-in?code=1', 'must not have a parameter'],
])('the list may not have %s', (_what, pattern, problem) => {
  expect(redirectPatternProblem(pattern)).toContain(problem);
});

test('a host in its xn-- form is a host like others', () => {
  expect(matchesRedirectPatterns(['https://xn--bcher-kva.example/'], 'https://xn--bcher-kva.example')).toBe(
    true,
  );
});

test('the code is added to the query, and the rest of the URL stays as it is', () => {
  expect(redirectWithCode('https://app.example.com', 'c_-1')).toBe('https://app.example.com/?code=c_-1');
  expect(redirectWithCode('https://app.example.com/a?', 'c')).toBe('https://app.example.com/a?code=c');
  expect(redirectWithCode('https://app.example.com/a?b=%20c+d', 'c')).toBe(
    'https://app.example.com/a?b=%20c+d&code=c',
  );
  expect(redirectWithCode('exampleapp://signed-in', 'c')).toBe('exampleapp://signed-in?code=c');
  expect(redirectWithCode('com.example.app:/signed-in', 'c')).toBe('com.example.app:/signed-in?code=c');
});

test('the policy of a page allows no more than the origin, or the scheme of an application', () => {
  expect(redirectSource('https://app.example.com:8443/a?b=1')).toBe('https://app.example.com:8443');
  expect(redirectSource('com.example.app:/signed-in')).toBe('com.example.app:');
});

/** A generator of numbers below a bound that is the same in every run (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

/** Pieces of URLs, of the list and of attacks on it. */
const PIECES = [
  ...LIST,
  ...HOSTILE.map(([, url]) => url),
  ...[
    'https:',
    'http:',
    '//',
    '/',
    '\\',
    '@',
    ':',
    '?',
    '#',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    '%00',
    '\t',
    '\n',
  ],
  ...[
    'app.example.com',
    'evil.example',
    'localhost',
    ':3000',
    '/app/',
    '/callback',
    '*',
    ';',
    '&code=1',
    '\u3002',
  ],
];

const ORIGINS = new Set(
  LIST.filter((pattern) => pattern.startsWith('http')).map((pattern) => new URL(pattern).origin),
);
const SCHEMES_IN_FULL = new Set(LIST.filter((pattern) => !pattern.startsWith('http')));

test('no text made of pieces of URLs is accepted that a browser opens elsewhere than the list says', () => {
  const next = seeded(20_261_124);
  let accepted = 0;
  for (let round = 0; round < 100_000; round += 1) {
    let text = PIECES[next(PIECES.length)] ?? '';
    for (let edits = next(4); edits > 0; edits -= 1) {
      const at = next(text.length + 1);
      text = text.slice(0, at) + (PIECES[next(PIECES.length)] ?? '') + text.slice(at + next(4));
    }
    if (!matchesRedirectPatterns(LIST, text)) continue;
    accepted += 1;
    // As the browser reads the header, after the code was added.
    const opened = new URL(redirectWithCode(text, 'abc'), 'https://id.example.com/auth/v1/pages/verify');
    if (/^https?:$/.test(opened.protocol)) {
      expect(ORIGINS).toContain(opened.origin);
      expect(opened.searchParams.getAll('code')).toEqual(['abc']);
      expect([opened.username, opened.password, opened.hash]).toEqual(['', '', '']);
    } else expect(SCHEMES_IN_FULL).toContain(text);
    expect(redirectUrlProblem(text)).toBeNull();
  }
  expect(accepted).toBeGreaterThan(1000);
});
