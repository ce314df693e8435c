import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ends a connection after its last response: sends the end, and discards what the client still sends until it closes
 * too or the time is over. Closed at once, as Node does it, the connection would be reset by the next bytes of the
 * client, which may then never read its answer (RFC 9112, section 9.6).
 */
function closeInStages(socket: Socket, lingerMs: number): void {
  // Without these listeners nothing more is parsed: no request is answered after the last.
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  socket.resume();
  // Node's HTTP server stops the reading beneath the stream while a body waits, so that the stream has to start it.
  socket._read(0);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.end();
}

export function closeConnectionsInStages(server: Server, lingerMs: number): void {
  server.on('connection', (socket: Socket) => {
    // Node takes its own listener away with a CONNECT. Without one, a reset would end the program.
    socket.on('error', () => undefined);
    socket.destroySoon = () => {
      closeInStages(socket, lingerMs);
    };
  });
}
