import type { VerifiedUser } from './access-token-verifier.js';

/** Holds a credential that only the service can verify: an API key, or a run's handler. */
export interface VerifiedElsewhere {
  readonly type: 'key' | 'run';
}

/** Who made a request that was let in. */
export type VerifiedCaller = (VerifiedUser | VerifiedElsewhere) & {
  /** As the caller sent it, to call the service in their name: `createClient({ credential })`. */
  readonly credential: string;
  /** The organization that the request named, as it named it. */
  readonly org: string | undefined;
};

/** As Node.js, Express and Fastify have headers: names in lower case. */
export type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a request presents, not yet verified. */
export interface Presented {
  readonly credential: string;
  readonly org: string | undefined;
}

const BEARER = /^Bearer +(\S+)$/i;

/** Null when there are no credentials, or more than one could mean. */
export function presentedBy(headers: HeaderBag): Presented | null {
  const { authorization, 'x-api-key': key, 'x-service-org': org } = headers;
  if (authorization !== undefined && key !== undefined) return null;
  const bearer = typeof authorization === 'string' ? BEARER.exec(authorization)?.[1] : undefined;
  const credential = bearer ?? (typeof key === 'string' ? key : undefined);
  if (credential === undefined) return null;
  return { credential, org: typeof org === 'string' ? org : undefined };
}

/** What kind of credential it is meant as; what it is worth is another question. */
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

/** One for the package's two forms: a program may load both. */
const CALLER = Symbol.for('@service/client caller');

export function rememberCaller(request: object, caller: VerifiedCaller): void {
  Reflect.set(request, CALLER, caller);
}

/** Who made a request that a guard of `createVerifier` let in; undefined for another. */
export function callerOf(request: object): VerifiedCaller | undefined {
  return Reflect.get(request, CALLER) as VerifiedCaller | undefined;
}
