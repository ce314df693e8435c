import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 2;

/** The handler that all jobs call: answers at once, and notes when each number came for the first time. */
export class Handler {
  /** By the number in the payload: when the call came, by performance.now(). */
  arrivals = new Map();
  /** Calls beyond the first of a number. */
  repeated = 0;
  #server;
  #keys;
  /** While calls are held: those that wait for their answer. */
  #held = null;

  /** @param keys the JWKS that verifies the peers' tokens, which is served as well */
  static async start(keys) {
    const handler = new Handler();
    handler.#keys = JSON.stringify(keys);
    handler.#server = createServer((request, response) => void handler.#take(request, response));
    await new Promise((resolve) => handler.#server.listen(0, '127.0.0.1', resolve));
    return handler;
  }

  get origin() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Resolves when so many numbers have come since `reset`. */
  async received(count, limitMs) {
    const giveUpAt = performance.now() + limitMs;
    while (this.arrivals.size < count) {
      if (performance.now() > giveUpAt)
        throw new Error(`the handler was called for ${this.arrivals.size} of ${count} jobs`);
      await wait(POLL_MS);
    }
  }

  reset() {
    this.arrivals = new Map();
    this.repeated = 0;
  }

  /** Leaves all calls unanswered until `answerAll`. */
  hold() {
    this.#held ??= [];
  }

  answerAll() {
    const held = this.#held ?? [];
    this.#held = null;
    for (const answer of held) answer();
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request, response) {
    const at = performance.now();
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return void response.end(this.#keys);
    const { number } = await json(request);
    if (this.arrivals.has(number)) this.repeated += 1;
    else this.arrivals.set(number, at);
    const answer = () => response.end('{"ok":true}');
    if (this.#held === null) answer();
    else this.#held.push(answer);
  }
}
