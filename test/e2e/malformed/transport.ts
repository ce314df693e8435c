import { rawRequest } from '../../support/raw-http.js';
import { asOwner, askedByOwner, bearer, JSON_TYPE, posted } from './case.js';
import type { Ground, MalformedRequest } from './case.js';

function notFound(title: string, method: string, path: string): MalformedRequest {
  return { title, request: () => rawRequest(method, path), status: 404, code: 'not_found' };
}

function wrongMethod(method: string, path: string, allow: string): MalformedRequest {
  return {
    title: `${method} ${path}`,
    request: () => rawRequest(method, path),
    status: 405,
    code: 'method_not_allowed',
    allow,
  };
}

function badBytes(title: string, lines: string): MalformedRequest {
  return { title, request: () => Buffer.from(lines, 'latin1'), status: 400, code: 'bad_request' };
}

function inOrganization(ground: Ground, header: string): Buffer {
  return rawRequest('GET', '/auth/v1/permissions', [bearer(ground.accessToken), header]);
}

function foreign(title: string, reference: string): MalformedRequest {
  return {
    title,
    request: (ground) => inOrganization(ground, `X-Service-Org: ${reference}`),
    status: 403,
    code: 'not_a_member',
  };
}

/** Requests that are wrong before anyone looks into their body. */
function twice(header: string): string[] {
  return [`${header}: 1`, `${header.toLowerCase()}: 2`];
}

export const malformedTransport: readonly MalformedRequest[] = [
  notFound('an unknown path', 'GET', '/auth/v2/user'),
  notFound('an unknown path with a body', 'POST', '/nowhere'),
  notFound('a path outside the tree', 'GET', '/../../etc/passwd'),
  notFound('an encoded path outside the tree', 'GET', '/docs/..%2f..%2fetc%2fpasswd'),
  notFound('a path in other letters', 'GET', '/AUTH/V1/USER'),
  notFound('a doubled slash', 'GET', '//auth/v1/user'),
  wrongMethod('DELETE', '/auth/v1/signup', 'POST'),
  wrongMethod('PUT', '/jobs/v1/runs', 'GET, HEAD'),
  wrongMethod('PATCH', '/auth/v1/orgs', 'GET, HEAD, POST'),
  wrongMethod('POST', '/jobs/v1/runs/run_1', 'GET, HEAD'),
  wrongMethod('OPTIONS', '/auth/v1/user', 'GET, HEAD, PATCH, DELETE'),
  wrongMethod('TRACE', '/auth/v1/user', 'GET, HEAD, PATCH, DELETE'),
  wrongMethod('POST', '/health', 'GET, HEAD'),
  wrongMethod('PROPFIND', '/auth/v1/user', 'GET, HEAD, PATCH, DELETE'),
  {
    title: 'CONNECT',
    request: () => rawRequest('CONNECT', 'example.com:443'),
    status: 405,
    code: 'method_not_allowed',
  },
  {
    title: 'a broken percent escape in the path',
    request: (ground) => askedByOwner(ground, '/jobs/v1/runs/%zz'),
    status: 400,
    code: 'bad_request',
  },
  {
    title: 'an escape that is no UTF-8',
    request: (ground) => askedByOwner(ground, '/jobs/v1/runs/%ff'),
    status: 400,
    code: 'bad_request',
  },
  {
    title: 'an escaped NUL in the path',
    request: (ground) => askedByOwner(ground, '/jobs/v1/runs/run%00'),
    status: 400,
    code: 'validation_failed',
    paths: ['id'],
  },
  {
    title: 'a very long part of a path',
    request: (ground) => askedByOwner(ground, `/jobs/v1/runs/${'r'.repeat(5000)}`),
    status: 414,
    code: 'uri_too_long',
  },
  {
    title: 'SQL in a path',
    request: (ground) => askedByOwner(ground, `/jobs/v1/runs/${encodeURIComponent("' OR '1'='1")}`),
    status: 404,
    code: 'run_not_found',
  },
  {
    title: 'headers of 40 KB',
    request: () => rawRequest('GET', '/health', [`X-Filler: ${'f'.repeat(40_000)}`]),
    status: 431,
    code: 'headers_too_large',
  },
  {
    title: 'a NUL in a header',
    request: (ground) => inOrganization(ground, `X-Service-Org: ac\0me`),
    status: 400,
    code: 'bad_request',
  },
  {
    title: 'a space before the colon of a header',
    request: (ground) => inOrganization(ground, 'X-Service-Org : acme'),
    status: 400,
    code: 'bad_request',
  },
  badBytes('bytes that are not HTTP', 'hello\r\n\r\n'),
  badBytes('the handshake of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  badBytes('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  badBytes('a method in small letters', 'get /health HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  badBytes('a request without Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'),
  badBytes('a length that is no number', 'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1x\r\n\r\n'),
  badBytes(
    'two lengths that differ',
    'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
  ),
  badBytes(
    'a length beside chunks',
    'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ),
  badBytes(
    'a chunk whose size is no number',
    'POST /auth/v1/signup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
      'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  ),
  {
    title: 'a length that is shorter than the body',
    request: () => posted('/auth/v1/signup', '{"email":"a@example.com"}', [JSON_TYPE, 'Content-Length: 5']),
    status: 400,
    code: 'bad_request',
  },
  {
    title: 'two Host headers',
    request: () => rawRequest('GET', '/health', ['Host: elsewhere']),
    status: 400,
    code: 'repeated_header',
  },
  {
    title: 'two X-Service-Org headers',
    request: (ground) =>
      rawRequest('GET', '/auth/v1/permissions', [...asOwner(ground), `X-Service-Org: ${ground.slug}`]),
    status: 400,
    code: 'repeated_header',
  },
  {
    title: 'two Idempotency-Key headers',
    request: (ground) =>
      rawRequest('POST', '/jobs/v1/jobs/none/trigger', [...asOwner(ground), ...twice('Idempotency-Key')]),
    status: 400,
    code: 'repeated_header',
  },
  {
    title: 'two Last-Event-ID headers',
    request: (ground) => rawRequest('GET', '/jobs/v1/logs', [...asOwner(ground), ...twice('Last-Event-ID')]),
    status: 400,
    code: 'repeated_header',
  },
  {
    title: 'two X-API-Key headers',
    request: () => rawRequest('GET', '/auth/v1/user', ['X-API-Key: a', 'x-api-key: b']),
    status: 400,
    code: 'repeated_header',
  },
  foreign('the slug of an unknown organization', 'nobody-has-this'),
  foreign('the id of an unknown organization', '019AA3C0-7D7B-7C11-9A52-0C7C2F2F3C11'),
  foreign('an organization named by SQL', "' OR '1'='1"),
  foreign('an organization named by a list', 'acme, acme'),
  foreign('an organization named by bytes that are no text', '\xff\xfe'),
];
