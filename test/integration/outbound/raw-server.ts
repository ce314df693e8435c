import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

/** A server on loopback that answers each request with bytes that a test chooses. */
export class RawServer {
  readonly sockets = new Set<Socket>();
  readonly received: Buffer[] = [];
  connections = 0;
  requests = 0;
  /** Called when a request has arrived as far as its head. */
  behaviour: (socket: Socket) => void = (socket) => socket.write(OK);

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('data', (chunk: Buffer) => {
        this.received.push(chunk);
        if (!chunk.includes('POST ')) return;
        this.requests += 1;
        this.behaviour(socket);
      });
    });
  }

  static async start(): Promise<RawServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RawServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/handler`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
