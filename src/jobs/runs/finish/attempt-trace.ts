import { attemptOf, parentContextOf, runAttributes } from '../../invoker/index.js';
import type { NamedRun, TracedRun } from '../../invoker/index.js';
import { preciseNow } from '../../../platform/tracing/index.js';
import type { Tracing } from '../../../platform/tracing/index.js';
import type { AttemptEnd } from '../model/attempt-end.js';

/**
 * Records the span of an attempt that ends now.
 *
 * @param startedAt milliseconds since 1970
 * @param isWritten false when the run was taken from its worker, which discards the outcome
 */
export function traceAttempt(
  tracing: Tracing,
  run: NamedRun & TracedRun,
  startedAt: number,
  { outcome, errorCode, statusCode, event, delayMs }: AttemptEnd,
  isWritten: boolean,
): void {
  tracing.record({
    context: attemptOf(tracing, run),
    parentSpanId: parentContextOf(tracing, run).spanId,
    name: `attempt ${run.jobId}`,
    kind: 'consumer',
    startedAt,
    endedAt: preciseNow(),
    attributes: {
      ...runAttributes(run),
      'service.run.attempt': run.attempt,
      'service.run.attempt.outcome': isWritten ? outcome : 'lost',
      'service.run.retry_delay_ms': event === 'failed with retries left' ? delayMs : null,
      'http.response.status_code': statusCode,
      'error.type': isWritten ? errorCode : 'lost',
    },
    hasFailed: !isWritten || errorCode !== null,
  });
}
