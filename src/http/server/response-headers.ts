import helmet from 'helmet';
import type { FastifyInstance } from 'fastify';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // The documentation page styles itself inline and shows its logo as a data URL.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** What Helmet sets on a response. None of it depends on the request, so one response tells it for all. */
function securityHeaders(): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return response.getHeaders() as Record<string, string>;
}

/** Gives every response its id, the security headers, and `no-store`; a route that may be cached says so itself. */
export function setCommonHeaders(server: FastifyInstance): void {
  // Responses may contain tokens or personal data.
  const common = { ...securityHeaders(), 'cache-control': 'no-store' };
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(common).header('x-request-id', request.id);
    done();
  });
}
