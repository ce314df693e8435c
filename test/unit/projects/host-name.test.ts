import { isUnder, normalizedHost, refOfHost } from '../../../src/projects/project-hosts.js';

describe('a normalised host', () => {
  it.each([
    ['auth.acme.example.com', 'auth.acme.example.com'],
    ['Auth.ACME.Example.Com', 'auth.acme.example.com'],
    ['auth.acme.example.com:8443', 'auth.acme.example.com'],
    ['auth.acme.example.com.', 'auth.acme.example.com'],
    ['auth.acme.example.com.:443', 'auth.acme.example.com'],
    ['127.0.0.1:8080', '127.0.0.1'],
    ['localhost', 'localhost'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('of %s is %s', (given, expected) => {
    expect(normalizedHost(given)).toBe(expected);
  });

  it.each([
    '',
    '.',
    ':80',
    'a..b',
    '-a.example',
    'a.example:port',
    'a.example:80:90',
    'user@a.example',
    'a.example/path',
    'a.example,b.example',
    'a.example b.example',
    'bücher.example',
    // KELVIN SIGN, which lower-cases to the letter k.
    'ac\u212ae.example',
    '[::1]:8080',
    'a'.repeat(254),
  ])('is not made of %j', (given) => {
    expect(normalizedHost(given)).toBeNull();
  });
});

describe('the project domain', () => {
  it.each([
    ['acme.projects.test', 'acme'],
    ['deep.acme.projects.test', null],
    ['projects.test', null],
    ['acme.projects.test.evil.test', null],
    ['acmeprojects.test', null],
    ['9a.projects.test', null],
  ])('gives %s the ref %s', (host, ref) => {
    expect(refOfHost(host, 'projects.test')).toBe(ref);
  });

  it('names no ref when there is none', () => {
    expect(refOfHost('acme.projects.test', null)).toBeNull();
    expect(isUnder('acme.projects.test', null)).toBe(false);
  });

  it('has what is below it and itself under it', () => {
    expect(
      ['projects.test', 'a.projects.test', 'a.b.projects.test', 'aprojects.test'].map((host) =>
        isUnder(host, 'projects.test'),
      ),
    ).toEqual([true, true, true, false]);
  });
});
