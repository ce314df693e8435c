import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server, for its end. */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Closes those that carry no request: kept alive after one, or made ahead of one, as browsers and pools of
   * connections do. Node counts the latter among those at work.
   */
  closeIdle(): void {
    this.server.closeIdleConnections();
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
