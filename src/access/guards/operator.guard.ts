import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ANONYMOUS, AuditTrail, AuthMetrics } from '../../audit/index.js';
import type { Actor } from '../../audit/index.js';
import { OperatorRepository, OperatorTokens } from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { secretsEqual } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { originOf, requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { OperatorCaller, ServiceRequest } from '../../http/index.js';
import { UnauthenticatedRequests } from '../credentials/unauthenticated-requests.js';

const BEARER = /^Bearer +(\S+)$/i;
const READING = new Set(['GET', 'HEAD']);

/** A program with `admin.token`, which has no account. */
const PROGRAM: OperatorCaller = { type: 'operator', account: null, access: 'full' };

/** Who presented something, and why it opens nothing. */
interface Refusal {
  readonly code: 'invalid_admin_token' | 'session_revoked';
  readonly by: Actor;
}

/**
 * Demands of the operator's routes `admin.token`, or the access token of an operator whose session lives. Where no
 * `admin.token` is configured such routes exist for those operators alone.
 */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly tokens: OperatorTokens,
    private readonly operators: OperatorRepository,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly metrics: AuthMetrics,
    private readonly unauthenticated: UnauthenticatedRequests,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return routeAccess(context).access !== 'operator' || this.requireOperator(context);
  }

  private async requireOperator(context: ExecutionContext): Promise<true> {
    const request = requestOf(context);
    const presented = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const identified = await this.identify(presented);
    if ('code' in identified) return await this.refuse(context, identified, presented !== undefined);
    if (identified.access === 'read_only' && !READING.has(request.method)) {
      this.metrics.record('operator_token_check', 'operator_read_only');
      throw new ServiceError('operator_read_only');
    }
    request.operator = identified;
    return true;
  }

  private async identify(presented: string | undefined): Promise<OperatorCaller | Refusal> {
    const { token } = this.config.admin;
    const unknown: Refusal = { code: 'invalid_admin_token', by: ANONYMOUS };
    if (presented === undefined) return unknown;
    if (token !== null && secretsEqual(presented, token)) return PROGRAM;
    const subject = await this.tokens.verify(presented);
    if (subject === null) return unknown;
    // Each time from the database: an operator who was removed, or has signed out, is one no more.
    const standing = await this.operators.standing(this.database.reader, subject);
    const by: Actor = standing === null ? ANONYMOUS : { type: 'user', id: subject.userId };
    if (standing?.access == null) return { code: 'invalid_admin_token', by };
    if (!standing.isLive) return { code: 'session_revoked', by };
    const { userId, sessionId } = subject;
    return {
      type: 'operator',
      account: { userId, sessionId, email: standing.email },
      access: standing.access,
    };
  }

  private async refuse(
    context: ExecutionContext,
    { code, by }: Refusal,
    hasPresented: boolean,
  ): Promise<never> {
    const refusal = new ServiceError(code);
    const isAbsent = code === 'invalid_admin_token' && this.config.admin.token === null;
    if (!isAbsent) this.metrics.record('operator_token_check', code);
    // Before the record, so that a flood writes none.
    await this.unauthenticated.countRefused(context, refusal);
    if (isAbsent) throw new ServiceError('not_found');
    if (hasPresented) await this.recordRefusal(requestOf(context), by);
    throw refusal;
  }

  /** Who sends no token at all has not tried to be the operator. */
  private async recordRefusal(request: ServiceRequest, actor: Actor): Promise<void> {
    await this.audit.appendAlone({
      actor,
      action: 'operator.token_refused',
      target: null,
      orgId: null,
      userId: null,
      origin: originOf(request),
      details: { method: request.method, route: request.routeOptions.url ?? null },
    });
  }
}
