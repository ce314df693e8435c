import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { ProgramLog } from '../../platform/logging/index.js';
import { HttpMetrics } from '../../platform/metrics/index.js';
import { clientAddressOf } from './client-address.js';

/** Paths that probes and scrapers ask for all day; their answers are logged at `debug` only. */
const PROBED = /^\/(?:health|metrics)(?:\/|$)/;

/** One line and one measurement for each answered request: the route's template, never the values in it. */
@Injectable()
export class RequestLog {
  constructor(host: HttpAdapterHost<FastifyAdapter>, log: ProgramLog, metrics: HttpMetrics) {
    host.httpAdapter.getInstance().addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? '(no route)';
      const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
      metrics.answered(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
      log.event(PROBED.test(route) ? 'debug' : 'info', 'request', {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: milliseconds,
        ip: clientAddressOf(request),
      });
      done();
    });
  }
}
