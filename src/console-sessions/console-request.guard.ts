import { Inject, Injectable } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { isLoopbackHost, PublicUrl, requestOf, ServiceError } from '../http/index.js';
import type { ServiceRequest } from '../http/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';

/** A form cannot send a header, and a script on another site needs a preflight (CORS), which is refused. */
const HEADER = 'X-Service-Console';

/** Documents the header. */
export function ConsoleHeader(): ClassDecorator {
  return ApiHeader({
    name: HEADER,
    required: true,
    schema: { type: 'string', enum: ['1'] },
    description: 'Pages of other sites cannot send it.',
  });
}

/**
 * Refuses requests that other sites make on behalf of someone who is signed in to the console. The cookie is
 * `SameSite=Strict`; this does not rely on it.
 */
@Injectable()
export class ConsoleRequestGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly publicUrl: PublicUrl,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    if (request.headers[HEADER.toLowerCase()] !== '1') {
      throw new ServiceError('cross_site_request', { hint: 'The console sends X-Service-Console: 1.' });
    }
    const site = request.headers['sec-fetch-site'];
    if ((site !== undefined && site !== 'same-origin') || !this.isOwnOrigin(request)) {
      throw new ServiceError('cross_site_request', {
        hint: 'The origin of the page is neither the host of the request nor identity.public_url.',
      });
    }
    return true;
  }

  /** Programs other than browsers send no origin, and no cookie of another person either. */
  private isOwnOrigin(request: ServiceRequest): boolean {
    const { origin } = request.headers;
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    const { host } = new URL(origin);
    if (host === new URL(this.publicUrl.base).host) return true;
    return host === request.host.toLowerCase() && this.mayServe(host);
  }

  /**
   * A page whose name was made to resolve to this machine (DNS rebinding) sends a matching host and origin. If only
   * this machine can reach the program, no such name is valid, except those that an operator has listed.
   */
  private mayServe(host: string): boolean {
    const { host: listener, allowedHosts } = this.config.server;
    return allowedHosts.length > 0 || !isLoopbackHost(listener) || isLoopbackHost(host);
  }
}
