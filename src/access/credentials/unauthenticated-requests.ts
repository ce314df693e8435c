import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { isLoopback, originOf, rateKeyOf, requestOf, ServiceError } from '../../http/index.js';
import type { ServiceRequest } from '../../http/index.js';
import { CredentialFailures, rateLimited, RateReport, Rates, UNCOUNTED } from '../../limits/index.js';

const LIMITED_ROUTE = /^\/(?:(?:auth|admin)\/v1|console\/session)(?:\/|$)/;

/** Credentials that name no account, and that somebody may try to guess. */
const GUESSED: ReadonlySet<string> = new Set(['invalid_api_key', 'invalid_admin_token']);

/**
 * Counts, by client address, the requests of callers who are not authenticated: those to public routes, and those with
 * invalid credentials. Requests with valid credentials are not counted and cost nothing here.
 */
@Injectable()
export class UnauthenticatedRequests {
  private readonly logger = new Logger(UnauthenticatedRequests.name);
  private hasWarned = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly reflector: Reflector,
    private readonly rates: Rates,
    private readonly failures: CredentialFailures,
    private readonly report: RateReport,
  ) {}

  /** @throws rate_limited */
  async count(context: ExecutionContext): Promise<void> {
    const request = requestOf(context);
    const rate = this.rates.requestsPerAddress;
    if (!rate.isOn || !LIMITED_ROUTE.test(request.routeOptions.url ?? '')) return;
    const origin = originOf(request);
    if (isLoopback(origin.ip)) {
      this.warnOfProxy(request);
      return;
    }
    if (this.reflector.get<boolean | undefined>(UNCOUNTED, context.getHandler()) === true) return;
    const state = await rate.take(rateKeyOf(origin.ip));
    this.report.add(origin, state);
    if (!state.isOver) return;
    this.warnOfProxy(request);
    throw rateLimited(state);
  }

  /**
   * Counts a request that a guard has refused.
   * @throws rate_limited instead of the refusal; then no other guard records the request
   */
  async countRefused(context: ExecutionContext, refusal: unknown): Promise<void> {
    if (!(refusal instanceof ServiceError)) return;
    const request = requestOf(context);
    if (refusal.status !== 401 && request.caller !== undefined) return;
    await this.count(context);
    const presents = request.headers.authorization !== undefined || refusal.code === 'invalid_api_key';
    if (presents && GUESSED.has(refusal.code)) await this.failures.count(originOf(request));
  }

  /** All clients behind a proxy that is not trusted share its address. */
  private warnOfProxy({ headers }: ServiceRequest): void {
    if (this.hasWarned || this.config.server.trustProxy !== false) return;
    if (headers['x-forwarded-for'] === undefined) return;
    this.hasWarned = true;
    this.logger.warn(
      'requests come with X-Forwarded-For, which is not believed: set server.trust_proxy if they come through a ' +
        'proxy. Without it all who do share one limit, and behind a proxy on this machine limits by address count nobody',
    );
  }
}
