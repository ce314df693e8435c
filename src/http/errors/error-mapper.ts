import { HttpException } from '@nestjs/common';
import { isTransient, QueueFullError } from '../../platform/database/index.js';
import type { ErrorCode } from './error-codes.js';
import { ServiceError } from './service-error.js';

/** Fastify's own refusals (https://fastify.dev/docs/latest/Reference/Errors) under our codes. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
};

const STATUS_CODES: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
  503: 'unavailable',
};

function propertiesOf(error: unknown): { code?: unknown; statusCode?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}

/** Whatever was thrown, as a registered error. Pure: what to log of it is the filter's business. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  // A deadlock lost, or a lock that was waited for too long: the same request may well succeed.
  if (isTransient(error)) return new ServiceError('unavailable', { headers: { 'Retry-After': '1' } });
  if (error instanceof QueueFullError)
    return new ServiceError('overloaded', { headers: { 'Retry-After': '1' } });
  const { code, statusCode } = propertiesOf(error);
  if (typeof code === 'string' && FASTIFY_CODES[code] !== undefined)
    return new ServiceError(FASTIFY_CODES[code]);
  const status = error instanceof HttpException ? error.getStatus() : statusCode;
  if (typeof status !== 'number' || status < 400) return new ServiceError('internal_error');
  const known = STATUS_CODES[status];
  if (known !== undefined) return new ServiceError(known);
  return new ServiceError(status < 500 ? 'bad_request' : 'internal_error');
}
