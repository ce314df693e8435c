import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { METHODS } from 'node:http';
import { ServiceError } from '../errors/service-error.js';
import { beforeRequestsOf } from './route-hooks.js';

/** Stands in for whatever type a body has that is not to be read; no real one. */
const UNREAD_TYPE = 'application/x-service-unread';

interface UnreadRouteConfig {
  readonly leavesBodyUnread?: boolean;
  /** Of @fastify/cors. */
  readonly cors?: false;
}

/**
 * For a route that a reverse proxy asks about a request of its client, in that request's words: a body, of whatever type
 * and size, is not read, and an OPTIONS is judged like every other method. As a preflight it would be answered with 204,
 * which is the word for who may pass.
 */
export function AnswersSubRequests(): MethodDecorator {
  return RouteConfig({ leavesBodyUnread: true, cors: false } satisfies UnreadRouteConfig);
}

function leavesBodyUnread(config: object): boolean {
  return (config as UnreadRouteConfig).leavesBodyUnread === true;
}

/** Lets routes for any method answer those, too, that Fastify does not know by itself. */
export function knowEveryMethod(server: FastifyInstance): void {
  // CONNECT asks for a tunnel, and never comes to a route.
  const unknown = METHODS.filter(
    (method) => method !== 'CONNECT' && !server.supportedMethods.includes(method),
  );
  for (const method of unknown) server.addHttpMethod(method, { hasBody: true });
}

/** Leaves bodies unread on the routes that ask for it. Node discards them once the answer is sent. */
export function leaveBodiesUnread(server: FastifyInstance): void {
  // Before the parser is chosen by the type, and before a malformed or missing type is refused.
  beforeRequestsOf(server, leavesBodyUnread, ({ raw }) => {
    raw.headers['content-type'] = UNREAD_TYPE;
    delete raw.headers['content-encoding'];
  });
  server.addContentTypeParser(UNREAD_TYPE, (request, _stream, done) => {
    if (leavesBodyUnread(request.routeOptions.config)) done(null);
    else done(new ServiceError('unsupported_media_type'));
  });
}
