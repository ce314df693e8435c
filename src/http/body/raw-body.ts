import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { BodyKind } from './body-limits.js';
import { beforeRequestsOf } from './route-hooks.js';
import { ServiceError } from '../errors/service-error.js';

/** Stands in for whatever type a body has that is not to be parsed; no real one. */
const RAW_TYPE = 'application/x-service-raw';

interface RawRouteConfig {
  readonly takesRawBody?: boolean;
  readonly bodyKind?: BodyKind;
}

/** A body as it was received, whatever its type. Of GET and HEAD it is not read. */
export interface RawBody {
  readonly bytes: Buffer;
  /** `Content-Type` as it was sent; null where there was none. */
  readonly contentType: string | null;
}

const declaredTypes = new WeakMap<IncomingMessage, string>();

/** Gives a route the bytes of its body in place of what they say: a body of a type that is unknown or malformed, too. */
export function TakesRawBody(): MethodDecorator {
  return RouteConfig({ takesRawBody: true, bodyKind: 'payload' } satisfies RawRouteConfig);
}

function takesRawBody(config: object): boolean {
  return (config as RawRouteConfig).takesRawBody === true;
}

/** The body of a route that takes it raw. */
export const ReceivedBody = createParamDecorator((_: unknown, context: ExecutionContext): RawBody => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return { bytes, contentType: declaredTypes.get(request.raw) ?? null };
});

/** Raw bodies, each a payload, on the routes that ask for them. */
export function acceptRawBodies(server: FastifyInstance): void {
  // Before the parser is chosen by the type, and before a malformed type is refused.
  beforeRequestsOf(server, takesRawBody, ({ raw }) => {
    const { headers } = raw;
    if (headers['content-type'] !== undefined) declaredTypes.set(raw, headers['content-type']);
    const isEmpty =
      headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
    if (isEmpty) delete headers['content-type'];
    else headers['content-type'] = RAW_TYPE;
  });
  server.addContentTypeParser(RAW_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    if (takesRawBody(request.routeOptions.config)) done(null, body);
    else done(new ServiceError('unsupported_media_type'));
  });
}
