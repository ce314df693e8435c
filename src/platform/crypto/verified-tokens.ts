import { LRUCache } from 'lru-cache';
import type { KeyObject } from 'node:crypto';

/** The times between which a token counts, in seconds since the epoch (RFC 7519, sections 4.1.4 and 4.1.5). */
export interface TokenTimes {
  readonly exp: number;
  readonly nbf?: number | undefined;
}

/** What the verification of a token showed. */
export interface VerifiedToken<Claims> extends TokenTimes {
  readonly claims: Claims;
  /** By what the key is found. */
  readonly keyId: string;
  /** The key that verified the signature. */
  readonly key: KeyObject;
}

/** Whether a token with these times counts at this instant. */
export function isCurrentToken({ exp, nbf }: TokenTimes, nowMs: number): boolean {
  const nowSecs = Math.floor(nowMs / 1000);
  return nowSecs < exp && (nbf === undefined || nbf <= nowSecs);
}

interface Kept<Claims> {
  readonly token: string;
  readonly verified: VerifiedToken<Claims>;
}

/** Characters of a token's signature, by which it is found: to hash all of it costs more than to compare it. */
const KEY_LENGTH = 64;

/**
 * Tokens whose signature was verified, by their whole text. A token that was changed in one character is another text,
 * so it is verified. Whatever may change while a token lives is not kept here, and is asked at each use: the time,
 * whether the key is still in use, and whether the account, the session or the attempt still exists.
 */
export class VerifiedTokens<Claims> {
  private readonly tokens: LRUCache<string, Kept<Claims>>;

  constructor(maxEntries: number) {
    this.tokens = new LRUCache({ max: maxEntries });
  }

  get size(): number {
    return this.tokens.size;
  }

  keep(token: string, verified: VerifiedToken<Claims>): void {
    this.tokens.set(token.slice(-KEY_LENGTH), { token, verified });
  }

  /**
   * @param keyOf the key that is in use under this id now
   * @returns undefined for a token that has to be verified: it is unknown, its time is over, or its key is not the one
   *   that verified it
   */
  find(token: string, nowMs: number, keyOf: (keyId: string) => KeyObject | undefined): Claims | undefined {
    const key = token.slice(-KEY_LENGTH);
    const known = this.tokens.get(key);
    if (known?.token !== token) return undefined;
    const { verified } = known;
    if (isCurrentToken(verified, nowMs) && keyOf(verified.keyId) === verified.key) return verified.claims;
    this.tokens.delete(key);
    return undefined;
  }
}
