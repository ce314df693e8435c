import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { EventOrigin, NewRun } from '../model/run.js';
import { newRunId } from '../model/run-id.js';
import { isFinal } from '../model/run-status.js';
import { RunRepository } from '../model/run.repository.js';
import type { RepeatableRun } from '../model/run.repository.js';
import { ledBy } from './parent-runs.js';
import { RunEnqueuer } from './run-enqueuer.js';

/** What became of the repetition of a run: `done`, or the error code of the request to repeat this run alone. */
export interface RepeatOutcome {
  readonly runId: string;
  readonly outcome: 'done' | 'run_not_found' | 'run_unfinished' | 'job_deleted' | 'limit_reached';
}

/** Repeats ended runs: new runs with the same payload and trigger, everything else from the job as it is now. */
@Injectable()
export class RunRepeats {
  constructor(
    private readonly runs: RunRepository,
    private readonly enqueuer: RunEnqueuer,
  ) {}

  /**
   * Repeats as many of the runs as the quotas of the tenant allow.
   */
  async repeatAll(
    tx: Tx,
    tenantId: TenantId,
    runIds: readonly string[],
    by: Omit<RepeatedBy, 'traceParent'>,
  ): Promise<RepeatOutcome[]> {
    const found = await this.runs.findRepeatables(tx, tenantId, runIds);
    const ended = new Map([...found].filter(([, run]) => isFinal(run.status)));
    const repeats = new Map(
      [...ended].map(([id, run]) => [
        id,
        newRepeat(tenantId, { id: newRunId(), retryOf: id }, run, { ...by, traceParent: null }),
      ]),
    );
    const { accepted, refused } = await this.enqueuer.acceptEach(tx, [...repeats.values()]);
    const acceptedIds = new Set(accepted.map(({ id }) => id));
    const refusedIds = new Set(refused.map(({ id }) => id));
    return runIds.map((runId) => {
      const repeat = repeats.get(runId);
      if (repeat === undefined)
        return { runId, outcome: found.has(runId) ? 'run_unfinished' : 'run_not_found' };
      if (acceptedIds.has(repeat.id)) return { runId, outcome: 'done' };
      return { runId, outcome: refusedIds.has(repeat.id) ? 'limit_reached' : 'job_deleted' };
    });
  }
}

/** Who repeats a run. */
export interface RepeatedBy {
  /** As `runActorOf` names them. */
  readonly actor: string;
  /** Of the run whose handler it is, or null. */
  readonly origin: EventOrigin | null;
  readonly traceParent: string | null;
}

export function newRepeat(
  tenantId: TenantId,
  { id, retryOf }: { readonly id: string; readonly retryOf: string },
  { jobId, trigger, payload, scheduledFor }: RepeatableRun,
  { actor, origin, traceParent }: RepeatedBy,
): NewRun {
  return {
    id,
    tenantId,
    jobId,
    trigger: { ...ledBy(origin, trigger), repeated_by: actor },
    payload,
    priority: null,
    delayMs: 0,
    runAt: null,
    scheduledFor,
    retryOf,
    traceParent,
  };
}
