import { sessionOf } from '../session/session.js';
import type { Session, SessionUser, TokenPair } from '../session/session.js';
import type { SessionKeeper } from '../session/session-keeper.js';

/** Who signed in, and the session, which the client keeps by itself. */
export interface SignedIn<User extends SessionUser> {
  readonly user: User;
  readonly session: Session<User>;
}

/** Begins the session that an answer gave. */
export async function signedIn<User extends SessionUser>(
  keeper: SessionKeeper<User>,
  tokens: TokenPair,
  user: User,
): Promise<SignedIn<User>> {
  const session = sessionOf(tokens, user, Date.now());
  await keeper.begin(session);
  return { user, session };
}
