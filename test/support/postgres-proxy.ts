import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: ReadyForQuery, whatever the state. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);
/** The last message of a backend that an administrator terminates. */
const FAREWELL = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';

interface Loss {
  readonly what: 'statement' | 'answer';
  readonly text: string;
  readonly isLost: () => void;
}

/** A proxy between a program and its PostgreSQL. It loses what a network loses, at a moment that the test chooses. */
export class PostgresProxy {
  private readonly sockets = new Set<Socket>();
  private farewells = 0;
  private isHanging = false;
  private toLose: Loss | null = null;
  private answered = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => {
      this.pass(client);
    });
  }

  static async start(databaseUrl: string): Promise<PostgresProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PostgresProxy(server, new URL(databaseUrl));
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.toString();
  }

  /** The number of bytes that the program has received so far. */
  get bytesAnswered(): number {
    return this.answered;
  }

  /** Tells the next new connections, in one message, that they are ready and that they are terminated. */
  endAtReady(connections: number): void {
    this.farewells = connections;
  }

  /** Cuts the connection of the next statement that contains this, before it or before its answer. Resolves then. */
  async lose(what: Loss['what'], text: string): Promise<void> {
    await new Promise<void>((isLost) => {
      this.toLose = { what, text, isLost };
    });
  }

  /** From now on, forwards nothing in either direction. Connections stay open, and new ones are accepted. */
  hang(): void {
    this.isHanging = true;
    for (const socket of this.sockets) socket.pause();
  }

  goOn(): void {
    this.isHanging = false;
    for (const socket of this.sockets) socket.resume();
  }

  cutAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cutAll();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    let isReady = false;
    let losing: Loss | null = null;
    client.on('data', (chunk) => {
      if (this.toLose !== null && chunk.includes(this.toLose.text)) {
        losing = this.toLose;
        this.toLose = null;
      }
      if (losing?.what !== 'statement') server.write(chunk);
      else {
        client.destroy();
        losing.isLost();
      }
    });
    server.on('data', (chunk) => {
      this.answered += chunk.length;
      // One more byte tells whether a transaction is open.
      const endsReady = chunk.subarray(-READY.length - 1, -1).equals(READY);
      if (losing !== null) {
        if (!endsReady) return;
        client.destroy();
        losing.isLost();
      } else if (endsReady && !isReady && this.farewells > 0) {
        this.farewells -= 1;
        client.end(Buffer.concat([chunk, farewell()]));
        server.destroy();
      } else client.write(chunk);
      isReady ||= endsReady;
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      if (this.isHanging) socket.pause();
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroySoon();
      });
    }
  }
}

function farewell(): Buffer {
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  // The length includes itself but not the type byte.
  head.writeInt32BE(FAREWELL.length + 4, 1);
  return Buffer.concat([head, Buffer.from(FAREWELL, 'latin1')]);
}
