import type { Bearer, TransportSettings } from './http/transport.js';
import type { SessionStorage } from './session/session-storage.js';

const RETRIES = 2;
const TIMEOUT_MS = 30_000;

export interface ClientOptions {
  /** The URL of the service: `https://id.example.com`. */
  readonly url: string;
  /** Where to store the session: by default IndexedDB, which tabs share, and memory outside of browsers. */
  readonly storage?: SessionStorage | undefined;
  /** The name of the session in the storage; by default derived from `url`. */
  readonly storageKey?: string | undefined;
  /**
   * Makes calls with this instead of a session: an API key, or the value of `Authorization` that a handler received. A
   * function is called for each call, and once more after a refusal, then with the refused credential.
   */
  readonly credential?: string | ((refused?: string) => string | Promise<string>) | undefined;
  /**
   * The token of the deployment's operator, for `client.admin`. Never use it in a browser. Without it, `client.admin`
   * makes calls as the signed-in user, or with `credential`.
   */
  readonly adminToken?: string | undefined;
  /** How often to repeat an idempotent call after a temporary failure; 2. */
  readonly retries?: number | undefined;
  /** The time limit of one try, from its start to the end of its answer, in milliseconds; 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** @throws TypeError if `url` is not an HTTP address */
export function settingsOf(
  { url, retries = RETRIES, timeoutMs = TIMEOUT_MS, adminToken, fetch }: ClientOptions,
  { org, headers = {} }: { org?: string | undefined; headers?: Readonly<Record<string, string>> },
): TransportSettings {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new TypeError(`url must begin with https:// or http://, and is ${url}`);
  const { origin, pathname } = new URL(url);
  return {
    url: `${origin}${pathname.replace(/\/+$/, '')}`,
    // Looked up for each call, so that a page may replace it, and called as a function of the page.
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
