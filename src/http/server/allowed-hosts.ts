import { isLoopback } from './client-address.js';

const PORT = /:\d{1,5}$/;
/** The maximum length of a DNS name with a port, brackets and a dot around it, in characters. */
const MAX_LENGTH = 263;

/** A host in lower case, without its port, trailing dot and brackets. */
function bareHost(host: string): string {
  // The colons of an IPv6 address are in brackets if a port follows.
  const name = host.includes(']') || host.split(':').length === 2 ? host.replace(PORT, '') : host;
  return name
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** Whether a host, with or without its port, is certainly this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = bareHost(host);
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}

/**
 * Whether requests may be for a host: one of those listed, or a name below one that begins with `*.`. If none is
 * listed, any host is allowed. A page whose name was made to resolve to this machine (DNS rebinding) sends its own
 * host.
 */
export function hostFilter(allowed: readonly string[]): (host: string) => boolean {
  const names = new Set(allowed.map(bareHost));
  const suffixes = [...names].filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  if (names.size === 0) return () => true;
  return (host) => {
    if (host.length > MAX_LENGTH) return false;
    const name = bareHost(host);
    return names.has(name) || suffixes.some((suffix) => name.length > suffix.length && name.endsWith(suffix));
  };
}
