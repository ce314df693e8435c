import { Injectable } from '@nestjs/common';
import { isTransient } from '../../platform/database/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { OutboundTimeoutError } from '../../platform/outbound/index.js';
import { Tracing } from '../../platform/tracing/index.js';
import { tooLate } from './call-limit.js';
import { CallSpan } from './call-span.js';
import { EndpointRequests, SigningSecretError } from './endpoint-requests.js';
import { isEndpoint } from './endpoint-url.js';
import { FunctionLoadError, FunctionNotFoundError } from './function-host/index.js';
import type { HandlerCall } from './handler-call.js';
import { HandlerRequests } from './handler-requests.js';
import { asFetched, classifyFailure, classifyResponse } from './handler-response.js';
import type { Answer } from './handler-response.js';
import { HandlerNotFoundError, Handlers } from './handlers.js';

/** Calls handlers over HTTP (jobs document, section 2, handler contract). */
@Injectable()
export class Invoker {
  constructor(
    private readonly handlers: Handlers,
    private readonly ofHandlers: HandlerRequests,
    private readonly ofEndpoints: EndpointRequests,
    private readonly clock: Clock,
    private readonly tracing: Tracing,
  ) {}

  /** Never throws: whatever happens is an answer. The time limit is for all of it, a function's loading included. */
  async call(call: HandlerCall, signal: AbortSignal): Promise<Answer> {
    if (!this.tracing.isOn) return await this.exchange(call, signal, null);
    const span = new CallSpan(this.tracing, call);
    const answer = await this.exchange(call, signal, span);
    span.end(answer);
    return answer;
  }

  private async exchange(call: HandlerCall, signal: AbortSignal, span: CallSpan | null): Promise<Answer> {
    const limit = { endsAt: performance.now() + call.timeoutMs, timeoutMs: call.timeoutMs, signal };
    let isPrepared = false;
    try {
      const { client, url, headers, isFunction, mayDefer } = isEndpoint(call.handler)
        ? await this.ofEndpoints.prepare(call, limit)
        : await this.ofHandlers.prepare(call, limit, span?.traceParent ?? null);
      const timeoutMs = Math.max(limit.endsAt - performance.now(), 1);
      isPrepared = true;
      span?.begin(url, isFunction);
      const answer = await client.post({ url, body: call.payload, timeoutMs, signal, headers });
      if (isFunction) await this.handlers.storeLines(call.id);
      const read = isFunction ? asFetched(answer) : answer;
      return classifyResponse(read, this.clock.now(), { retried: call.retryBackoff.statuses, mayDefer });
    } catch (error) {
      if (signal.aborted) return { kind: 'aborted', statusCode: null, message: 'the call was ended' };
      // The handler is not at fault, and its owner need not know what the database said.
      if (!isPrepared && isTransient(error))
        return { kind: 'aborted', statusCode: null, message: UNPREPARED };
      if (error instanceof OutboundTimeoutError) return classifyFailure(tooLate(call.timeoutMs));
      return unresolved(error) ?? classifyFailure(error);
    }
  }
}

/** Why an attempt is interrupted without a call. */
export const UNPREPARED = 'the database was unavailable before the handler was called';

function unresolved(error: unknown): Answer | null {
  const base = { kind: 'failed', statusCode: null, retryable: true, retryAfterMs: null } as const;
  if (error instanceof HandlerNotFoundError || error instanceof FunctionNotFoundError)
    return { ...base, code: 'handler_not_found', message: error.message };
  if (error instanceof SigningSecretError)
    return { ...base, code: 'signing_secret_missing', message: error.message };
  return error instanceof FunctionLoadError
    ? { ...base, code: 'handler_error', message: error.message }
    : null;
}
