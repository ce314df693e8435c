import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ProgramLog, requestFields } from '../../platform/logging/index.js';
import { HttpMetrics } from '../../platform/metrics/index.js';
import { clientAddressOf } from './client-address.js';

/** Paths that probes and scrapers ask for all day; their answers are logged at `debug` only. */
const PROBED = /^\/(?:health|metrics)(?:\/|$)/;
/** The files of the console, and the renewal of its session. */
const OF_CONSOLE = /^\/console(?:\/|$)/;
const RENEWAL = '/console/session/refresh';

/**
 * Whether an open page of the console reads on and all is well: its lines would bury all others. What it changes, and what
 * it is refused, are lines like those of other programs. The header is what each request of the console carries.
 */
function isReadingOfConsole({ method, headers }: FastifyRequest, route: string, status: number): boolean {
  if (status >= 400) return false;
  if (method !== 'GET' && method !== 'HEAD') return route === RENEWAL;
  return OF_CONSOLE.test(route) || headers['x-service-console'] !== undefined;
}

/** One line and one measurement for each answered request: the route's template, never the values in it. */
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
