import type { ForeignHosts } from '../../platform/network/index.js';

/** Visible ASCII that a URL may contain (RFC 3986, section 2), but for `#`; no comma, which parts the values of a filter. */
const URL_TEXT = String.raw`https?://[A-Za-z0-9._~:/?@!$&'()*+;=%\[\]-]{1,492}`;

/** The name of a function, or the URL of an endpoint. No name has a colon. */
export const HANDLER = new RegExp(`^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,127}|${URL_TEXT})$`);

export const HANDLER_MISMATCH =
  'must be the name of a function, of 1 to 128 letters, digits, ".", "_" or "-", or an https URL of at most 500 characters ' +
  'without a comma or a fragment';

/** Whether a handler is an endpoint: a URL of somebody else, who knows calls by their signature. */
export function isEndpoint(handler: string): boolean {
  return handler.includes('://');
}

/**
 * Why no endpoint can have this URL; null where one can.
 *
 * @param allowsPrivate whether the operator allows endpoints in private networks, and over plain HTTP
 */
export function endpointProblem(url: string, allowsPrivate: boolean, hosts: ForeignHosts): string | null {
  if (!URL.canParse(url)) return 'is not a URL';
  const { protocol, username, password, hostname, port } = new URL(url);
  if (port === '0') return 'must be a URL with a port that a server can have';
  if (username !== '' || password !== '') return 'must be a URL without a user name and a password';
  if (protocol !== 'https:' && !allowsPrivate)
    return 'must be an https URL; plain http needs the setting jobs.private_endpoints';
  return hosts.mayName(hostname.replace(/^\[|\]$/g, ''))
    ? null
    : 'must be a URL with a public host; others need the setting jobs.private_endpoints';
}
