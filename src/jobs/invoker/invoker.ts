import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { MaybePromise } from '../../cache-invalidation/index.js';
import { RunTokenIssuer } from '../../identity/index.js';
import type { RunRights, TenantId } from '../../http/index.js';
import { isTransient } from '../../platform/database/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { OutboundClient, OutboundTimeoutError } from '../../platform/outbound/index.js';
import { traceHeadersOf, traceIdOf, Tracing } from '../../platform/tracing/index.js';
import { Tenancy } from '../../tenancy/index.js';
import { CallSigner } from '../signing/index.js';
import { CallSpan } from './call-span.js';
import { asFetched, classifyResponse, classifyFailure } from './handler-response.js';
import type { Answer } from './handler-response.js';
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
  /** Who set the run going, in visible ASCII. */
  readonly actor: string;
  /** What its token allows. */
  readonly rights: RunRights;
  /** `headers`: those of a webhook call that the handler gets. */
  readonly trigger: { readonly type: string; readonly headers?: Readonly<Record<string, string>> };
  /** `statuses`: those of answers that are retried; all but 2xx and 422 where they are absent. */
  readonly retryBackoff: { readonly statuses?: readonly number[] };
  /** JSON text, sent as it is. */
  readonly payload: string;
  /** The instant of the schedule that the run stands for. */
  readonly scheduledFor: Date | null;
  /** With the `tracestate`, as `keptTrace` writes both. */
  readonly traceParent: string | null;
}

/** Calls handlers over HTTP (jobs document, section 2, handler contract). */
@Injectable()
export class Invoker {
  constructor(
    private readonly handlers: Handlers,
    private readonly tokens: RunTokenIssuer,
    private readonly outbound: OutboundClient,
    private readonly signer: CallSigner,
    private readonly clock: Clock,
    private readonly tenancy: Tenancy,
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
    const { id, tenantId, handler, attempt, actor, rights, payload: body } = call;
    let isPrepared = false;
    try {
      // One after the other, so that nothing is left to fail unheard; nearly always all of it is in memory.
      const subject = { runId: id, attempt, tenantId, actor, ...rights };
      const token = await within(limit, this.tokens.issue(subject, call.timeoutMs));
      const message = { id, sentAt: this.clock.now(), body };
      const signature = await within(limit, this.signer.headersOf(message, tenantId));
      const tenant = await within(limit, this.tenancy.handlerHeaders(tenantId));
      const { url, isFunction } = await within(limit, this.handlers.destinationOf(handler, tenantId));
      const headers = { ...headersOf(call, token, span?.traceParent ?? null), ...tenant, ...signature };
      const timeoutMs = Math.max(limit.endsAt - performance.now(), 1);
      isPrepared = true;
      span?.begin(url, isFunction);
      const answer = await this.outbound.post({ url, body, timeoutMs, signal, headers });
      if (isFunction) await this.handlers.storeLines(id);
      return classifyResponse(
        isFunction ? asFetched(answer) : answer,
        this.clock.now(),
        call.retryBackoff.statuses,
      );
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

function tooLate(timeoutMs: number): OutboundTimeoutError {
  return new OutboundTimeoutError(`no complete answer within ${timeoutMs} ms`);
}

/** When a call ends: at an instant of `performance.now()`, or by the signal. */
interface CallLimit {
  readonly endsAt: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What `work` gives, unless the call ends first. The work itself goes on: a function that loads may serve the next. */
function within<Result>(limit: CallLimit, work: MaybePromise<Result>): MaybePromise<Result> {
  return work instanceof Promise ? before(limit, work) : work;
}

async function before<Result>(
  { endsAt, timeoutMs, signal }: CallLimit,
  work: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let end: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => {
      reject(tooLate(timeoutMs));
    };
    timer = setTimeout(end, endsAt - performance.now());
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    if (end !== undefined) signal.removeEventListener('abort', end);
    work.catch(() => undefined);
  }
}

function headersOf(call: HandlerCall, token: string, traceParent: string | null): Record<string, string> {
  return {
    ...forwarded(call.trigger.headers),
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'X-Service-Run-Id': call.id,
    'X-Service-Job-Id': call.jobId,
    'X-Service-Attempt': String(call.attempt),
    'X-Service-Trigger': call.trigger.type,
    'X-Service-Actor': call.actor,
    'Idempotency-Key': call.id,
    ...(call.scheduledFor === null ? {} : { 'X-Service-Scheduled-For': call.scheduledFor.toISOString() }),
    ...traceHeadersOf(call.traceParent ?? traceParentOf(call.id)),
    ...(traceParent === null ? {} : { traceparent: traceParent }),
  };
}

/**
 * The prefix keeps the headers of a stranger's call apart from ours, and from those that a proxy before the handler acts
 * on, such as `X-Forwarded-For`.
 */
function forwarded(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`X-Service-Webhook-${name}`, value]),
  );
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

/**
 * A `traceparent` for a call that is part of no trace yet: one trace for all attempts of the run, not sampled
 * (https://www.w3.org/TR/trace-context/#traceparent-header).
 */
export function traceParentOf(runId: string): string {
  // The random digits of a UUID, which Node generates in advance.
  const uuid = randomUUID();
  return `00-${traceIdOf(runId)}-${uuid.slice(0, 8)}${uuid.slice(-8)}-00`;
}
