import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../crypto/index.js';
import { errorBody } from './error-body.js';
import type { ErrorCode } from './error-codes.js';
import { ServiceError } from './service-error.js';

/** What Node's HTTP parser refuses before there is a request (https://nodejs.org/api/http.html#event-clienterror). */
const PARSER_CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers bytes that are not HTTP with the same error body as everything else, then closes. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = new ServiceError(PARSER_CODES[error.code ?? ''] ?? 'bad_request');
  const body = JSON.stringify(errorBody(refusal));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${newId()}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
