import { formatTraceParent, newSpanId, preciseNow } from '../../platform/tracing/index.js';
import type { TraceContext, Tracing } from '../../platform/tracing/index.js';
import { isEndpoint } from './endpoint-url.js';
import type { Answer } from './handler-response.js';
import { attemptOf, runAttributes } from './run-trace.js';
import type { NamedRun, TracedRun } from './run-trace.js';

/** The span of a call to a handler, which continues the trace with it. */
export class CallSpan {
  private readonly attempt: TraceContext;
  private readonly context: TraceContext;
  private sent: { readonly at: number; readonly url: string; readonly isFunction: boolean } | null = null;

  constructor(
    private readonly tracing: Tracing,
    private readonly call: NamedRun & TracedRun & { readonly handler: string },
  ) {
    this.attempt = attemptOf(tracing, call);
    this.context = { ...this.attempt, spanId: newSpanId() };
  }

  get traceParent(): string {
    return formatTraceParent(this.context);
  }

  /** The span begins: all is there that the call needs. */
  begin(url: string, isFunction: boolean): void {
    this.sent = { at: preciseNow(), url, isFunction };
  }

  /** A call that was never sent has no span. Of the URL, it has the host: the rest may contain a secret. */
  end(answer: Answer): void {
    if (this.sent === null) return;
    const { at, url, isFunction } = this.sent;
    const { hostname, port, protocol } = new URL(url);
    const { statusCode } = answer;
    const error = errorOf(answer);
    this.tracing.record({
      context: this.context,
      parentSpanId: this.attempt.spanId,
      name: 'POST',
      kind: 'client',
      startedAt: at,
      endedAt: preciseNow(),
      attributes: {
        ...runAttributes(this.call),
        'service.run.attempt': this.call.attempt,
        'service.handler': isEndpoint(this.call.handler) ? hostname : this.call.handler,
        'service.handler.kind': isFunction ? 'function' : 'http',
        'http.request.method': 'POST',
        'http.response.status_code': statusCode,
        'server.address': hostname,
        'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
        'error.type': error,
      },
      hasFailed: error !== null,
    });
  }
}

/** What went wrong with the call, null for nothing: a handler that goes on after its answer has answered well. */
function errorOf(answer: Answer): string | null {
  switch (answer.kind) {
    case 'completed':
    case 'deferred':
      return null;
    case 'aborted':
      return answer.kind;
    case 'failed':
      return answer.statusCode === null ? answer.code : String(answer.statusCode);
  }
}
