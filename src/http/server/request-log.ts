import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ProgramLog, requestFields } from '../../platform/logging/index.js';
import { HttpMetrics } from '../../platform/metrics/index.js';
import { clientAddressOf } from './client-address.js';

/** Paths that probes and scrapers request all day. Their responses are logged at `debug`. */
const PROBED = /^\/(?:health|metrics)(?:\/|$)/;
/** The files of the console, and the renewal of its session. */
const OF_CONSOLE = /^\/console(?:\/|$)/;
const RENEWAL = '/console/session/refresh';

/**
 * Whether an open page of the console is only reading, and successfully: these lines would bury all others. Its changes
 * and refused requests are logged like those of other programs. Each request of the console carries this header.
 */
function isReadingOfConsole({ method, headers }: FastifyRequest, route: string, status: number): boolean {
  if (status >= 400) return false;
  if (method !== 'GET' && method !== 'HEAD') return route === RENEWAL;
  return OF_CONSOLE.test(route) || headers['x-service-console'] !== undefined;
}

/** Writes one line and one measurement for each response: with the route's template, never with its values. */
@Injectable()
export class RequestLog {
  constructor(host: HttpAdapterHost<FastifyAdapter>, log: ProgramLog, metrics: HttpMetrics) {
    host.httpAdapter.getInstance().addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? '(no route)';
      const milliseconds = reply.elapsedTime;
      metrics.answered(request.method, route, reply.statusCode, milliseconds / 1000);
      done();
      if (!log.isLogged('info')) return;
      const isQuiet = PROBED.test(route) || isReadingOfConsole(request, route, reply.statusCode);
      log.event(isQuiet ? 'debug' : 'info', 'request', {
        ...requestFields(request),
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(milliseconds * 10) / 10,
        ip: clientAddressOf(request),
      });
    });
  }
}
