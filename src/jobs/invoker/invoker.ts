import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../platform/http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { OutboundClient } from '../../platform/outbound/index.js';
import { CallSigner } from '../signing/index.js';
import { judge, judgeFailure } from './answer.js';
import type { Answer } from './answer.js';
import { FunctionLoadError, FunctionNotFoundError } from './function-host/index.js';
import { HandlerNotFoundError, Handlers } from './handlers.js';

/** One call to a handler. */
export interface HandlerCall {
  /** The run's id; stable over its attempts. */
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly handler: string;
  readonly attempt: number;
  readonly timeoutMs: number;
  readonly trigger: { readonly type: string };
  /** JSON text, sent as it is. */
  readonly payload: string;
  /** The instant of the schedule that the run stands for. */
  readonly scheduledFor: Date | null;
  readonly traceParent: string | null;
}

/** Calls handlers over HTTP (jobs document, section 2, handler contract). */
@Injectable()
export class Invoker {
  constructor(
    private readonly handlers: Handlers,
    private readonly outbound: OutboundClient,
    private readonly signer: CallSigner,
    private readonly clock: Clock,
  ) {}

  /** Never throws: whatever happens is an answer. */
  async call(call: HandlerCall, signal: AbortSignal): Promise<Answer> {
    try {
      const url = await this.handlers.urlOf(call.handler, call.tenantId);
      const { payload: body, timeoutMs } = call;
      const message = { id: call.id, sentAt: this.clock.now(), body };
      const headers = { ...headersOf(call), ...(await this.signer.headersOf(message, call.tenantId)) };
      const answer = await this.outbound.post({ url, body, timeoutMs, signal, headers });
      return judge(answer, this.clock.now());
    } catch (error) {
      if (signal.aborted) return { kind: 'aborted', statusCode: null, message: 'the call was ended' };
      return unresolved(error) ?? judgeFailure(error);
    }
  }
}

function headersOf(call: HandlerCall): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'X-Service-Run-Id': call.id,
    'X-Service-Job-Id': call.jobId,
    'X-Service-Attempt': String(call.attempt),
    'X-Service-Trigger': call.trigger.type,
    'X-Service-Org': call.tenantId,
    'Idempotency-Key': call.id,
    ...(call.scheduledFor === null ? {} : { 'X-Service-Scheduled-For': call.scheduledFor.toISOString() }),
    ...(call.traceParent === null ? {} : { traceparent: call.traceParent }),
  };
}

function unresolved(error: unknown): Answer | null {
  const base = { kind: 'failed', statusCode: null, retryable: true, retryAfterMs: null } as const;
  if (error instanceof HandlerNotFoundError || error instanceof FunctionNotFoundError) {
    return { ...base, code: 'handler_not_found', message: error.message };
  }
  return error instanceof FunctionLoadError
    ? { ...base, code: 'handler_error', message: error.message }
    : null;
}
