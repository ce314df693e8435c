import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { ForeignHostError, ForeignHosts } from '../network/index.js';
import { DeliveryAttempt, messageOf, reportWritten } from './delivery-attempt.js';
import { answerOf, MailFailedError } from './mail-failed-error.js';
import { transportOptions } from './mail-server.js';
import type { MailServer, SmtpLimits } from './mail-server.js';
import type { RenderedMail } from './rendered-mail.js';

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
  private readonly hosts: ForeignHosts;

  constructor(@Inject(CONFIG) { auth }: Config) {
    this.allowsPrivate = auth.privateMailHosts;
    this.hosts = new ForeignHosts(this.allowsPrivate);
  }

  /** Whether a connection to this port could ever be made. */
  mayReach(port: number): boolean {
    return this.allowsPrivate || MAIL_PORTS.has(port);
  }

  /** Whether this host could ever be spoken to; a name is looked up only when it is. */
  mayName(host: string): boolean {
    return this.hosts.mayName(host);
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

  private async addressOf(host: string): Promise<string> {
    try {
      const [address] = await this.hosts.addressesOf(host);
      return address;
    } catch (error) {
      if (!(error instanceof ForeignHostError)) throw error;
      throw new MailFailedError(error.code === 'ENOTFOUND' ? 'EDNS' : 'host not allowed', false);
    }
  }
}
