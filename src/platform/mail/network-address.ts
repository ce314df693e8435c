import { BlockList, isIP, isIPv4 } from 'node:net';

/** Kinds of addresses that a mail server of somebody else can have (RFC 6890). */
export type NetworkKind = 'public' | 'private' | 'forbidden';

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits = ''] = subnet.split('/');
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Loopback and the networks of one's own house. */
const PRIVATE = listOf([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
]);

/**
 * What no mail server has: link-local, where clouds keep their metadata; unspecified, multicast and reserved; and
 * the forms of IPv6 that wrap an IPv4 address.
 */
const FORBIDDEN = listOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
]);

/** An IPv4 address in IPv6 clothes (`::ffff:127.0.0.1`) is that IPv4 address to the operating system. */
const MAPPED = listOf(['::ffff:0:0/96']);

/** @param address an IP address, not a name */
export function networkKindOf(address: string): NetworkKind {
  const family = isIP(address);
  if (family === 0) return 'forbidden';
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (family === 6 && MAPPED.check(address, 'ipv6')) {
    const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
    return dotted === undefined ? 'forbidden' : networkKindOf(dotted);
  }
  if (FORBIDDEN.check(address, type)) return 'forbidden';
  return PRIVATE.check(address, type) ? 'private' : 'public';
}
