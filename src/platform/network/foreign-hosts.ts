import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { networkKindOf } from './network-kind.js';

/** Why no connection is made to a host that somebody else has named. */
export class ForeignHostError extends Error {
  override name = 'ForeignHostError';

  /** @param code `ENOTFOUND`: the name has no address; `EHOSTNOTALLOWED`: it leads where the operator allows nobody to connect */
  constructor(
    readonly code: 'ENOTFOUND' | 'EHOSTNOTALLOWED',
    message: string,
  ) {
    super(message);
  }
}

/** For one server of the resolver, and how often all of them are asked. */
const DNS_LIMITS = { timeout: 2000, tries: 2 };

/**
 * Hosts that someone other than the operator names. These checks keep them from making the program connect to hosts behind the
 * operator's firewall. Public addresses are always allowed, loopback and private ones where the operator says so, and
 * those where clouds serve their metadata never.
 */
export class ForeignHosts {
  /** @param newResolver for each name, where private addresses are not allowed: the name servers may be others by then */
  constructor(
    private readonly allowsPrivate: boolean,
    private readonly newResolver = () => new Resolver(DNS_LIMITS),
  ) {}

  /** Whether this host could ever be connected to. @param host a name, or an address without brackets */
  mayName(host: string): boolean {
    const bare = host.replace(/\.+$/, '').toLowerCase();
    if (bare === '') return false;
    if (bare === 'localhost' || bare.endsWith('.localhost')) return this.allowsPrivate;
    return isIP(bare) === 0 ? !/^[\d.]+$|^0x/.test(bare) : this.isAllowed(bare);
  }

  /**
   * The addresses of a host, all of which are allowed: a mix is how a name is made to look harmless. Whoever connects does so
   * to one of these: asked a second time, the name could lead elsewhere.
   *
   * @throws ForeignHostError
   */
  async addressesOf(host: string): Promise<[string, ...string[]]> {
    const [first, ...more] = isIP(host) === 0 ? await this.resolve(host) : [host];
    if (first === undefined) throw noAddress(host);
    if (![first, ...more].every((address) => this.isAllowed(address)))
      throw new ForeignHostError('EHOSTNOTALLOWED', noAddressOf(host));
    return [first, ...more];
  }

  /** `addressesOf` for the sockets of Node.js, which ask for names alone and take an address as it is. */
  readonly lookup: LookupFunction = (host, { all, family }, callback) => {
    const wanted = family === 4 || family === 6 ? family : null;
    this.addressesOf(host).then(
      (addresses) => {
        const found = addresses
          .map((address) => ({ address, family: isIP(address) }))
          .filter((one) => wanted === null || one.family === wanted);
        const [first] = found;
        if (first === undefined) callback(noAddress(host), []);
        else if (all === true) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as NodeJS.ErrnoException, []);
      },
    );
  };

  /**
   * The names of strangers are looked up by DNS alone: the operating system's way takes one of the few threads that hash
   * passwords, too, for as long as a stranger's name server likes. In a house, names may stand elsewhere, such as in a file.
   */
  private async resolve(host: string): Promise<string[]> {
    if (this.allowsPrivate) {
      const found = await lookup(host, { all: true }).catch(() => []);
      return found.map(({ address }) => address);
    }
    const resolver = this.newResolver();
    const found = await Promise.all([
      resolver.resolve4(host).catch(() => []),
      resolver.resolve6(host).catch(() => []),
    ]);
    return found.flat();
  }

  private isAllowed(address: string): boolean {
    const kind = networkKindOf(address);
    return kind === 'public' || (kind === 'private' && this.allowsPrivate);
  }
}

function noAddress(host: string): ForeignHostError {
  return new ForeignHostError('ENOTFOUND', noAddressOf(host));
}

/** One text for both, so that nobody learns from it which names there are inside. */
function noAddressOf(host: string): string {
  return `${host} has no address that may be called`;
}
