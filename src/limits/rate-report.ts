import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { requestScope } from '../platform/logging/index.js';
import type { RequestScope } from '../platform/logging/index.js';
import type { RateState } from './rate.js';

/** By request, for those that were counted. A second AsyncLocalStorage would cost every promise of the process. */
const reported = new WeakMap<RequestScope, Map<string, RateState>>();

/**
 * Reports to callers what remains of their limits, in the fields `RateLimit-Policy` and `RateLimit` of every response
 * to a counted request (draft-ietf-httpapi-ratelimit-headers-10).
 */
@Injectable()
export class RateReport {
  constructor(host: HttpAdapterHost<FastifyAdapter>) {
    const server = host.httpAdapter.getInstance();
    server.addHook('onSend', (_request, reply, payload, done) => {
      const scope = requestScope.getStore();
      const counted = scope === undefined ? undefined : reported.get(scope);
      if (counted !== undefined) {
        const states = [...counted.values()];
        void reply.header('RateLimit-Policy', states.map(policyItem).join(', '));
        void reply.header('RateLimit', states.map(stateItem).join(', '));
      }
      done(null, payload);
    });
  }

  /** Keeps the latest state of each policy for the response. Does nothing outside a request. */
  add(state: RateState): void {
    const scope = requestScope.getStore();
    if (scope === undefined) return;
    const counted = reported.get(scope) ?? new Map<string, RateState>();
    reported.set(scope, counted.set(state.policy.setting, state));
  }
}

/** Setting names and numbers need no escaping in a string of a structured field (RFC 9651). */
function policyItem({ policy: { setting, quota, windowSecs } }: RateState): string {
  return `"${setting}";q=${quota};w=${windowSecs}`;
}

function stateItem({ policy, remaining, resetSecs }: RateState): string {
  const reset = resetSecs > 0 ? `;t=${resetSecs}` : '';
  return `"${policy.setting}";r=${remaining}${reset}`;
}
