import type { TenantId } from '../../http/index.js';
import { parseTraceParent, spanIdOf, traceHeadersOf } from '../../platform/tracing/index.js';
import type { SpanAttributes, TraceContext, Tracing } from '../../platform/tracing/index.js';

/** A run, as far as its trace goes. */
export interface TracedRun {
  readonly id: string;
  readonly attempt: number;
  readonly traceParent: string | null;
}

/** The span that set the run going: of the request, or the one that begins the run's own trace. */
export function parentContextOf(
  tracing: Tracing,
  { id, traceParent }: Omit<TracedRun, 'attempt'>,
): TraceContext {
  const header = traceParent === null ? null : traceHeadersOf(traceParent).traceparent;
  return parseTraceParent(header) ?? tracing.traceOf(id);
}

/** The span of an attempt. Its id follows from the run's, so that every instance knows it. */
export function attemptOf(tracing: Tracing, run: TracedRun): TraceContext {
  return { ...parentContextOf(tracing, run), spanId: spanIdOf(run.id, run.attempt) };
}

/** What all spans of a run name. */
export interface NamedRun {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly trigger: { readonly type: string };
}

export function runAttributes(run: NamedRun): SpanAttributes {
  return {
    'service.tenant.id': run.tenantId,
    'service.job.id': run.jobId,
    'service.run.id': run.id,
    'service.run.trigger': run.trigger.type,
  };
}
