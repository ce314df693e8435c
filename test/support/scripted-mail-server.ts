import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { linkOf, smtpVariables } from './mail-server.js';
import { recordSecretOfLink } from './secrets/secret-journal.js';

/**
 * The steps of an SMTP dialogue at which a server answers: first the greeting, then the answer to each command named.
 */
export type SmtpStep = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'final dot';

const USUAL_REPLIES: Readonly<Record<SmtpStep, string>> = {
  greeting: '220 scripted.example ESMTP',
  EHLO: '250 scripted.example',
  MAIL: '250 2.1.0 sender taken',
  RCPT: '250 2.1.5 recipient taken',
  DATA: '354 go on',
  'final dot': '250 2.0.0 message taken',
};

/** A mail server on the loopback interface. A test can choose and delay each of its replies. */
export class ScriptedMailServer {
  /** Every message whose final dot arrived, whatever the answer was. */
  readonly messages: Email[] = [];
  /** How often each step was reached. */
  readonly reached: Record<SmtpStep, number> = {
    greeting: 0,
    EHLO: 0,
    MAIL: 0,
    RCPT: 0,
    DATA: 0,
    'final dot': 0,
  };
  private readonly replies = new Map<SmtpStep, () => string | Promise<string>>();
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
      void this.serve(socket).catch(() => undefined);
    });
  }

  static async start(): Promise<ScriptedMailServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedMailServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Configures the program to send through it, without encryption or authentication. */
  get variables(): Readonly<Record<string, string>> {
    return smtpVariables(this.port);
  }

  /** The number of open connections. */
  get open(): number {
    return this.sockets.size;
  }

  /** From now on, answers a step with this reply instead of the usual one. */
  on(step: SmtpStep, reply: () => string | Promise<string>): void {
    this.replies.set(step, reply);
  }

  replyAsUsual(): void {
    this.replies.clear();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(socket: Socket): Promise<void> {
    await this.reply(socket, 'greeting');
    let message: string[] | null = null;
    for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
      if (message !== null && line !== '.') {
        message.push(line.replace(/^\./, ''));
      } else if (message !== null) {
        await this.keep(message.join('\r\n'));
        message = null;
        await this.reply(socket, 'final dot');
      } else {
        const command = line.slice(0, 4).toUpperCase();
        if (command === 'QUIT') socket.end('221 2.0.0 bye\r\n');
        else if (command === 'EHLO' || command === 'MAIL' || command === 'RCPT')
          await this.reply(socket, command);
        else if (command === 'DATA')
          message = (await this.reply(socket, command)).startsWith('3') ? [] : null;
        else socket.write('502 5.5.1 not known here\r\n');
      }
    }
  }

  private async reply(socket: Socket, step: SmtpStep): Promise<string> {
    this.reached[step] += 1;
    const reply = await (this.replies.get(step)?.() ?? USUAL_REPLIES[step]);
    socket.write(`${reply}\r\n`);
    return reply;
  }

  private async keep(source: string): Promise<void> {
    const email = await PostalMime.parse(source);
    if (email.text?.includes('://') === true) recordSecretOfLink(linkOf({ email }));
    this.messages.push(email);
  }
}
