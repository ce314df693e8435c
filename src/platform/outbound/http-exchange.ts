import { Agent, request as requestPlainly } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as requestOverTls } from 'node:https';
import { isIP } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { LRUCache } from 'lru-cache';
import type { ForeignHosts } from '../network/index.js';

/** A connection that rests for longer is closed, or earlier where the server announces that it will close it. */
const IDLE_MS = 4000;
/** The rest of a longer body is not read. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Interim responses of one exchange: one every ten seconds of a day. Each takes time to read. */
const MAX_INTERIM = 10_000;
/** Pieces of a body that are kept apart: each takes more memory than its bytes. */
const MAX_PIECES = 1000;
/** URLs that are kept parsed. */
const MAX_TARGETS = 1000;

/** The exchange took longer than it was given. */
export class OutboundTimeoutError extends Error {
  override name = 'OutboundTimeoutError';
}

/** A POST, and when to end it; a GET where there is no body. */
export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null makes it a GET. */
  readonly body: string | Buffer | null;
  /** For the whole exchange, from connecting to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Ends the exchange early, with its connection. */
  readonly signal?: AbortSignal;
}

/** A final response as it came, with its content coding. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** At most `MAX_BODY_BYTES`. */
  readonly body: Buffer;
  readonly isTooLarge: boolean;
}

interface Target {
  readonly host: string;
  /** Of a URL that names an address. */
  readonly address: string | null;
  readonly options: RequestOptions;
}

/**
 * Posts over HTTP/1.1 with Node's own client, which has no time limits: a handler may work for a day. Connections are kept
 * for the next request, as many as there are requests at a time. Redirects are not followed, and interim responses
 * (RFC 9110, section 15.2), asked for or not, are passed over.
 */
export class HttpExchange {
  private readonly agent: Agent;
  private readonly tlsAgent: TlsAgent;
  private readonly targets = new LRUCache<string, Target>({ max: MAX_TARGETS });

  /** @param hosts decide to which addresses the requests go; null where only the operator names their hosts */
  constructor(private readonly hosts: ForeignHosts | null = null) {
    // For a connection in use this timeout does nothing.
    const options = {
      keepAlive: true,
      timeout: IDLE_MS,
      ...(hosts === null ? {} : { lookup: hosts.lookup }),
    };
    this.agent = new Agent(options);
    this.tlsAgent = new TlsAgent(options);
  }

  /** @throws OutboundTimeoutError, and whatever prevented the final response */
  async post({ url, headers, body, timeoutMs, signal }: HttpPost): Promise<HttpResponse> {
    if (signal?.aborted === true) throw new Error('the call was ended');
    const { host, address, options } = this.targetOf(url);
    // A socket looks up names alone.
    if (address !== null) await this.hosts?.addressesOf(address);
    const start = options.agent === this.tlsAgent ? requestOverTls : requestPlainly;
    const method = body === null ? 'GET' : 'POST';
    const request = start({ ...options, method, headers: rawHeaders(headers, host, body) });
    return await new Promise((resolve, reject) => {
      let isAnswered = false;
      const release = (): void => {
        clearTimeout(deadline);
        signal?.removeEventListener('abort', end);
      };
      const succeed = (response: HttpResponse): void => {
        release();
        resolve(response);
      };
      const fail = (error: Error): void => {
        release();
        reject(error);
      };
      const deadline = setTimeout(() => {
        fail(new OutboundTimeoutError(`no complete answer within ${timeoutMs} ms`));
        request.destroy();
      }, timeoutMs);
      const end = (): void => {
        fail(new Error('the call was ended'));
        request.destroy();
      };
      // Not AbortSignal.timeout and .any: their timer outlives the exchange, and a long-lived signal keeps a
      // reference for each that was ever joined to it.
      signal?.addEventListener('abort', end);
      let interim = 0;
      request.on('information', () => {
        interim += 1;
        if (interim <= MAX_INTERIM) return;
        fail(new Error(`more than ${MAX_INTERIM} interim responses came`));
        request.destroy();
      });
      request.once('response', (response) => {
        isAnswered = true;
        read(response, succeed, fail);
      });
      // Stays for what comes after the response: the response reports that itself.
      request.on('error', (error) => {
        if (!isAnswered) fail(error);
      });
      // A server that switches protocols (101) sends no response, but Node does not treat this as an error.
      request.once('close', () => {
        if (!isAnswered) fail(new Error('the connection closed without an answer'));
      });
      request.end(body ?? undefined);
    });
  }

  /** Closes every connection, those in use too. */
  close(): void {
    this.agent.destroy();
    this.tlsAgent.destroy();
  }

  private targetOf(url: string): Target {
    const known = this.targets.get(url);
    if (known !== undefined) return known;
    const parsed = new URL(url);
    const { protocol, hostname, port, path } = urlToHttpOptions(parsed);
    const agent = protocol === 'https:' ? this.tlsAgent : this.agent;
    const address = isIP(hostname ?? '') === 0 ? null : (hostname ?? null);
    const target = { host: parsed.host, address, options: { protocol, hostname, port, path, agent } };
    this.targets.set(url, target);
    return target;
  }
}

/** Names and values in turn: Node writes such a list as it is, without a map of headers in between. */
function rawHeaders(
  headers: Readonly<Record<string, string>>,
  host: string,
  body: string | Buffer | null,
): string[] {
  const raw = ['Host', host];
  if (body !== null) raw.push('Content-Length', String(Buffer.byteLength(body)));
  for (const [name, value] of Object.entries(headers)) raw.push(name, value);
  return raw;
}

/** Reads by events: nearly every answer is one short piece, for which an iterator costs more than the answer. */
function read(
  response: IncomingMessage,
  succeed: (response: HttpResponse) => void,
  fail: (error: Error) => void,
): void {
  let pieces: Buffer[] = [];
  let room = MAX_BODY_BYTES;
  const finish = (isTooLarge: boolean): void => {
    const { statusCode: status = 0, headers } = response;
    const [first = Buffer.alloc(0)] = pieces;
    succeed({ status, headers, body: pieces.length > 1 ? Buffer.concat(pieces) : first, isTooLarge });
  };
  response.on('data', (piece: Buffer) => {
    pieces.push(piece.subarray(0, room));
    if (piece.length > room) {
      finish(true);
      response.destroy();
    } else room -= piece.length;
    if (pieces.length === MAX_PIECES) pieces = [Buffer.concat(pieces)];
  });
  response.once('end', () => {
    finish(false);
  });
  response.on('error', fail);
}
