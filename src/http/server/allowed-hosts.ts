import { isLoopback } from './client-address.js';

const PORT = /:\d{1,5}$/;
/** A name of DNS, and the port, brackets and dot that may stand around it. Characters. */
const MAX_LENGTH = 263;

/** A host without its port, trailing dot, brackets and capitals. */
function bareHost(host: string): string {
  // The colons of an IPv6 address stand in brackets where a port follows.
  const name = host.includes(']') || host.split(':').length === 2 ? host.replace(PORT, '') : host;
  return name
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** Whether a host, with or without its port, can be no other machine than this one. */
export function isLoopbackHost(host: string): boolean {
  const name = bareHost(host);
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}

/**
 * Whether requests may be for a host: one of those named, or under a name that begins with `*.`. With none, any may.
 * A page whose name was made to lead to this machine (DNS rebinding) sends its own host.
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
