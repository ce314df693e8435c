import { ServiceError } from '../service-error.js';

/**
 * Why a caller is refused. Its fields are those of `http-errors`, so that Express, Fastify and Nest answer with its
 * status.
 */
export class Refusal extends ServiceError {
  override readonly name = 'Refusal';
  /** The message may be shown to the caller. */
  readonly expose = true;

  get statusCode(): number {
    return this.status;
  }

  /** The error body, as the service itself sends it. */
  get body(): { error: { code: string; message: string; status: number; hint?: string } } {
    const { code, message, status, hint } = this;
    return { error: { code, message, status, ...(hint === undefined ? {} : { hint }) } };
  }

  /** RFC 9110, section 11.6.1, and RFC 6750, section 3. */
  get headers(): Record<string, string> {
    if (this.status === 503) return { 'Retry-After': '1' };
    if (this.status !== 401) return {};
    const scheme = this.code === 'invalid_signature' ? 'Signature' : 'Bearer';
    const refusesToken = scheme === 'Bearer' && this.code !== 'unauthenticated';
    return {
      'WWW-Authenticate': `${scheme} realm="service"${refusesToken ? ', error="invalid_token"' : ''}`,
    };
  }
}

export function unauthenticated(): Refusal {
  return new Refusal({
    code: 'unauthenticated',
    message: 'The request carries no credentials.',
    status: 401,
    hint: 'Send Authorization: Bearer <access token>.',
  });
}

export function invalidToken(cause?: unknown): Refusal {
  return new Refusal({
    code: 'invalid_access_token',
    message: 'The access token is malformed, expired, or not issued for this service.',
    status: 401,
    cause,
  });
}

export function unavailable(message: string, cause: unknown): Refusal {
  return new Refusal({ code: 'unavailable', message, status: 503, cause });
}
