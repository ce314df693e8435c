import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { RunTokenIssuer } from '../../identity/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { OutboundClient } from '../../platform/outbound/index.js';
import { traceHeadersOf, traceIdOf } from '../../platform/tracing/index.js';
import { Tenancy } from '../../tenancy/index.js';
import { CallSigner } from '../signing/index.js';
import { within } from './call-limit.js';
import type { CallLimit } from './call-limit.js';
import type { HandlerCall, PreparedCall } from './handler-call.js';
import { Handlers } from './handlers.js';

/** Prepares calls to the handlers of the deployment, with a token for the run. */
@Injectable()
export class HandlerRequests {
  constructor(
    private readonly handlers: Handlers,
    private readonly tokens: RunTokenIssuer,
    private readonly outbound: OutboundClient,
    private readonly signer: CallSigner,
    private readonly clock: Clock,
    private readonly tenancy: Tenancy,
  ) {}

  /**
   * One step after the other, so that nothing is left to fail unheard; nearly always all of it is in memory.
   *
   * @param traceParent of the span of the call; null without one
   * @throws HandlerNotFoundError; what the function host says of a function that does not load
   */
  async prepare(call: HandlerCall, limit: CallLimit, traceParent: string | null): Promise<PreparedCall> {
    const { id, tenantId, handler, attempt, actor, rights, payload: body } = call;
    const subject = { runId: id, attempt, tenantId, actor, ...rights };
    const token = await within(limit, this.tokens.issue(subject, call.timeoutMs));
    const message = { id, sentAt: this.clock.now(), body };
    const signature = await within(limit, this.signer.headersOf(message, tenantId));
    const tenant = await within(limit, this.tenancy.handlerHeaders(tenantId));
    const { url, isFunction } = await within(limit, this.handlers.destinationOf(handler, tenantId));
    const headers = { ...headersOf(call, token, traceParent), ...tenant, ...signature };
    return { client: this.outbound, url, headers, isFunction, mayDefer: true };
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

/**
 * A `traceparent` for a call that is part of no trace yet: one trace for all attempts of the run, not sampled
 * (https://www.w3.org/TR/trace-context/#traceparent-header).
 */
export function traceParentOf(runId: string): string {
  // The random digits of a UUID, which Node generates in advance.
  const uuid = randomUUID();
  return `00-${traceIdOf(runId)}-${uuid.slice(0, 8)}${uuid.slice(-8)}-00`;
}
