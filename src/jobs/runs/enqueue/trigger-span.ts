import { runAttributes } from '../../invoker/index.js';
import type { Tracing } from '../../../platform/tracing/index.js';
import { preciseNow } from '../../../platform/tracing/index.js';
import type { NewRun } from '../model/run.js';

/** The span that begins the trace of a run which no request set going: a schedule, a change of a row, an event, a bulk retry. */
export function recordTrigger(tracing: Tracing, run: NewRun, startedAt: number): void {
  tracing.record({
    context: tracing.traceOf(run.id),
    parentSpanId: null,
    name: `trigger ${run.jobId}`,
    kind: 'producer',
    startedAt,
    endedAt: preciseNow(),
    attributes: {
      ...runAttributes(run),
      'service.run.scheduled_for': run.scheduledFor?.toISOString() ?? null,
      'service.run.retry_of': run.retryOf,
    },
    hasFailed: false,
  });
}
