import { settingsOf } from '../options.js';
import { kindOf, presentedBy } from './caller.js';
import type { HeaderBag, VerifiedCaller, VerifiedKey } from './caller.js';
import { expressMiddleware, fastifyHook, nestGuard } from './guards.js';
import type { Demand, ExpressMiddleware, FastifyHook, NestGuard } from './guards.js';
import { JwksCaches } from './key-sets.js';
import { PermissionChecks } from './permission-checks.js';
import { checkedDemand, requireProof } from './proof.js';
import type { ProofDemand } from './proof.js';
import { Refusal, unauthenticated } from './refusal.js';
import { TokenVerifier } from './token-verifier.js';
import type { VerifiedRun, VerifiedUser } from './token-verifier.js';

export interface VerifierOptions {
  /** The URL of the service. */
  readonly url: string;
  /** `identity.jwt_issuer` of the service; `service`. */
  readonly issuer?: string | undefined;
  /** `identity.jwt_audience`; `service`, of projects `authenticated`. */
  readonly audience?: string | undefined;
  /** In the project profile: the projects whose users are accepted. */
  readonly projects?: readonly string[] | undefined;
  /** How long to cache a permission, in milliseconds; 5 000. A change takes effect that much later. */
  readonly rememberMs?: number | undefined;
  /** How long to cache the keys; 300 000. */
  readonly keysMaxAgeMs?: number | undefined;
  /** The minimum time between two requests for an unknown key; 30 000. */
  readonly cooldownMs?: number | undefined;
  readonly clockToleranceSecs?: number | undefined;
  /**
   * What guards of Nest throw instead of the refusal itself, which Nest would answer in its own form and log:
   * `(refusal) => new HttpException(refusal.body, refusal.status)`.
   */
  readonly nestError?: ((refusal: Refusal) => Error) | undefined;
  readonly timeoutMs?: number | undefined;
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** For one framework: guards that accept or refuse a request. Then `callerOf(request)` returns its caller. */
export interface Guards<Guard> {
  /** Requires a signed-in caller, with any permissions. Makes no call to the service. */
  requireUser(proof?: ProofDemand): Guard;
  /**
   * Requires this permission (`data:orders:read`) in the organization that `X-Service-Org` names, or else in the
   * caller's only one. `proof` applies to users, since API keys and runs are not people.
   */
  requirePermission(permission: string, proof?: ProofDemand): Guard;
  /** Requires the run token of a handler's call. Makes no call to the service. */
  requireRun(): Guard;
}

const REMEMBER_MS = 5_000;
const KEYS_MAX_AGE_MS = 300_000;
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 5_000;

/** Concrete, as the service requires: three segments and no wildcard. */
const PERMISSION = /^[A-Za-z0-9_.-]+(?::[A-Za-z0-9_.-]+){2}$/;

/** Authenticates and authorizes callers for another program. */
export class Verifier {
  readonly express: Guards<ExpressMiddleware>;
  readonly fastify: Guards<FastifyHook>;
  readonly nest: Guards<NestGuard>;

  constructor(
    private readonly tokens: TokenVerifier,
    private readonly permissions: PermissionChecks | null,
    private readonly clock: { readonly clockToleranceSecs: number },
    nestError: (refusal: Refusal) => Error,
  ) {
    this.express = this.guards(expressMiddleware);
    this.fastify = this.guards(fastifyHook);
    this.nest = this.guards((require) => nestGuard(require, nestError));
  }

  /** Verifies an access token with the published keys. @throws Refusal */
  async verifyAccessToken(token: string): Promise<VerifiedUser> {
    return await this.tokens.user(token);
  }

  /** The caller who is signed in, by the headers of a request. @throws Refusal */
  async requireUser(headers: HeaderBag, proof?: ProofDemand): Promise<VerifiedCaller> {
    const presented = presentedBy(headers);
    if (presented === null) throw unauthenticated();
    const user = await this.user(presented.credential, proof);
    return { ...user, ...presented, tenant: user.project };
  }

