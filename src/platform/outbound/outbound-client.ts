import { Global, Module, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { decodeBody } from './content-coding.js';
import type { BodyFault } from './content-coding.js';
import { certificateProblem } from '../tls/index.js';
import type { ForeignHosts } from '../network/index.js';
import { HttpExchange, MAX_BODY_BYTES, OutboundTimeoutError } from './http-exchange.js';
import type { HttpPost } from './http-exchange.js';

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Without its content coding, at most `MAX_BODY_BYTES`; the rest is not read. */
  readonly body: Buffer;
  /** The body as it came, with its content coding. */
  readonly received: Buffer;
  /** Why the body is not usable; null when it is. */
  readonly fault: BodyFault | null;
}

/** No answer came: no connection, a broken one, or the caller ended it. */
export class OutboundFailedError extends Error {
  override name = 'OutboundFailedError';
}

/** The only way out over HTTP: one deadline for all, a bounded answer, redirects never followed. */
export abstract class HttpClient implements OnApplicationShutdown {
  protected constructor(private readonly http: HttpExchange) {}

  /** @throws OutboundTimeoutError, OutboundFailedError */
  async get(outbound: Omit<HttpPost, 'body'>): Promise<OutboundAnswer> {
    return await this.exchange({ ...outbound, body: null });
  }

  /** @throws OutboundTimeoutError, OutboundFailedError */
  async post(outbound: HttpPost & { readonly body: string | Buffer }): Promise<OutboundAnswer> {
    return await this.exchange(outbound);
  }

  private async exchange(outbound: HttpPost): Promise<OutboundAnswer> {
    try {
      const { status, headers, body, isTooLarge } = await this.http.post(outbound);
      const answer = { status, headers, received: body };
      if (isTooLarge) return { ...answer, body, fault: 'too_large' };
      const coding = headers['content-encoding'];
      if (coding === undefined) return { ...answer, body, fault: null };
      return { ...answer, ...(await decodeBody(body, coding, MAX_BODY_BYTES)) };
    } catch (error) {
      if (error instanceof OutboundTimeoutError) throw error;
      throw new OutboundFailedError(certificateProblem(error) ?? reasonOf(error), { cause: error });
    }
  }

  onApplicationShutdown(): void {
    this.http.close();
  }
}

/** Calls URLs that the operator has configured. */
@Injectable()
export class OutboundClient extends HttpClient {
  constructor() {
    super(new HttpExchange());
  }
}

/** Calls URLs that others have given, at addresses that the operator allows. */
export class ForeignClient extends HttpClient {
  constructor(hosts: ForeignHosts) {
    super(new HttpExchange(hosts));
  }
}

/** Of a name with several addresses, what became of each: the error of all of them says nothing itself. */
function reasonOf(error: unknown): string {
  const { message, errors }: { message?: unknown; errors?: unknown } =
    typeof error === 'object' && error !== null ? error : {};
  if (Array.isArray(errors)) return errors.map(reasonOf).join('; ');
  return typeof message === 'string' && message !== '' ? message : 'the call failed';
}

@Global()
@Module({ providers: [OutboundClient], exports: [OutboundClient] })
export class OutboundModule {}
