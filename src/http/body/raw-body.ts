import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { BodyKind } from './body-limits.js';
import { beforeRequestsOf } from './route-hooks.js';
import { ServiceError } from '../errors/service-error.js';

/** Replaces the type of a body that must not be parsed. It is not a real type. */
const RAW_TYPE = 'application/x-service-raw';

interface RawRouteConfig {
  readonly takesRawBody?: boolean;
  readonly bodyKind?: BodyKind;
}

/** A body as it was received, whatever its type. The body of a GET or HEAD request is not read. */
export interface RawBody {
  readonly bytes: Buffer;
  /** `Content-Type` as the client sent it; null without one. */
  readonly contentType: string | null;
}

const declaredTypes = new WeakMap<IncomingMessage, string>();

/** Gives a route the bytes of its body instead of a parsed value. The body's type may be unknown or malformed. */
export function TakesRawBody(): MethodDecorator {
  return RouteConfig({ takesRawBody: true, bodyKind: 'payload' } satisfies RawRouteConfig);
}

function takesRawBody(config: object): boolean {
  return (config as RawRouteConfig).takesRawBody === true;
}

/** The body of a route that takes it unparsed. */
export const ReceivedBody = createParamDecorator((_: unknown, context: ExecutionContext): RawBody => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return { bytes, contentType: declaredTypes.get(request.raw) ?? null };
});

/** Reads raw bodies, each of them a payload, on the routes that ask for them. */
export function acceptRawBodies(server: FastifyInstance): void {
  // Before Fastify chooses a parser by the type, and before it refuses a malformed type.
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
