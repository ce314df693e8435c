import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { Proxy } from './proxy.mjs';

/**
 * Prism between the clients of the tests and the programs that they start. A suite gets the address of a proxy by
 * `POST / {"suite"}`, and sets the program behind it by `POST / {"proxy", "program"}`: a program that makes links has to
 * know the address before it listens.
 */
export class PrismBetween {
  /** Where suites register programs. */
  url;
  #server;
  #judging = new Worker(new URL('judging.mjs', import.meta.url));
  /** By address, with the hash of the document that holds for the program. */
  #proxies = new Map();
  #documents = new Set();

  static async start() {
    const between = new PrismBetween();
    await between.#listen();
    return between;
  }

  /** Ends it as soon as every exchange is judged. */
  async stop() {
    await Promise.all([...this.#proxies.values()].map((proxy) => proxy.close()));
    this.#server.close();
    this.#server.closeAllConnections();
    this.#judging.postMessage({ action: 'end' });
    const [{ counts, violations }] = await once(this.#judging, 'message');
    await this.#judging.terminate();
    return { counts: { programs: this.#proxies.size, ...counts }, violations };
  }

  async #listen() {
    this.#server = createServer((request, response) => {
      json(request)
        .then(({ suite, proxy, program }) =>
          proxy === undefined ? this.#newProxy(suite) : this.#connect(this.#proxies.get(proxy), program),
        )
        .then(
          (answer) => response.end(JSON.stringify(answer)),
          (error) => response.writeHead(500).end(String(error.stack)),
        );
    }).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
  }

  async #newProxy(suite) {
    const proxy = await Proxy.start((exchange) => {
      const { hash } = proxy;
      if (hash !== null) this.#judging.postMessage({ action: 'exchange', hash, suite, exchange });
    });
    this.#proxies.set(proxy.url, proxy);
    return { url: proxy.url };
  }

  async #connect(proxy, program) {
    proxy.hash = await this.#readDocument(program);
    proxy.upstream = program;
    return {};
  }

  /** Hands the document of a program over. @returns its hash; null for a program without an API, such as a worker */
  async #readDocument(upstream) {
    const response = await fetch(new URL('/openapi.json', upstream), { headers: { connection: 'close' } });
    const text = await response.text();
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`/openapi.json answered ${response.status}: ${text}`);
    const hash = createHash('sha256').update(text).digest('hex');
    if (!this.#documents.has(hash)) this.#judging.postMessage({ action: 'document', hash, text });
    this.#documents.add(hash);
    return hash;
  }
}
