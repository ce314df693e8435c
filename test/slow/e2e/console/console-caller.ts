import { Client } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import { recordSecretsOf } from '../../../support/secrets/secret-journal.js';

export interface ConsoleSession {
  kind: string;
  access_token: string;
  expires_in: number;
  user: { id: string; email: string };
  operator: string | null;
}

export const COOKIE = '__Secure-service-console';

/** One browser on the pages of the console: it keeps the cookie, and sends what such a page sends. */
export class ConsoleCaller {
  cookie: string | null = null;

  constructor(
    readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = { 'x-service-console': '1' },
  ) {}

  async send<Body = ConsoleSession>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    const sent = { ...this.headers, ...(this.cookie === null ? {} : { cookie: `${COOKIE}=${this.cookie}` }) };
    const answer = await new Client(this.url, sent).send<Body>(method, `/console/session${path}`, body);
    const given = cookieOf(answer);
    if (given !== null) {
      recordSecretsOf({ refresh_token: decodeURIComponent(given).split('.')[1] ?? '' });
      this.cookie = given === '' ? null : given;
    }
    return answer;
  }

  async post<Body = ConsoleSession>(path: string, body: unknown = {}): Promise<Answer<Body>> {
    return await this.send<Body>('POST', path, body);
  }

  /** Another tab or a thief, with the same cookie. */
  twin(headers?: Readonly<Record<string, string>>): ConsoleCaller {
    const twin = new ConsoleCaller(this.url, headers ?? this.headers);
    twin.cookie = this.cookie;
    return twin;
  }
}

/** The value of the cookie that an answer sets; empty where it removes it, null without one. */
export function cookieOf({ headers }: Answer<unknown>): string | null {
  const [pair = ''] = (headers.getSetCookie()[0] ?? '').split(';', 1);
  return pair.startsWith(`${COOKIE}=`) ? pair.slice(COOKIE.length + 1) : null;
}
