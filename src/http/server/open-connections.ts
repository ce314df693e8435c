import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections of a server, to close them when it ends. */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Closes the connections without a request: kept alive after one, or opened ahead of one, as browsers and connection
   * pools do. Node counts the latter as active.
   */
  closeIdle(): void {
    this.server.closeIdleConnections();
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
