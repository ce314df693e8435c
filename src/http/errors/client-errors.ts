import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../../platform/crypto/index.js';
import { errorBody, ServiceError } from './service-error.js';
import type { ErrorCode } from './error-codes.js';

/** What Node's HTTP parser refuses before there is a request (https://nodejs.org/api/http.html#event-clienterror). */
const PARSER_CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The headers of an answer that is made before any hook of the server runs. */
export const EARLY_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/** Answers on a connection that has no request, with the same error body as everything else, then closes it. */
function answerAlone(socket: Duplex, refusal: ServiceError): void {
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
  socket.end([status, ...lines, '', body].join('\r\n'));
}

/** Answers bytes that are not HTTP. @returns the code of the answer, or null when nobody is left to answer */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): ErrorCode | null {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return null;
  }
  const refusal = new ServiceError(PARSER_CODES[error.code ?? ''] ?? 'bad_request');
  answerAlone(socket, refusal);
  return refusal.code;
}

/** Answers CONNECT, which Node keeps out of the ordinary way of a request: this is no proxy. */
export function answerConnect(socket: Duplex): void {
  answerAlone(socket, new ServiceError('method_not_allowed', { headers: { Allow: '' } }));
}
