import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestScope } from '../../platform/logging/index.js';
import { preciseNow, RequestTrace } from '../../platform/tracing/index.js';
import type { Tracing } from '../../platform/tracing/index.js';

/** https://opentelemetry.io/docs/specs/semconv/http/http-spans/: other methods are without number, and so are names of them. */
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
 * Begins the span of a request, which ends with the answer or the connection. Of its path it has the route's template
 * alone: what stands in paths and queries may be a token of a mail or the address of a person.
 */
export function traceRequest(
  tracing: Tracing,
  request: FastifyRequest,
  reply: FastifyReply,
  traceParent: string | null,
): RequestScope {
  const startedAt = preciseNow();
  const trace = RequestTrace.begin(tracing, traceParent);
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
  return {
    requestId: request.id,
    get traceParent() {
      return trace.traceParent;
    },
    trace,
  };
}
