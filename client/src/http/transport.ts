import { ServiceError } from '../service-error.js';
import { networkError, ofType, readBody, readError } from './answer.js';
import type { Call } from './call.js';
import { urlOf } from './call.js';
import { isIdempotent, retryDelay } from './retry.js';
import { wait, withinTime } from './waiting.js';

/** Provides the token of the signed-in user. */
export interface Bearer {
  /** The token to send; null to send none. */
  token(signal?: AbortSignal): Promise<string | null>;
  /** Another token after the service has refused this one; null if there is none. */
  replacementOf(token: string, signal?: AbortSignal): Promise<string | null>;
}

export interface TransportSettings {
  /** The URL of the service, without a trailing slash. */
  readonly url: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Sent with every call: the project's key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly org: string | undefined;
  readonly adminToken: string | undefined;
  /** How often an idempotent call is repeated. */
  readonly retries: number;
  /** The time limit of one try, from its start to the end of its answer. */
  readonly timeoutMs: number;
}

const ORG_IN_PATH = '{org}';

/** The paths of pages that people, and not programs, read. */
const PAGES = '/auth/v1/pages/';
const HTML = 'text/html';
const EVENTS = 'text/event-stream';

/** Codes for an expired token: `invalid_admin_token` on operator endpoints, which accept other tokens too. */
const EXPIRED: ReadonlySet<string> = new Set(['invalid_access_token', 'invalid_admin_token']);

/** Makes all calls of the client. */
export class Transport {
  constructor(
    readonly settings: TransportSettings,
    private readonly bearer: Bearer,
  ) {}

  /** The same caller in another organization. */
  inOrg(org: string): Transport {
    return new Transport({ ...this.settings, org }, this.bearer);
  }

  /** The body of the answer. @throws ServiceError; the reason if the caller aborts */
  async body(call: Call): Promise<unknown> {
    return await this.exchange(
      call,
      call.path.startsWith(PAGES) ? (response) => ofType(HTML, response).text() : readBody,
    );
  }

  /** A stream of events, before it is read. The time limit ends when the answer begins. */
  async open(call: Call): Promise<Response> {
    return await this.exchange(call, (response) => Promise.resolve(ofType(EVENTS, response)));
  }

  /** A file, before it is read. The time limit ends when the answer begins. */
  async file(call: Call): Promise<Response> {
    return await this.exchange(call, (response) => Promise.resolve(response));
  }

  /** The body of the answer and one of its headers. */
  async withHeader(call: Call, name: string): Promise<{ body: unknown; header: string | null }> {
    return await this.exchange(call, async (response) => ({
      body: await readBody(response),
      header: response.headers.get(name),
    }));
  }

  private async exchange<Result>(call: Call, read: (response: Response) => Promise<Result>): Promise<Result> {
    const { retries, timeoutMs } = this.settings;
    const isSafe = call.repeatable === true || isIdempotent(call.method, call.headers ?? {});
    const mayRepeat = call.once !== true && isSafe;
    const tries = mayRepeat ? 1 + retries : 1;
    // A retry is for the same caller, even if someone else has signed in since.
    let token: string | null | undefined;
    for (let number = 1; ; number += 1) {
      try {
        return await withinTime(timeoutMs, call.signal, async (signal) => {
          if (token === undefined) token = await this.tokenFor(call, signal);
          return await this.once(call, token, signal, read);
        });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const delay = retryDelay(error, number, tries - number, Math.random());
        if (delay === null) throw error;
        await wait(delay, call.signal);
      }
    }
  }

  private async tokenFor(call: Call, signal: AbortSignal): Promise<string | null> {
    if (call.as === 'nobody') return null;
    if (call.as === 'operator' && this.settings.adminToken !== undefined) return null;
    return await this.bearer.token(signal);
  }

  /** One try. A token that the service refuses as expired is replaced once: a refused call had no effect. */
  private async once<Result>(
    call: Call,
    token: string | null,
    signal: AbortSignal,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const first = await this.fetch(call, token, signal, read);
    if (!(first instanceof ServiceError)) return first.result;
    if (token === null || !EXPIRED.has(first.code)) throw first;
    const replacement = await this.bearer.replacementOf(token, signal);
    if (replacement === null) throw first;
    const second = await this.fetch(call, replacement, signal, read);
    if (second instanceof ServiceError) throw second;
    return second.result;
  }

  private async fetch<Result>(
    call: Call,
    token: string | null,
    signal: AbortSignal,
    read: (response: Response) => Promise<Result>,
  ): Promise<ServiceError | { result: Result }> {
    const url = urlOf(this.settings.url, call);
    const { headers, body } = this.message(call, token);
    requireSendable(headers);
    try {
      // Keys and passwords are only for the address that they were given for, and a POST that is redirected may become
      // a GET.
      const init: RequestInit = {
        method: call.method,
        headers,
        signal,
        credentials: 'omit',
        redirect: 'manual',
      };
      const response = await this.settings.fetch(url, body === undefined ? init : { ...init, body });
      return response.ok ? { result: await read(response) } : await readError(response);
    } catch (error) {
      if (error instanceof ServiceError || signal.aborted) throw error;
      throw networkError(url, error);
    }
  }

  private message(
    call: Call,
    token: string | null,
  ): { headers: Record<string, string>; body?: string | undefined } {
    // The operator is not a caller in a project.
    const own = call.as === 'operator' ? {} : this.settings.headers;
    const headers: Record<string, string> = { ...own, ...call.headers };
    const { org, adminToken } = this.settings;
    const bearer = call.as === 'operator' ? (adminToken ?? token) : token;
    if (bearer !== null) headers.Authorization = `Bearer ${bearer}`;
    // An organization in the path takes precedence.
    if (org !== undefined && (call.as ?? 'caller') === 'caller' && !call.path.includes(ORG_IN_PATH))
      headers['X-Service-Org'] ??= org;
    if (call.raw !== undefined) {
      headers['Content-Type'] ??= 'application/json';
      return { headers, body: call.raw };
    }
    if (call.body === undefined) return { headers };
    if (call.form === true) {
      headers['Content-Type'] = 'application/x-www-form-urlencoded';
      return { headers, body: new URLSearchParams(call.body as Record<string, string>).toString() };
    }
    headers['Content-Type'] ??= 'application/json';
    return { headers, body: JSON.stringify(call.body) };
  }
}

/** The platform's fetch would refuse them too, but with the error of a service that cannot be reached. */
function requireSendable(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      // The value may be a secret.
      throw new ServiceError({
        code: 'invalid_argument',
        message: `What goes into the header ${name} has characters that none can have.`,
        status: 0,
      });
    }
  }
}
