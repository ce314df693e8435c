import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { recordSecretOfLink } from './secrets/secret-journal.js';
import { until } from './until.js';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly email: Email;
  /** Whether it arrived over TLS, and which user had signed in. */
  readonly isSecure: boolean;
  readonly user: string | null;
}

/**
 * The ports of this worker's mail servers. The system hands out higher ones (Linux: from 32768), so nobody takes the port of a
 * server that is down for a while.
 */
const [FIRST_PORT, PORTS] = [20_000 + 1_000 * Number(process.env.JEST_WORKER_ID ?? 0), 1_000];

/** A mail server on the loopback interface that keeps all mails. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** The number of connections so far. */
  connections = 0;
  private server: SMTPServer | null = null;

  private constructor(
    private readonly options: SMTPServerOptions,
    readonly port: number,
  ) {}

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const from = randomInt(PORTS);
    for (let nth = 0; ; nth += 1) {
      const mailServer = new MailServer(options, FIRST_PORT + ((from + nth) % PORTS));
      try {
        await mailServer.up();
        return mailServer;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || nth === PORTS) throw error;
      }
    }
  }

  /** Configures the program to send through it, without encryption or authentication. */
  get variables(): Readonly<Record<string, string>> {
    return smtpVariables(this.port);
  }

  /** Listens, on the same port as before. */
  async up(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      ...this.options,
      onConnect: (_session, accept) => {
        this.connections += 1;
        accept();
      },
      onData: (stream, session, accept) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          void PostalMime.parse(Buffer.concat(chunks)).then((email) => {
            const { mailFrom, rcptTo } = session.envelope;
            const mail = {
              from: mailFrom === false ? '' : mailFrom.address,
              to: rcptTo[0]?.address ?? '',
              email,
              isSecure: session.secure,
              user: typeof session.user === 'string' ? session.user : null,
            };
            this.received.push(mail);
            // A test mail has no link, and a project's template may have it in only one of the parts.
            for (const link of Object.values(linksOf(mail)))
              if (link !== null) recordSecretOfLink(new URL(link));
            accept();
          });
        });
      },
    });
    server.on('error', () => undefined);
    server.listen(this.port, '127.0.0.1');
    await once(server.server, 'listening');
    this.server = server;
  }

  /** Refuses connections from here on. */
  async down(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server === null) return;
    await new Promise<void>((resolve) => {
      server.close(resolve);
    });
  }

  /** The newest mail to an address, once that many have arrived. */
  async mailTo(address: string, count = 1, limitMs = 60_000): Promise<ReceivedMail> {
    const found = (): ReceivedMail[] => this.received.filter((mail) => mail.to === address);
    await until(
      () => found().length >= count,
      limitMs,
      () => `${found().length} of ${count} mails to ${address} arrived`,
    );
    return found().at(-1) as ReceivedMail;
  }
}

/** Configures the program to send through a server on loopback, without encryption or authentication. */
export function smtpVariables(port: number): Readonly<Record<string, string>> {
  return {
    SERVICE_IDENTITY__SMTP__HOST: '127.0.0.1',
    SERVICE_IDENTITY__SMTP__PORT: String(port),
    SERVICE_IDENTITY__SMTP__FROM: 'service@example.org',
    SERVICE_IDENTITY__SMTP__TLS: 'none',
  };
}

/** The link in a mail, which must be the same in its text and its HTML. */
export function linkOf(mail: Pick<ReceivedMail, 'email'>): URL {
  const { inText, inHtml } = linksOf(mail);
  if (inText === null || inText !== inHtml) {
    throw new Error(`the mail has the links ${inText ?? 'none'} and ${inHtml ?? 'none'}`);
  }
  return new URL(inText);
}

function linksOf({ email }: Pick<ReceivedMail, 'email'>): Record<'inText' | 'inHtml', string | null> {
  return {
    inText: /^https?:\/\/\S+$/m.exec(email.text ?? '')?.[0] ?? null,
    inHtml:
      /href="(https?:[^"]+)"/
        .exec(email.html ?? '')?.[1]
        ?.replaceAll('&amp;', '&')
        .replaceAll('&#x3D;', '=') ?? null,
  };
}

export function tokenOf(mail: Pick<ReceivedMail, 'email'>): string {
  const token = linkOf(mail).searchParams.get('token');
  if (token === null) throw new Error('the link has no token');
  return token;
}
