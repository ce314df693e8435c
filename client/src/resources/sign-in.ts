import { usePasskey } from '../passkeys.js';
import type { PasskeyCredential } from '../passkeys.js';
import { ServiceError } from '../service-error.js';
import type { SignInChallenge } from '../service-error.js';
import { sessionOf } from '../session/session.js';
import type { Session, SessionUser, TokenPair } from '../session/session.js';
import type { SessionKeeper } from '../session/session-keeper.js';

/** The user who signed in, and the session, which the client stores itself. */
export interface SignedIn<User extends SessionUser> {
  readonly user: User;
  readonly session: Session<User>;
}

/** The second proof of a sign-in, with the challenge token from the refusal of the first. */
export type SecondFactor = { readonly challenge_token: string } & (
  { readonly code: string } | { readonly recovery_code: string } | { readonly credential: PasskeyCredential }
);

/** The body of the second step, in the API's form. */
export function secondFactorBody(proof: SecondFactor): {
  challenge_token: string;
  code?: string;
  recovery_code?: string;
  credential?: Record<string, unknown>;
} {
  return 'credential' in proof ? { ...proof, credential: { ...proof.credential } } : { ...proof };
}

/** The second proof of a challenge, with a passkey of this browser. */
export async function passkeyProof(
  { token, passkey_options: options }: SignInChallenge,
  signal?: AbortSignal,
): Promise<SecondFactor> {
  if (options === undefined)
    throw new ServiceError({
      code: 'invalid_argument',
      message: 'The account of the challenge has no passkey.',
      status: 0,
    });
  return { challenge_token: token, credential: await usePasskey(options, signal) };
}

/** Begins the session in an answer. */
export async function signedIn<User extends SessionUser>(
  keeper: SessionKeeper<User>,
  tokens: TokenPair,
  user: User,
): Promise<SignedIn<User>> {
  const session = sessionOf(tokens, user, Date.now());
  await keeper.begin(session);
  return { user, session };
}
