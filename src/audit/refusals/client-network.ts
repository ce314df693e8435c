import ipaddr from 'ipaddr.js';

/** Of an IPv6 address, what one customer of a provider has at least. */
const IPV6_PARTS = 4;

/** Whom an address stands for: an IPv4 address, or the /64 of an IPv6 address; `unknown` for what is neither. */
export function clientNetworkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const parts = parsed.parts.map((part, index) => (index < IPV6_PARTS ? part : 0));
  return `${new ipaddr.IPv6(parts).toString()}/64`;
}
