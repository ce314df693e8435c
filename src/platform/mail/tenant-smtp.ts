import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { lookup } from 'node:dns/promises';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { DeliveryAttempt, messageOf, reportWritten } from './delivery-attempt.js';
import { answerOf, MailFailedError } from './mail-failed-error.js';
import { transportOptions } from './mail-server.js';
import type { MailServer, SmtpLimits } from './mail-server.js';
import type { RenderedMail } from './rendered-mail.js';

/** Kinds of addresses that a mail server of somebody else can have (RFC 6890). */
export type NetworkKind = 'public' | 'private' | 'forbidden';

/** Loopback and the networks of one's own house. */
const PRIVATE: ReadonlySet<string> = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal']);

/**
 * Forbidden is what no mail server has: link-local, where clouds keep their metadata; unspecified, multicast,
 * broadcast and reserved; and the forms of IPv6 that lead to an IPv4 address (NAT64, 6to4, Teredo).
 *
 * @param address an IP address, not a name
 */
export function networkKindOf(address: string): NetworkKind {
  // `isIP` first: it takes the usual notation alone, not 127.1 or 0x7f000001. A zone (`%eth0`) is link-local.
  if (isIP(address) === 0 || address.includes('%')) return 'forbidden';
  // An IPv4 address in IPv6 clothes (`::ffff:127.0.0.1`) is that IPv4 address to the operating system.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (PRIVATE.has(range)) return 'private';
  if (range !== 'unicast') return 'forbidden';
  return parsed instanceof ipaddr.IPv4 || isGlobalUnicast(parsed) ? 'public' : 'forbidden';
}

/** 2000::/3, all that has been given out (RFC 4291); the library calls the rest unicast as well. */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return address.match(ipaddr.IPv6.parse('2000::'), 3);
}

/** SMTP, submission over TLS and by STARTTLS (RFC 8314), and what providers offer where 25 is blocked. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525]);

type Transport = ReturnType<typeof transportTo>;

function transportTo(server: MailServer, address: string, limits: SmtpLimits) {
  // To the very address that was examined: asked a second time, the name could lead elsewhere.
  const servername = isIP(server.host) === 0 ? { tls: { servername: server.host } } : {};
  const transport = createTransport({ ...transportOptions(server, limits), ...servername, host: address });
  return transport.use('stream', reportWritten);
}

/**
 * Mail servers that someone other than the operator has configured. These checks keep them from making the program
 * connect to hosts behind the operator's firewall, or to ports that are not for mail. Public addresses at mail ports are
 * always allowed. Loopback and private addresses, and other ports, need `auth.private_mail_hosts`. Link-local addresses,
 * where clouds serve their metadata, are never allowed.
 */
@Injectable()
export class TenantSmtp {
  private readonly allowsPrivate: boolean;

  constructor(@Inject(CONFIG) { auth }: Config) {
    this.allowsPrivate = auth.privateMailHosts;
  }

  /** Whether a connection to this port could ever be made. */
  mayReach(port: number): boolean {
    return this.allowsPrivate || MAIL_PORTS.has(port);
  }

  /** Whether this host could ever be spoken to; a name is looked up only when it is. */
  mayName(host: string): boolean {
    const bare = host.replace(/\.$/, '').toLowerCase();
    if (bare === 'localhost' || bare.endsWith('.localhost')) return this.allowsPrivate;
    return isIP(bare) === 0 ? !/^[\d.]+$|^0x/.test(bare) : this.isAllowed(bare);
  }

  /** Connects and signs in, and sends nothing. @throws MailFailedError */
  async greet(server: MailServer): Promise<void> {
    await this.withTransport(server, DeliveryAttempt.inRequest(), async (transport) => {
      await transport.verify();
    });
  }

  /** Hands the message to the server now. @returns what the server answered @throws MailFailedError */
  async send(
    server: MailServer,
    to: string,
    mail: RenderedMail,
    attempt: DeliveryAttempt,
  ): Promise<string | null> {
    const message = messageOf(server.from, to, mail, attempt);
    return await this.withTransport(server, attempt, async (transport) =>
      answerOf(await transport.sendMail(message)),
    );
  }

  private async withTransport<Result>(
    server: MailServer,
    attempt: DeliveryAttempt,
    work: (transport: Transport) => Promise<Result>,
  ): Promise<Result> {
    // Settings may be older than the rule.
    if (!this.mayReach(server.port)) throw new MailFailedError('port not allowed', false);
    return await attempt.run(async () => {
      const address = await this.addressOf(server.host);
      return await work(transportTo(server, address, attempt.limits));
    });
  }

  /** All addresses of the name must be allowed: a mix is how a name is made to look harmless. */
  private async addressOf(host: string): Promise<string> {
    const found = await lookup(host, { all: true }).catch(() => []);
    const [first] = found;
    if (first === undefined) throw new MailFailedError('EDNS', false);
    if (!found.every(({ address }) => this.isAllowed(address)))
      throw new MailFailedError('host not allowed', false);
    return first.address;
  }

  private isAllowed(address: string): boolean {
    const kind = networkKindOf(address);
    return kind === 'public' || (kind === 'private' && this.allowsPrivate);
  }
}
