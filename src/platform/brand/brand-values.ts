/** A colour as `#rrggbb`, in lower case; null for other text. */
export function brandColor(text: string): string | null {
  return /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : null;
}

/** Longest address, characters. Longer ones are refused by mail programs and proxies. */
export const MAX_BRAND_URL = 1024;

/** A name that also means something literal in a content security policy, where `;` and `*` mean something else. */
const PLAIN_HOST = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** The address in its normal form; null unless it begins with `https://`, names a plain host and has no user. */
export function httpsUrl(text: string): string | null {
  if (text.length > MAX_BRAND_URL || !/^https:\/\/[^\s\p{Cc}]+$/iu.test(text)) return null;
  const url = parsed(text);
  if (url === null) return null;
  const { href, protocol, hostname, username, password } = url;
  const isPlain = protocol === 'https:' && PLAIN_HOST.test(hostname) && username === '' && password === '';
  return isPlain && href.length <= MAX_BRAND_URL ? href : null;
}

/** An address of the web as `httpsUrl` takes it, or `mailto:` with one address and nothing else; null for other text. */
export function supportUrl(text: string): string | null {
  const isMail =
    text.length <= MAX_BRAND_URL && /^mailto:[a-z0-9._+-]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text);
  return isMail ? `mailto:${text.slice('mailto:'.length)}` : httpsUrl(text);
}

/** Not `URL.canParse`: once it is optimized, Node.js 20 takes the letters of Latin-1 beyond ASCII for broken UTF-8. */
function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
