import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import { unavailable } from './refusal.js';

export interface JwksOptions {
  /** The URL of the service, without a trailing slash. */
  readonly url: string;
  /** How long a JWKS is cached before it is fetched again. */
  readonly maxAgeMs: number;
  /** The minimum time between two requests to the service for an unknown key. */
  readonly cooldownMs: number;
  readonly timeoutMs: number;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** How much longer the last keys are used while the service does not answer. */
const STALE_MS = 3_600_000;

/** The public keys of the service or, if a project is given, of that project. */
export class JwksCaches {
  private readonly sets = new Map<string, JWTVerifyGetKey>();

  constructor(private readonly options: JwksOptions) {}

  of(project?: string): JWTVerifyGetKey {
    const name = project ?? '';
    const known = this.sets.get(name);
    if (known !== undefined) return known;
    const made = this.make(project);
    this.sets.set(name, made);
    return made;
  }

  private make(project: string | undefined): JWTVerifyGetKey {
    const { url, maxAgeMs, cooldownMs, timeoutMs, fetch } = this.options;
    const address = new URL(`${url}/auth/v1/keys`);
    if (project !== undefined) address.searchParams.set('ref', project);
    const remote = createRemoteJWKSet(address, {
      cacheMaxAge: maxAgeMs,
      cooldownDuration: cooldownMs,
      timeoutDuration: timeoutMs,
      [customFetch]: fetch,
    });
    let hadAt = 0;
    let failedAt = Number.NEGATIVE_INFINITY;
    return async (header, token) => {
      const had = remote.jwks();
      // A service that does not answer is called no more often than one that does, and not every request waits for it.
      const mayAsk = had === undefined || Date.now() - failedAt >= cooldownMs;
      try {
        if (!mayAsk && Date.now() - hadAt <= maxAgeMs + STALE_MS)
          return await createLocalJWKSet(had)(header, token);
        const key = await remote(header, token);
        hadAt = Date.now();
        return key;
      } catch (error) {
        // A token does not come from the service until it is verified. Forged ones must not decide when keys are
        // fetched.
        if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
          throw error;
        failedAt = Date.now();
        if (had === undefined || Date.now() - hadAt > maxAgeMs + STALE_MS)
          throw unavailable('The keys that verify access tokens cannot be had.', error);
        return await createLocalJWKSet(had)(header, token);
      }
    };
  }
}
