import type { Bearer, TransportSettings } from './http/transport.js';
import type { SessionStorage } from './session/session-storage.js';

const RETRIES = 2;
const TIMEOUT_MS = 30_000;

export interface ClientOptions {
  /** Where the service is: `https://id.example.com`. */
  readonly url: string;
  /** Where the session is kept: by default IndexedDB, which tabs share, and memory outside of browsers. */
  readonly storage?: SessionStorage | undefined;
  /** The session's name there; by default made of `url`. */
  readonly storageKey?: string | undefined;
  /**
   * Calls are made with this and not with a session: an API key, or what a handler got in `Authorization`. A
   * function is asked for each call, and once more after a refusal, then with the credential that was refused.
   */
  readonly credential?: string | ((refused?: string) => string | Promise<string>) | undefined;
  /**
   * Of the deployment's operator, for `client.admin`. Never in a browser. Without it `client.admin` calls as the
   * signed-in user, or with `credential`.
   */
  readonly adminToken?: string | undefined;
  /** Further tries of an idempotent call that failed in passing; 2. */
  readonly retries?: number | undefined;
  /** For one try, from its start to the end of its answer, milliseconds; 30 000. */
  readonly timeoutMs?: number | undefined;
  /** In place of the platform's `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** @throws TypeError when `url` is not an HTTP address */
export function settingsOf(
  { url, retries = RETRIES, timeoutMs = TIMEOUT_MS, adminToken, fetch }: ClientOptions,
  { org, headers = {} }: { org?: string | undefined; headers?: Readonly<Record<string, string>> },
): TransportSettings {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new TypeError(`url must begin with https:// or http://, and is ${url}`);
  const { origin, pathname } = new URL(url);
  return {
    url: `${origin}${pathname.replace(/\/+$/, '')}`,
    // Looked up at each call, so that a page may replace it; and called as a function of the page.
    fetch: fetch ?? ((target, init) => globalThis.fetch(target, init)),
    headers,
    org,
    adminToken,
    retries,
    timeoutMs,
  };
}

/** Sends what the client was given. */
export function bearerOf(credential: NonNullable<ClientOptions['credential']>): Bearer {
  const token = async (refused?: string): Promise<string> =>
    typeof credential === 'string' ? credential : await credential(refused);
  return {
    token: () => token(),
    replacementOf: async (refused) => {
      const next = await token(refused);
      return next === refused ? null : next;
    },
  };
}
