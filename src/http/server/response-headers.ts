import helmet from 'helmet';
import type { FastifyInstance } from 'fastify';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

// A page has its own policy.
const protect = helmet({ contentSecurityPolicy: false, xFrameOptions: { action: 'deny' } });

/** The headers that Helmet sets. None depends on the request, so they are read from one response. */
function securityHeaders(): Readonly<Record<string, string>> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return response.getHeaders() as Record<string, string>;
}

/** What a page needs besides a `Content-Security-Policy`: a browser displays it, and it may link to other sites. */
export const PAGE_HEADERS = securityHeaders();

/** What every response needs. It may contain tokens or personal data, and a browser may open it. */
export const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': PAGE_HEADERS['strict-transport-security'],
  'x-content-type-options': 'nosniff',
};

/**
 * Gives every response its id and the common headers. A route that may be cached, or that shows a page, overrides them.
 */
export function setCommonHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(COMMON_HEADERS).header('x-request-id', request.id);
    done();
  });
}
