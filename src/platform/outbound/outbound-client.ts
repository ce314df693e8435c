import { Global, Module, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { decodeBody } from './content-coding.js';
import type { BodyFault, DecodedBody } from './content-coding.js';
import { HttpExchange } from './http-exchange.js';

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For the whole exchange, from connecting to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Ends the exchange early, with its connection. */
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Without its content coding, at most `MAX_ANSWER_BYTES`; the rest is not read. */
  readonly body: Buffer;
  /** Why the body is not usable; null when it is. */
  readonly fault: BodyFault | null;
}

/** The exchange took longer than it was given. */
export class OutboundTimeoutError extends Error {
  override name = 'OutboundTimeoutError';
}

/** No answer came: no connection, a broken one, or the caller ended it. */
export class OutboundFailedError extends Error {
  override name = 'OutboundFailedError';
}

const MAX_ANSWER_BYTES = 1024 * 1024;
/** Why an exchange was ended that took too long. */
const LATE = Symbol('late');

/** The only way out over HTTP: one deadline for all, a bounded answer, redirects never followed. */
@Injectable()
export class OutboundClient implements OnApplicationShutdown {
  private readonly http = new HttpExchange();

  /** @throws OutboundTimeoutError, OutboundFailedError */
  async post(outbound: OutboundRequest): Promise<OutboundAnswer> {
    // Not AbortSignal.timeout and .any: their timer outlives the exchange, and a long-lived signal keeps a
    // reference for each that was ever joined to it.
    const exchange = new AbortController();
    const end = (): void => {
      exchange.abort();
    };
    const deadline = setTimeout(() => {
      exchange.abort(LATE);
    }, outbound.timeoutMs);
    outbound.signal?.addEventListener('abort', end, { once: true });
    if (outbound.signal?.aborted === true) end();
    try {
      const { url, headers, body: content } = outbound;
      const answer = await this.http.post({ url, headers, body: content, signal: exchange.signal });
      const { statusCode: status = 0, headers: answered } = answer;
      const read = await readBounded(answer);
      if (read.fault !== null) return { status, headers: answered, ...read };
      const coding = answered['content-encoding'] ?? '';
      return { status, headers: answered, ...(await decodeBody(read.body, coding, MAX_ANSWER_BYTES)) };
    } catch (error) {
      if (exchange.signal.reason === LATE)
        throw new OutboundTimeoutError(`no complete answer within ${outbound.timeoutMs} ms`);
      throw new OutboundFailedError(reasonOf(error), { cause: error });
    } finally {
      clearTimeout(deadline);
      outbound.signal?.removeEventListener('abort', end);
    }
  }

  onApplicationShutdown(): void {
    this.http.close();
  }
}

/** Of a name with several addresses, what became of each: the error of all of them says nothing itself. */
function reasonOf(error: unknown): string {
  const { message, errors }: { message?: unknown; errors?: unknown } =
    typeof error === 'object' && error !== null ? error : {};
  if (Array.isArray(errors)) return errors.map(reasonOf).join('; ');
  return typeof message === 'string' && message !== '' ? message : 'the call failed';
}

async function readBounded(stream: AsyncIterable<Buffer> & { destroy(): void }): Promise<DecodedBody> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const room = MAX_ANSWER_BYTES - length;
    chunks.push(chunk.subarray(0, room));
    length += Math.min(chunk.length, room);
    // Leaving the loop destroys the stream and with it the connection.
    if (chunk.length > room) return { body: Buffer.concat(chunks), fault: 'too_large' };
  }
  return { body: Buffer.concat(chunks), fault: null };
}

@Global()
@Module({ providers: [OutboundClient], exports: [OutboundClient] })
export class OutboundModule {}
