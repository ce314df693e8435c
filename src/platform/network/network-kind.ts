import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** Kinds of addresses that a server of somebody else can have (RFC 6890). */
export type NetworkKind = 'public' | 'private' | 'forbidden';

/** Where clouds serve their metadata and keys besides link-local addresses: AWS, Alibaba and Azure. */
const OF_CLOUDS: ReadonlySet<string> = new Set(['fd00:ec2::254', '100.100.100.200', '168.63.129.16']);

/** Loopback and the networks of one's own house. */
const PRIVATE: ReadonlySet<string> = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

/**
 * Forbidden is what no server of somebody else has: link-local and others where clouds keep their metadata; unspecified, multicast,
 * broadcast and reserved; and the forms of IPv6 that lead to an IPv4 address (NAT64, 6to4, Teredo).
 *
 * @param address an IP address, not a name
 */
export function networkKindOf(address: string): NetworkKind {
  // `isIP` first: it takes the usual notation alone, not 127.1 or 0x7f000001. A zone (`%eth0`) is link-local.
  if (isIP(address) === 0 || address.includes('%')) return 'forbidden';
  // An IPv4 address in IPv6 clothes (`::ffff:127.0.0.1`) is that IPv4 address to the operating system.
  const parsed = ipaddr.process(address);
  if (OF_CLOUDS.has(parsed.toString())) return 'forbidden';
  const range = parsed.range();
  if (PRIVATE.has(range)) return 'private';
  if (range !== 'unicast') return 'forbidden';
  return parsed instanceof ipaddr.IPv4 || isGlobalUnicast(parsed) ? 'public' : 'forbidden';
}

/** 2000::/3, all that has been given out (RFC 4291); the library calls the rest unicast as well. */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return address.match(ipaddr.IPv6.parse('2000::'), 3);
}
