/** The longest redirect URL, and the longest entry of a list of them. */
export const MAX_REDIRECT_URL_LENGTH = 2048;

/** What RFC 3986 allows in a URL: visible ASCII without these. A browser reads a backslash as a slash. */
const URL_TEXT = /^(?:(?!["<>\\^`{|}])[\x21-\x7e])+$/;
const SCHEME = /^([a-z][a-z0-9+.-]*):/;
/** Labels of ASCII letters, digits and hyphens, as in a Content-Security-Policy: no IPv6 address, no trailing dot. */
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

/** Schemes that a browser or the system handles itself, so that no application answers to them. */
const OWNED_SCHEMES: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'chrome',
  'data',
  'file',
  'filesystem',
  'ftp',
  'intent',
  'javascript',
  'mailto',
  'sms',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
]);

/** What an authorization server adds to such a URL (RFC 6749, sections 4.1.2 and 5.2; RFC 9207). */
const RESERVED_PARAMETERS: ReadonlySet<string> = new Set([
  'code',
  'error',
  'error_description',
  'error_uri',
  'iss',
]);

type Read = { readonly url: URL; readonly isWeb: boolean } | { readonly problem: string };

function read(text: string): Read {
  if (text.length === 0 || text.length > MAX_REDIRECT_URL_LENGTH)
    return { problem: `must have 1 to ${MAX_REDIRECT_URL_LENGTH} characters` };
  if (!URL_TEXT.test(text))
    return { problem: 'must consist of the ASCII characters of URLs; a host in its xn-- form' };
  if (text.includes('#')) return { problem: 'must have no fragment' };
  const scheme = SCHEME.exec(text)?.[1];
  if (scheme === undefined || !URL.canParse(text))
    return { problem: 'must be an absolute URL with a lower-case scheme' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return { problem: 'must have no user and no password' };
  const isWeb = scheme === 'https' || scheme === 'http';
  const problem = isWeb
    ? webProblem(url, text)
    : OWNED_SCHEMES.has(scheme)
      ? 'has a scheme of browsers'
      : null;
  if (problem !== null) return { problem };
  // Where a browser would rewrite the URL, what was compared is not what it opens.
  const isNormal = url.href === text || (isWeb && url.href === `${text}/`);
  return isNormal ? { url, isWeb } : { problem: `must be in its normal form, ${url.href}` };
}

function webProblem({ protocol, hostname, pathname }: URL, text: string): string | null {
  if (!/^https?:\/\//.test(text) || !HOST.test(hostname)) return 'must have a host name after https://';
  if (protocol === 'http:' && !LOOPBACK_HOSTS.has(hostname))
    return 'must begin with https://; http:// only on localhost and 127.0.0.1';
  return pathname.split('/').every(isPlainSegment) ? null : 'must have no encoded slash or dot in its path';
}

/** Some servers decode a segment before they take it for a folder: none may climb out of its folder then. */
function isPlainSegment(segment: string): boolean {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    return false;
  }
  if (/[/\\]|%(?:2e|2f|5c)/i.test(decoded)) return false;
  const [name] = decoded.split(';');
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return name !== '.' && name !== '..' && !/[\x00-\x1f\x7f]/.test(decoded);
}

/** Frameworks read `code[]`, ` code` and, after a semicolon, `;code` as `code`. */
function hasReservedParameter({ search }: URL): boolean {
  return search
    .slice(1)
    .split(/[&;]/)
    .some((pair) => {
      const [name] = [...new URLSearchParams(pair).keys()];
      return name !== undefined && RESERVED_PARAMETERS.has(name.trim().toLowerCase().split('[')[0] ?? '');
    });
}

const RESERVED_PROBLEM = `must not have a parameter ${[...RESERVED_PARAMETERS].join(', ')}`;

/** What is wrong with a URL to which a request wants to return; null if nothing is. Says nothing of any list. */
export function redirectUrlProblem(text: string): string | null {
  const found = read(text);
  if ('problem' in found) return found.problem;
  return hasReservedParameter(found.url) ? RESERVED_PROBLEM : null;
}

const WILDCARD = '/*';

/** The pattern without its wildcard; the slash before it stays. */
function fixedPart(pattern: string): string {
  return pattern.endsWith(WILDCARD) ? pattern.slice(0, -1) : pattern;
}

/** What is wrong with an entry of a list of redirect URLs; null if nothing is. */
export function redirectPatternProblem(pattern: string): string | null {
  const fixed = fixedPart(pattern);
  const found = read(fixed);
  if ('problem' in found) return found.problem;
  const wildcards = found.isWeb ? fixed : pattern;
  if (wildcards.includes('*')) return 'may have a * only as the last segment of the path of an https:// URL';
  if (found.isWeb && pattern.includes('?')) return 'must have no query';
  return hasReservedParameter(found.url) ? RESERVED_PROBLEM : null;
}

/**
 * Whether the URL is in the list. Scheme, host and port have to be the same. The path has to be the same too, or to lie
 * under one that ends in `/*`. The query of an http URL is not compared. A URL of another scheme has to be the same
 * text.
 * @param patterns without `redirectPatternProblem`
 */
export function matchesRedirectPatterns(patterns: readonly string[], text: string): boolean {
  if (redirectUrlProblem(text) !== null) return false;
  const { protocol, host, pathname } = new URL(text);
  return patterns.some((pattern) => {
    if (!/^https?:\/\//.test(pattern)) return pattern === text;
    const listed = new URL(fixedPart(pattern));
    if (listed.protocol !== protocol || listed.host !== host) return false;
    return pattern.endsWith(WILDCARD) ? pathname.startsWith(listed.pathname) : pathname === listed.pathname;
  });
}

/** Adds the code to a URL that has no `redirectUrlProblem`, and leaves the rest of its text as it is. */
export function redirectWithCode(text: string, code: string): string {
  const { href, search } = new URL(text);
  // An empty query is not told from none by `search`.
  const separator = search !== '' ? '&' : href.endsWith('?') ? '' : '?';
  return `${href}${separator}code=${encodeURIComponent(code)}`;
}

/** What a Content-Security-Policy has to allow, so that a form may end at the URL. */
export function redirectSource(text: string): string {
  const { protocol, host } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? `${protocol}//${host}` : protocol;
}
