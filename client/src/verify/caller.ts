import type { VerifiedRun, VerifiedUser } from './token-verifier.js';

/** An API key, which only the service can verify. */
export interface VerifiedKey {
  readonly type: 'key';
}

/** The caller of an accepted request. */
export type VerifiedCaller = (VerifiedUser | VerifiedRun | VerifiedKey) & {
  /** As the caller sent it, to call the service in their name: `createClient({ credential })`. */
  readonly credential: string;
  /** The organization that the request named, in the request's own form. */
  readonly org: string | undefined;
  /**
   * Id of the organization in which the permission holds or the run runs, or `ref` of the project. Null after `requireUser`
   * in the organization profile: a user may belong to several organizations, and nobody was asked about one.
   */
  readonly tenant: string | null;
};

/** Headers as Node.js, Express and Fastify provide them, with names in lower case. */
export type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The credential of a request, not yet verified. */
export interface Presented {
  readonly credential: string;
  readonly org: string | undefined;
}

const BEARER = /^Bearer +(\S+)$/i;

/** Null if there are no credentials, or they are ambiguous. */
export function presentedBy(headers: HeaderBag): Presented | null {
  const { authorization, 'x-api-key': key, 'x-service-org': org } = headers;
  if (authorization !== undefined && key !== undefined) return null;
  const bearer = typeof authorization === 'string' ? BEARER.exec(authorization)?.[1] : undefined;
  // As the service has it: no token is an API key.
  const credential = bearer ?? (typeof key === 'string' && kindOf(key) === 'key' ? key : undefined);
  if (credential === undefined) return null;
  return { credential, org: typeof org === 'string' ? org : undefined };
}

/** The apparent kind of a credential, whether or not it is valid. */
export function kindOf(credential: string): 'user' | 'key' | 'run' {
  if (credential.startsWith('svc_')) return 'key';
  return typeOf(credential) === 'run+jwt' ? 'run' : 'user';
}

function typeOf(token: string): unknown {
  const header = token.split('.')[0] ?? '';
  try {
    const parsed = JSON.parse(atob(header.replaceAll('-', '+').replaceAll('_', '/'))) as {
      typ?: unknown;
    } | null;
    return parsed?.typ;
  } catch {
    return undefined;
  }
}

/** One for both builds of the package, because a program may load both. */
const CALLER = Symbol.for('@service/client caller');

export function rememberCaller(request: object, caller: VerifiedCaller): void {
  Reflect.set(request, CALLER, caller);
}

/** The caller of a request that a guard of `createVerifier` accepted; undefined for any other request. */
export function callerOf(request: object): VerifiedCaller | undefined {
  return Reflect.get(request, CALLER) as VerifiedCaller | undefined;
}
