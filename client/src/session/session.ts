import { lifeOf } from './access-token.js';

/** The user who is signed in, with the fields of the service's answer. */
export interface SessionUser {
  readonly id: string;
  readonly email: string;
}

/** A session as it is stored. */
export interface Session<User extends SessionUser = SessionUser> {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly user: User;
  /** When to replace the access token, in milliseconds by this machine's clock. */
  readonly renew_at: number;
}

/** The tokens in an answer. */
export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A token is replaced early, since a call takes time: by this part of its lifetime, but at most by this long. */
const EARLY_PART = 0.1;
const EARLY_MS = 10_000;

export function sessionOf<User extends SessionUser>(
  tokens: TokenPair,
  user: User,
  now: number,
): Session<User> {
  const life = lifeOf(tokens.access_token) ?? Number.POSITIVE_INFINITY;
  const early = Math.min(life * EARLY_PART, EARLY_MS);
  const { access_token, refresh_token } = tokens;
  // JSON has no Infinity.
  return {
    access_token,
    refresh_token,
    user,
    renew_at: Math.min(now + life - early, Number.MAX_SAFE_INTEGER),
  };
}

export function isDue({ renew_at }: Session, now: number): boolean {
  return now >= renew_at;
}

/** The stored session; null if the stored value is not one. */
export function parseSession<User extends SessionUser>(text: string | null): Session<User> | null {
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as Partial<Session<User>> | null;
    const isWhole =
      typeof kept?.access_token === 'string' &&
      typeof kept.refresh_token === 'string' &&
      typeof kept.renew_at === 'number' &&
      typeof kept.user?.id === 'string';
    return isWhole ? (kept as Session<User>) : null;
  } catch {
    return null;
  }
}
