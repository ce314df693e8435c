// A mail server on loopback that takes every message and shows it: enough to try the mails of a project.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The text of a quoted-printable body (RFC 2045, section 6.7), whose long lines are broken with `=`. */
function decoded(body) {
  return body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

export class MailSink {
  #server;
  #mails = [];
  #waiting = [];

  async listen() {
    this.#server = createServer((socket) => this.#serve(socket));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this.#server.address().port;
  }

  /** The next message that nobody has taken yet, as text. */
  async next() {
    const mail = this.#mails.shift();
    return mail ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
  }

  close() {
    this.#server.close();
  }

  #serve(socket) {
    let received = '';
    let inMessage = false;
    const say = (line) => socket.write(`${line}\r\n`);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (;;) {
        const end = received.indexOf(inMessage ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const part = received.slice(0, end);
        received = received.slice(end + (inMessage ? 5 : 2));
        if (inMessage) {
          inMessage = false;
          this.#take(decoded(part));
          say('250 taken');
          continue;
        }
        const command = part.slice(0, 4).toUpperCase();
        if (command === 'DATA') inMessage = true;
        if (command === 'QUIT') {
          socket.end('221 bye\r\n');
          return;
        }
        say(command === 'DATA' ? '354 go on, end with a dot' : '250 fine');
      }
    });
    say('220 mail sink');
  }

  #take(mail) {
    const taker = this.#waiting.shift();
    if (taker === undefined) this.#mails.push(mail);
    else taker(mail);
  }
}
