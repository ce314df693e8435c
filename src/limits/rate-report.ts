import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Origin } from '../http/index.js';
import type { RateState } from './rate.js';

/** By the origin of the request, for those that were counted. */
const reported = new WeakMap<Origin, Map<string, RateState>>();

/**
 * Reports to callers what remains of their limits, in the fields `RateLimit-Policy` and `RateLimit` of every response
 * to a counted request (draft-ietf-httpapi-ratelimit-headers-10).
 */
@Injectable()
export class RateReport {
  constructor(host: HttpAdapterHost<FastifyAdapter>) {
    const server = host.httpAdapter.getInstance();
    server.addHook('onSend', ({ origin }, reply, payload, done) => {
      const counted = origin === null ? undefined : reported.get(origin);
      if (counted !== undefined) {
        const states = [...counted.values()];
        void reply.header('RateLimit-Policy', states.map(policyItem).join(', '));
        void reply.header('RateLimit', states.map(stateItem).join(', '));
      }
      done(null, payload);
    });
  }

  /** Keeps the latest state of each policy for the response to the request from there. */
  add(origin: Origin, state: RateState): void {
    const counted = reported.get(origin) ?? new Map<string, RateState>();
    reported.set(origin, counted.set(state.policy.setting, state));
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
