import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../../platform/crypto/index.js';
import { errorBody, ServiceError } from './service-error.js';
import type { ErrorCode } from './error-codes.js';
import { HttpException } from '@nestjs/common';
import { isServerFault, isTransient, QueueFullError } from '../../platform/database/index.js';

/** Fastify's own refusals (https://fastify.dev/docs/latest/Reference/Errors) under our codes. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
};

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
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

/** Any thrown value, as a registered error. Pure: the filter decides what to log. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  // The server refused, or the request lost a deadlock or waited too long for a lock. The same request may well
  // succeed.
  if (isTransient(error) || isServerFault(error))
    return new ServiceError('unavailable', { headers: { 'Retry-After': '1' } });
  if (error instanceof QueueFullError)
    return new ServiceError('overloaded', { headers: { 'Retry-After': '1' } });
  const { code, statusCode } = propertiesOf(error);
  if (typeof code === 'string' && FASTIFY_CODES[code] !== undefined)
    return new ServiceError(FASTIFY_CODES[code]);
  const status = error instanceof HttpException ? error.getStatus() : statusCode;
  if (typeof status !== 'number' || status < 400) return new ServiceError('internal_error');
  const known = CODE_OF_STATUS[status];
  if (known !== undefined) return new ServiceError(known);
  return new ServiceError(status < 500 ? 'bad_request' : 'internal_error');
}

/** What Node's HTTP parser refuses, before there is a request (https://nodejs.org/api/http.html#event-clienterror). */
const PARSER_CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The headers of a response that is sent before any hook of the server runs. */
const EARLY_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/** Answers on a connection without a request, with the same error body as everywhere else, and closes it. */
function answerAlone(socket: Socket, refusal: ServiceError): void {
  const body = JSON.stringify(errorBody(refusal));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': newId(),
    ...EARLY_HEADERS,
    ...refusal.headers,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`;
  socket.write([status, ...lines, '', body].join('\r\n'));
  socket.destroySoon();
}

/** Answers bytes that are not HTTP. @returns the code of the answer, or null if the connection is already closed */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): ErrorCode | null {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return null;
  }
  const refusal = new ServiceError(PARSER_CODES[error.code ?? ''] ?? 'bad_request');
  answerAlone(socket, refusal);
  return refusal.code;
}

/** Answers CONNECT, which Node emits apart from other requests: this program is not a proxy. */
export function answerConnect(socket: Socket): void {
  answerAlone(socket, new ServiceError('method_not_allowed', { headers: { Allow: '' } }));
}
