import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { METHODS } from 'node:http';
import { ServiceError } from '../errors/service-error.js';
import { beforeRequestsOf } from './route-hooks.js';

/** Replaces the type of a body that must not be read. It is not a real type. */
const UNREAD_TYPE = 'application/x-service-unread';

interface UnreadRouteConfig {
  readonly leavesBodyUnread?: boolean;
  /** Declared by @fastify/cors. */
  readonly cors?: false;
}

/**
 * For a route that a reverse proxy calls with its client's method and headers. The body is not read, whatever its type
 * and size, and OPTIONS is decided like every other method: as a preflight it would get 204, which means that the
 * request may pass.
 */
export function AnswersSubRequests(): MethodDecorator {
  return RouteConfig({ leavesBodyUnread: true, cors: false } satisfies UnreadRouteConfig);
}

function leavesBodyUnread(config: object): boolean {
  return (config as UnreadRouteConfig).leavesBodyUnread === true;
}

/** Lets routes for any method also answer methods that Fastify does not know. */
export function knowEveryMethod(server: FastifyInstance): void {
  // CONNECT requests a tunnel and never reaches a route.
  const unknown = METHODS.filter(
    (method) => method !== 'CONNECT' && !server.supportedMethods.includes(method),
  );
  for (const method of unknown) server.addHttpMethod(method, { hasBody: true });
}

/** Leaves bodies unread on the routes that ask for it. Node discards them after the response. */
export function leaveBodiesUnread(server: FastifyInstance): void {
  // Before Fastify chooses a parser by the type, and before it refuses a malformed or missing type.
  beforeRequestsOf(server, leavesBodyUnread, ({ raw }) => {
    raw.headers['content-type'] = UNREAD_TYPE;
    delete raw.headers['content-encoding'];
  });
  server.addContentTypeParser(UNREAD_TYPE, (request, _stream, done) => {
    if (leavesBodyUnread(request.routeOptions.config)) done(null);
    else done(new ServiceError('unsupported_media_type'));
  });
}
