import helmet from 'helmet';
import type { FastifyInstance } from 'fastify';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

// A page has a policy of its own.
const protect = helmet({ contentSecurityPolicy: false, xFrameOptions: { action: 'deny' } });

/** What Helmet sets on a response. None of it depends on the request, so one response tells it for all. */
function securityHeaders(): Readonly<Record<string, string>> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return response.getHeaders() as Record<string, string>;
}

/** What a page needs besides a `Content-Security-Policy`: it is shown, and may lead elsewhere. */
export const PAGE_HEADERS = securityHeaders();

/** What every response needs. It may contain tokens or personal data, and a browser may open it. */
export const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': PAGE_HEADERS['strict-transport-security'],
  'x-content-type-options': 'nosniff',
};

/** Gives every response its id and the headers of all; a route that may be cached, or shows a page, says so itself. */
export function setCommonHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(COMMON_HEADERS).header('x-request-id', request.id);
    done();
  });
}
