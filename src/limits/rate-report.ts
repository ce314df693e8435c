import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { RateState } from './rate.js';

const reported = new AsyncLocalStorage<Map<string, RateState>>();

/**
 * Reports to callers what remains of their limits, in the fields `RateLimit-Policy` and `RateLimit` of every response
 * to a counted request (draft-ietf-httpapi-ratelimit-headers-10).
 */
@Injectable()
export class RateReport {
  constructor(host: HttpAdapterHost<FastifyAdapter>) {
    const server = host.httpAdapter.getInstance();
    server.addHook('onRequest', (_request, _reply, done) => {
      reported.run(new Map(), done);
    });
    server.addHook('onSend', (_request, reply, payload, done) => {
      const states = [...(reported.getStore()?.values() ?? [])];
      if (states.length > 0) {
        void reply.header('RateLimit-Policy', states.map(policyItem).join(', '));
        void reply.header('RateLimit', states.map(stateItem).join(', '));
      }
      done(null, payload);
    });
  }

  /** Keeps the latest state of each policy for the response. Does nothing outside a request. */
  add(state: RateState): void {
    reported.getStore()?.set(state.policy.setting, state);
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
