import { Catch, NotFoundException } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProgramLog, requestFields } from '../../platform/logging/index.js';
import { RefusalMetrics } from '../../platform/metrics/index.js';
import { challengeHeader } from './challenge.js';
import { errorBody, ServiceError } from '../errors/service-error.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { toServiceError } from '../errors/error-mapper.js';
import { MethodsByPath } from '../errors/methods-by-path.js';

/**
 * Refusals because of a limit, a policy, a size or a duration. Many of them mean an attack, or a limit that is too low.
 */
const COUNTED: readonly ErrorCode[] = [
  'email_not_verified',
  'headers_too_large',
  'limit_reached',
  'misdirected_request',
  'overloaded',
  'payload_too_large',
  'rate_limited',
  'request_timeout',
  'run_token_not_allowed',
  'sign_up_closed',
  'uri_too_long',
  'weak_password',
];

/** Whether the client disconnected during its request. This is not our fault, and nobody reads the response. */
function wasCutOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** The only code that turns an error into HTTP. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: ProgramLog,
    private readonly methodsByPath: MethodsByPath,
    private readonly metrics: RefusalMetrics,
  ) {
    metrics.expect(COUNTED);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = wasCutOff(request)
      ? new ServiceError('bad_request')
      : this.refine(toServiceError(thrown), thrown, request);
    if (error.status >= 500 && error !== thrown)
      this.log.failure(`request answered ${error.status}`, thrown, {
        context: ErrorFilter.name,
        ...requestFields(request),
      });
    this.metrics.refused(error.code);
    // A stream that has begun cannot become an error response. Ending it tells the client that it is incomplete.
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    const headers = { ...challengeHeader(error, request), ...error.headers };
    void reply.status(error.status).headers(headers).send(errorBody(error));
  }

  private refine(error: ServiceError, thrown: unknown, request: FastifyRequest): ServiceError {
    if (error.code === 'internal_error') {
      return new ServiceError('internal_error', {
        hint: `Quote request id ${request.id} when you report this.`,
      });
    }
    // From the router: no route has this method and path.
    if (!(thrown instanceof NotFoundException)) return error;
    const allowed = this.methodsByPath.allowed(request.url);
    // Under a wildcard, such as that of the documentation's files, the method may be right and the file missing.
    if (allowed.length === 0 || allowed.includes(request.method)) return error;
    return new ServiceError('method_not_allowed', {
      hint: `Use ${allowed.join(' or ')}.`,
      headers: { Allow: allowed.join(', ') },
    });
  }
}
