import ipaddr from 'ipaddr.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the request's first hook has run. */
    clientAddress: string | null;
  }
}

/** Which proxies in front are trusted: none, that many in a row, or those with these addresses and CIDRs. */
export type TrustedProxies = false | number | readonly string[];

/** Whether to trust the proxy with this address, which is that many hops from this program. */
export type Trust = (address: string, step: number) => boolean;

type Subnet = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The longest text of an address: an IPv6 address that ends in a dotted IPv4 address, in brackets, with a port. */
const MAX_WRITTEN_ADDRESS = 64;
const WITH_PORT = /^(?:\[([0-9a-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/i;

/** The canonical form of an address; IPv4 for an IPv4 address in IPv6 form; null for any other text. */
function normalizedAddress(written: string): string | null {
  if (written.length > MAX_WRITTEN_ADDRESS) return null;
  // The zone of a link-local address (`fe80::1%eth0`) has a meaning only on this machine.
  const address = written.split('%', 1)[0] ?? '';
  // The library also accepts `1` and `0x7f.1` as addresses.
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/** An entry of X-Forwarded-For: an address, to which some proxies append the port. */
function forwardedAddress(entry: string): string | null {
  const trimmed = entry.trim();
  if (trimmed.length > MAX_WRITTEN_ADDRESS) return null;
  const [, inBrackets, dotted] = WITH_PORT.exec(trimmed) ?? [];
  return normalizedAddress(inBrackets ?? dotted ?? trimmed);
}

/** @throws Error if the text is neither an address nor a CIDR. The configuration was checked for this. */
function subnetOf(written: string): Subnet {
  if (written.includes('/')) return ipaddr.parseCIDR(written);
  const address = ipaddr.process(written);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** The proxies that the setting trusts. */
export function trustOf(proxies: TrustedProxies): Trust {
  if (proxies === false) return () => false;
  if (typeof proxies === 'number') return (_address, step) => step < proxies;
  const subnets = proxies.map(subnetOf);
  return (address) => {
    const normalized = normalizedAddress(address);
    if (normalized === null) return false;
    const parsed = ipaddr.parse(normalized);
    return subnets.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits] as never),
    );
  };
}

/**
 * The address of the client behind the trusted proxies: the entry of X-Forwarded-For that the farthest trusted proxy
 * added, counted from the right, because the client may have written everything further left. If that entry is missing
 * or is not an IP address, the address of the peer.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trust: Trust): string {
  return behindProxies(normalizedAddress(peer) ?? peer, forwardedFor, trust);
}

function behindProxies(peerAddress: string, forwardedFor: string | undefined, trust: Trust): string {
  if (forwardedFor === undefined || !trust(peerAddress, 0)) return peerAddress;
  const entries = forwardedFor.split(',');
  for (let step = 1; step <= entries.length; step += 1) {
    const address = forwardedAddress(entries[entries.length - step] ?? '');
    if (address === null) return peerAddress;
    if (step === entries.length || !trust(address, step)) return address;
  }
  return peerAddress;
}

/** The address of each socket's peer, which does not change during a connection. */
const peers = new WeakMap<Socket, string>();

function peerOf(socket: Socket): string {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const peer = socket.remoteAddress ?? '';
  const normalized = normalizedAddress(peer) ?? peer;
  // A socket without an address has been closed.
  if (peer !== '') peers.set(socket, normalized);
  return normalized;
}

/** Determines the client's address of each request, before anything else asks for it. */
export function observeClientAddresses(server: FastifyInstance, trust: Trust): void {
  server.decorateRequest('clientAddress', null);
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers, socket } = request.raw;
    const forwardedFor = headers['x-forwarded-for'];
    // Node joins repeated headers with commas, in their order.
    request.clientAddress = behindProxies(peerOf(socket), forwardedFor?.toString(), trust);
    done();
  });
}

/** The IP address of the request's sender according to `server.trust_proxy`. An IPv4 address is never in IPv6 form. */
export function clientAddressOf(request: FastifyRequest): string {
  if (request.clientAddress !== null) return request.clientAddress;
  // Hooks do not run for a request that the router refused.
  return peerOf(request.raw.socket);
}

/**
 * The key of limits by client address: an IPv4 address (`203.0.113.7`), or the /64 of an IPv6 address
 * (`2001:db8:1:2::/64`), since one subscriber has the whole /64 (RFC 6177). Other text is its own key.
 */
export function rateKeyOf(address: string): string {
  const normalized = normalizedAddress(address);
  if (normalized === null) return address.slice(0, MAX_WRITTEN_ADDRESS);
  const parsed = ipaddr.parse(normalized);
  return parsed.kind() === 'ipv4'
    ? normalized
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${normalized}/64`).toString()}/64`;
}

/** Whether the address is a loopback address: 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  const normalized = normalizedAddress(address);
  return normalized !== null && ipaddr.parse(normalized).range() === 'loopback';
}
