import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

import { BrokenProtocolError } from '../runner/runner-message.js';
import { NO_CALL } from '../runner/runner-protocol.js';
import type { AnswerMessage, CallLabel, HostMessage } from '../runner/runner-protocol.js';
import type { FunctionTiming } from './function-timing.js';

/** How many ended calls are remembered, to attribute their late lines. */
const REMEMBERED = 10_000;
/** The messages that answer a call, besides the requested chunks: the head, the first chunk, the end. */
const ANSWERS_PER_CALL = 3;
/** Long enough that a call cannot guess the key of another. */
const KEY_BYTES = 18;
/** Node writes these itself; a wrong length from the function would break the answer. */
const CONNECTION_HEADERS = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

interface Call {
  label: CallLabel;
  response: ServerResponse;
  /** The last of the answer is written; the response closes when it has left. */
  isAnswered: boolean;
  isAbandoned: boolean;
  /** Whether the function was asked for the next chunk, or the first. */
  wantsChunk: boolean;
}

export interface CallServerLinks {
  toFunction: (message: HostMessage, body?: Uint8Array) => void;
  /** The last open call is over; not before the first. */
  onIdle: () => void;
  /** The function is stuck in a call whose caller has gone. */
  onHang: () => void;
}

/** The HTTP side of a function, in the program: callers talk to it, it talks to the function's process. */
export class CallServer {
  readonly #calls = new Map<string, Call>();
  readonly #ended = new LRUCache<string, CallLabel>({ max: REMEMBERED });
  readonly #server: Server;
  readonly #path = `/${randomBytes(24).toString('base64url')}/`;
  #unansweredPings = 0;
  /** How many more messages may answer the calls so far. */
  #expectedAnswers = 0;
  #hangTimer: NodeJS.Timeout | null = null;
  #onDrained: (() => void) | null = null;

  constructor(
    private readonly links: CallServerLinks,
    private readonly timing: FunctionTiming,
  ) {
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

  /** The run of a line; none when the call is not one of this process. */
  labelOf(key: string | null): CallLabel {
    if (key === null) return NO_CALL;
    return this.#calls.get(key)?.label ?? this.#ended.get(key) ?? NO_CALL;
  }

  /** @throws BrokenProtocolError, and what Node says of an answer that HTTP cannot carry */
  receive(message: AnswerMessage, bytes: Uint8Array): void {
    this.#expectedAnswers -= 1;
    if (this.#expectedAnswers < 0) throw new BrokenProtocolError('an answer that nobody waits for');
    const call = this.#calls.get(message.call);
    if (!call || call.isAbandoned || call.isAnswered) return;
    const { response } = call;
    switch (message.type) {
      case 'head':
        for (const [name, value] of message.headers) {
          if (!CONNECTION_HEADERS.has(name)) response.appendHeader(name, value);
        }
        response.writeHead(message.status).flushHeaders();
        call.wantsChunk = true;
        return;
      case 'chunk': {
        // A process that sends unrequested messages could fill the program's memory.
        if (!call.wantsChunk) throw new BrokenProtocolError('a chunk that was not asked for');
        call.wantsChunk = false;
        const next = (): void => {
          call.wantsChunk = true;
          this.#expectedAnswers += 1;
          this.links.toFunction({ type: 'more', call: message.call });
        };
        if (response.write(bytes)) next();
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

  /**
   * The function's event loop has completed a turn, so it does not hang in a call that its caller gave up.
   * @throws BrokenProtocolError
   */
  pong(): void {
    if (this.#unansweredPings === 0) throw new BrokenProtocolError('an answer to no ping');
    this.#unansweredPings -= 1;
    if (this.#unansweredPings > 0) return;
    if (this.#hangTimer) clearTimeout(this.#hangTimer);
    this.#hangTimer = null;
    for (const [key, call] of this.#calls) if (call.isAbandoned) this.#end(key);
  }

  /** Answers every open call with the reason why the function will not answer; resolves when it is sent. */
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
    // A caller that got the address just before the drain may still connect.
    await delay(this.timing.drainLingerMs, undefined, { ref: false });
    if (this.#calls.size > 0) await new Promise<void>((resolve) => (this.#onDrained = resolve));
  }

  close(): void {
    if (this.#hangTimer) clearTimeout(this.#hangTimer);
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith(this.#path)) {
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const key = randomBytes(KEY_BYTES).toString('base64url');
    const method = request.method ?? 'POST';
    const call: Call = {
      label: labelOf(request),
      response,
      isAnswered: false,
      isAbandoned: false,
      wantsChunk: false,
    };
    this.#calls.set(key, call);
    this.#expectedAnswers += ANSWERS_PER_CALL;
    response.once('close', () => {
      if (call.isAnswered) this.#end(key);
      else this.#abandon(key, call);
    });
    // A write to a caller that has just disconnected; its close event follows.
    response.on('error', () => undefined);
    const url = `http://localhost/${request.url.slice(this.#path.length)}`;
    const message: HostMessage = { type: 'call', call: key, method, url, headers: pairs(request.rawHeaders) };
    this.links.toFunction(message, Buffer.concat(chunks));
  }

  #abandon(key: string, call: Call): void {
    call.isAbandoned = true;
    this.links.toFunction({ type: 'abort', call: key });
    this.links.toFunction({ type: 'ping' });
    this.#unansweredPings += 1;
    this.#hangTimer ??= setTimeout(this.links.onHang, this.timing.hangMs);
  }

  #end(key: string): void {
    const call = this.#calls.get(key);
    if (call === undefined) return;
    this.#calls.delete(key);
    this.#ended.set(key, call.label);
    if (this.#calls.size > 0) return;
    this.#onDrained?.();
    this.links.onIdle();
  }
}

/** A failure as an answer. Once the head has been sent, only closing the connection can signal it. */
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
