import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { AnswerMessage, CallLabel, RunnerMessage, ThreadRequest } from './runner-protocol.js';

/** A turn of the thread longer than this, after a caller gave up, is a hang: nobody waits for its result. */
const HANG_MS = 2000;
/** A caller that was given the address just before the drain may still be on its way. */
const DRAIN_LINGER_MS = 1000;
/** Node writes these itself; a length that the function got wrong would break the answer. */
const CONNECTION_HEADERS = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

interface Call {
  label: CallLabel;
  response: ServerResponse;
  /** The last of the answer is written; the response closes when it has left. */
  isAnswered: boolean;
  isAbandoned: boolean;
}

export interface CallServerLinks {
  toThread: (message: ThreadRequest) => void;
  toHost: (message: RunnerMessage) => void;
  /** The thread is stuck in a call whose caller has gone. */
  onHang: () => void;
}

/** The HTTP side of the runner: callers talk to it, it talks to the function thread. */
export class CallServer {
  readonly #calls = new Map<number, Call>();
  readonly #server: Server;
  readonly #path = `/${randomBytes(24).toString('base64url')}/`;
  #lastCall = 0;
  #unansweredPings = 0;
  #hangTimer: NodeJS.Timeout | null = null;
  #onIdle: (() => void) | null = null;

  constructor(private readonly links: CallServerLinks) {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** Answers the address; its path is a secret, so that no other process of the machine can call. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`;
  }

  get labels(): CallLabel[] {
    return [...this.#calls.values()].map((call) => call.label);
  }

  receive(message: AnswerMessage): void {
    const call = this.#calls.get(message.call);
    if (!call || call.isAbandoned) return;
    const { response } = call;
    switch (message.type) {
      case 'head':
        for (const [name, value] of message.headers) {
          if (!CONNECTION_HEADERS.has(name)) response.appendHeader(name, value);
        }
        response.writeHead(message.status).flushHeaders();
        return;
      case 'chunk': {
        const next = (): void => {
          this.links.toThread({ type: 'more', call: message.call });
        };
        if (response.write(message.bytes)) next();
        else response.once('drain', next);
        return;
      }
      case 'end':
        call.isAnswered = true;
        response.end();
        return;
      case 'thrown':
        call.isAnswered = true;
        refuse(response, message.reason);
    }
  }

  /** The thread came round: what callers gave up is the function's own affair from here on. */
  pong(): void {
    this.#unansweredPings -= 1;
    if (this.#unansweredPings > 0) return;
    if (this.#hangTimer) clearTimeout(this.#hangTimer);
    this.#hangTimer = null;
    for (const [number, call] of this.#calls) if (call.isAbandoned) this.#end(number);
  }

  /** Answers every open call with the reason for which no other answer will come; resolves when it is sent. */
  async fail(reason: string): Promise<void> {
    const open = [...this.#calls.values()].filter((call) => !call.isAbandoned);
    await Promise.all(
      open.map(async (call) => {
        const isClosed = once(call.response, 'close');
        if (!call.isAnswered) refuse(call.response, reason);
        call.isAnswered = true;
        await isClosed;
      }),
    );
  }

  /** Resolves when the last call is answered. */
  async drain(): Promise<void> {
    await delay(DRAIN_LINGER_MS);
    this.#server.close();
    if (this.#calls.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith(this.#path)) {
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const number = ++this.#lastCall;
    const label = labelOf(request);
    const method = request.method ?? 'POST';
    const call: Call = { label, response, isAnswered: false, isAbandoned: false };
    this.#calls.set(number, call);
    this.links.toHost({ type: 'begin', call: number, label });
    response.once('close', () => {
      if (call.isAnswered) this.#end(number);
      else this.#abandon(number, call);
    });
    // A write to a caller that has just gone; its close follows.
    response.on('error', () => undefined);
    this.links.toThread({
      type: 'call',
      call: number,
      label,
      method,
      url: `http://localhost/${request.url.slice(this.#path.length)}`,
      headers: pairs(request.rawHeaders),
      body: method === 'GET' || method === 'HEAD' ? null : new Uint8Array(Buffer.concat(chunks)),
    });
  }

  #abandon(number: number, call: Call): void {
    call.isAbandoned = true;
    this.links.toThread({ type: 'abort', call: number });
    this.links.toThread({ type: 'ping' });
    this.#unansweredPings += 1;
    this.#hangTimer ??= setTimeout(this.links.onHang, HANG_MS);
  }

  #end(number: number): void {
    this.#calls.delete(number);
    this.links.toHost({ type: 'end', call: number });
    if (this.#calls.size === 0) this.#onIdle?.();
  }
}

/** A failure as an answer; once the head is out only a broken connection can tell of it. */
function refuse(response: ServerResponse, reason: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: reason }));
}

function labelOf(request: IncomingMessage): CallLabel {
  const runId = request.headers['x-service-run-id'];
  const attempt = Number(request.headers['x-service-attempt']);
  return {
    runId: typeof runId === 'string' ? runId : null,
    attempt: Number.isSafeInteger(attempt) ? attempt : null,
  };
}

function pairs(rawHeaders: string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  }
  return headers;
}
