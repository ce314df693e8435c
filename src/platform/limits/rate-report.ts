import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { RateState } from './rate.js';

const reported = new AsyncLocalStorage<Map<string, RateState>>();

/**
 * Tells callers what is left to them, in the fields `RateLimit-Policy` and `RateLimit` of every answer to a request
 * that was counted (draft-ietf-httpapi-ratelimit-headers-10).
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

  /** The last standing of each policy goes with the answer. Outside of a request, nothing. */
  add(standing: RateState): void {
    reported.getStore()?.set(standing.policy.setting, standing);
  }
}

/** Names and numbers are ours: there is nothing to escape in a string of a structured field (RFC 9651). */
function policyItem({ policy: { setting, quota, windowSecs } }: RateState): string {
  return `"${setting}";q=${quota};w=${windowSecs}`;
}

function stateItem({ policy, remaining, resetSecs }: RateState): string {
  const reset = resetSecs > 0 ? `;t=${resetSecs}` : '';
  return `"${policy.setting}";r=${remaining}${reset}`;
}
