import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { keptTrace, preciseNow, RequestTrace } from '../../platform/tracing/index.js';
import type { Tracing } from '../../platform/tracing/index.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where no spans are recorded. */
    trace: RequestTrace | null;
  }
}

/**
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/: there is no limit to other methods, so their names
 * could not be bounded.
 */
const KNOWN_METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'QUERY',
]);

/**
 * Begins the span of a request. It ends with the response or the connection. Of the path it has only the route's
 * template: paths and queries may contain the token of a mail or a person's address.
 */
export function traceRequest(tracing: Tracing, request: FastifyRequest, reply: FastifyReply): void {
  const startedAt = preciseNow();
  const trace = RequestTrace.begin(tracing, keptTrace(request.headers));
  request.trace = trace;
  reply.raw.once('close', () => {
    const method = KNOWN_METHODS.has(request.method) ? request.method : null;
    const route = request.routeOptions.url ?? null;
    const status = reply.raw.headersSent ? reply.raw.statusCode : null;
    const hasFailed = (status ?? 0) >= 500;
    const name = method ?? 'HTTP';
    tracing.record({
      context: trace.context,
      parentSpanId: trace.parentSpanId,
      name: route === null ? name : `${name} ${route}`,
      kind: 'server',
      startedAt,
      endedAt: preciseNow(),
      attributes: {
        'http.request.method': method ?? '_OTHER',
        'http.route': route,
        'http.response.status_code': status,
        'url.scheme': request.protocol,
        'error.type': hasFailed ? String(status) : null,
        'service.request.id': request.id,
      },
      hasFailed,
    });
  });
}

/** The W3C trace context for the handlers of what the request starts, as `keptTrace` writes it; null without one. */
export function traceParentOf({ trace, headers }: FastifyRequest): string | null {
  return trace === null ? keptTrace(headers) : trace.traceParent;
}

export const TraceParent = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  traceParentOf(context.getArgByIndex<FastifyRequest>(0)),
);
