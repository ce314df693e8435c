import { parentContextOf, runAttributes } from '../../invoker/index.js';
import { newSpanId, preciseNow } from '../../../platform/tracing/index.js';
import type { Tracing } from '../../../platform/tracing/index.js';
import { traceAttempt } from '../finish/attempt-trace.js';
import type { AttemptEnd } from '../model/attempt-end.js';
import type { ClaimedRun } from '../model/run.js';

/** The span of an attempt, from its claim until its end is written; and, before it, that of the wait for it. */
export class AttemptSpan {
  private readonly startedAt = preciseNow();

  constructor(
    private readonly tracing: Tracing,
    private readonly run: ClaimedRun,
  ) {
    const parent = parentContextOf(tracing, run);
    tracing.record({
      context: { ...parent, spanId: newSpanId() },
      parentSpanId: parent.spanId,
      name: `wait ${run.jobId}`,
      kind: 'internal',
      // The database's clock has told it, which may be ahead of this machine's.
      startedAt: Math.min(run.dueAt.getTime(), this.startedAt),
      endedAt: this.startedAt,
      attributes: { ...runAttributes(run), 'service.run.attempt': run.attempt },
      hasFailed: false,
    });
  }

  /** @param isWritten false when the run was taken from this worker, which discards the outcome */
  end(end: AttemptEnd, isWritten: boolean): void {
    traceAttempt(this.tracing, this.run, this.startedAt, end, isWritten);
  }
}