  /**
   * The run whose handler is called, by the headers of the call: by the run token, which the service signs for this attempt
   * alone. It does not prove the body, which `verifyHandlerCall` does.
   * @throws Refusal
   */
  async requireRun(headers: HeaderBag): Promise<VerifiedRun & VerifiedCaller> {
    const presented = presentedBy(headers);
    if (presented === null) throw unauthenticated();
    return { ...(await this.tokens.run(presented.credential)), ...presented };
  }

  /**
   * The caller who has a permission, by the headers of a request. Tokens of users and runs are verified here. The service
   * decides about permissions, and whose an API key is.
   * @throws Refusal
   */
  async requirePermission(
    headers: HeaderBag,
    permission: string,
    proof?: ProofDemand,
  ): Promise<VerifiedCaller> {
    const { permissions } = this;
    if (permissions === null) throw new TypeError('Projects have no permissions; use requireUser.');
    const presented = presentedBy(headers);
    if (presented === null) throw unauthenticated();
    const { credential, org } = presented;
    const caller = await this.callerWith(credential, proof);
    const { isAllowed, tenant } = await permissions.check(credential, org, permission);
    if (isAllowed) return { ...caller, ...presented, tenant };
    throw new Refusal({
      code: 'permission_denied',
      message: 'The caller’s role in the organization lacks the permission.',
      status: 403,
      hint: `This needs the permission ${permission}.`,
    });
  }

  private async callerWith(
    credential: string,
    proof: ProofDemand | undefined,
  ): Promise<VerifiedUser | VerifiedRun | VerifiedKey> {
    const type = kindOf(credential);
    if (type === 'key') return { type };
    return type === 'run' ? await this.tokens.run(credential) : await this.user(credential, proof);
  }

  private async user(credential: string, proof: ProofDemand | undefined): Promise<VerifiedUser> {
    const demand = checkedDemand(proof);
    const user = await this.tokens.user(credential);
    requireProof(user, demand, this.clock);
    return user;
  }

  private guards<Guard>(guardOf: (require: Demand) => Guard): Guards<Guard> {
    return {
      requireUser: (proof) => {
        const demand = checkedDemand(proof);
        return guardOf((headers) => this.requireUser(headers, demand));
      },
      requirePermission: (permission, proof) => {
        const demand = checkedDemand(proof);
        if (this.permissions === null) throw new TypeError('Projects have no permissions; use requireUser.');
        if (!PERMISSION.test(permission))
          throw new TypeError(`A permission is like data:orders:read, and not ${permission}.`);
        return guardOf((headers) => this.requirePermission(headers, permission, demand));
      },
      requireRun: () => guardOf((headers) => this.requireRun(headers)),
    };
  }
}

/** @throws TypeError if `url` is not an HTTP address */
export function createVerifier(options: VerifierOptions): Verifier {
  const { timeoutMs = TIMEOUT_MS, projects = null, clockToleranceSecs = 0 } = options;
  const settings = settingsOf({ ...options, timeoutMs, retries: 0 }, {});
  const jwksCaches = new JwksCaches({
    url: settings.url,
    fetch: settings.fetch,
    maxAgeMs: options.keysMaxAgeMs ?? KEYS_MAX_AGE_MS,
    cooldownMs: options.cooldownMs ?? COOLDOWN_MS,
    timeoutMs,
  });
  const tokens = new TokenVerifier(jwksCaches, {
    issuer: options.issuer ?? 'service',
    audience: options.audience ?? (projects === null ? 'service' : 'authenticated'),
    projects,
    clockToleranceSecs,
  });
  const checks = projects === null ? new PermissionChecks(settings, options.rememberMs ?? REMEMBER_MS) : null;
  return new Verifier(tokens, checks, { clockToleranceSecs }, options.nestError ?? ((refusal) => refusal));
}
