import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { Exchanges } from './exchanges.mjs';

const HOST = '127.0.0.1';
const SOCKETS = { allowHalfOpen: true, noDelay: true };

/**
 * Stands before one program and passes every byte on unchanged, in both directions and as it comes: Prism's own forwarder
 * would parse bodies, follow redirects, drop the Host header and hold streams back until they end.
 */
export class Proxy {
  url;
  /** Where the program listens; until that is set, connections are refused. */
  upstream = null;
  /** Of the program's document, null where it has none. */
  hash = null;
  #onExchange;
  #server;
  #open = new Set();

  /** @param {(exchange: object) => void} onExchange */
  static async start(onExchange) {
    const proxy = new Proxy();
    proxy.#onExchange = onExchange;
    proxy.#server = createServer(SOCKETS, (client) => proxy.#pass(client)).listen(0, HOST);
    await once(proxy.#server, 'listening');
    proxy.url = `http://${HOST}:${proxy.#server.address().port}`;
    return proxy;
  }

  /** Ends every connection; the last exchanges are known then. */
  async close() {
    this.#server.close();
    const closed = [...this.#open].map((socket) => once(socket, 'close'));
    for (const socket of this.#open) socket.destroy();
    await Promise.all(closed);
  }

  #pass(client) {
    if (this.upstream === null) {
      client.resetAndDestroy();
      return;
    }
    const { hostname, port } = new URL(this.upstream);
    const program = connect({ host: hostname, port: Number(port), ...SOCKETS });
    const exchanges = new Exchanges(this.#onExchange);
    join(client, program, (chunk) => exchanges.request(chunk));
    join(program, client, (chunk) => exchanges.response(chunk));
    program.once('close', () => exchanges.close());
    for (const socket of [client, program]) {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    }
  }
}

/** Passes on what `from` sends, as fast as `to` takes it, and how it ends. */
function join(from, to, onBytes) {
  from.on('data', (chunk) => {
    onBytes(chunk);
    if (!to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.once('end', () => to.end());
  // What came before the end still counts.
  from.on('error', () => to.destroySoon());
  from.once('close', () => {
    if (!from.readableEnded) to.destroySoon();
  });
}
