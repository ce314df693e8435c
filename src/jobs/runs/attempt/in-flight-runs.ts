import { setMaxListeners } from 'node:events';
import type { RunAtFence } from '../model/run.js';
import type { AbortReason } from './run-attempts.js';

interface InFlightRun {
  readonly control: AbortController;
  readonly fence: number;
  readonly claimedAt: number;
}

/**
 * The runs that this worker is executing, tracked in memory from their claim until after their end is written.
 */
export class InFlightRuns {
  private readonly runs = new Map<string, InFlightRun>();
  /** Open claims, which may return any run, by the order in which they were opened. */
  private readonly openClaims = new Set<number>();
  private claimsOpened = 0;
  /**
   * Runs taken from this worker while claims were open, one of which may be about to return the run, with the
   * number of claims opened until then.
   */
  private readonly takenDuringClaim = new Map<string, number>();
  /** Runs that no slot was executing at the last heartbeat, with the number of claims opened until then. */
  private suspects = new Map<string, number>();

  has(runId: string): boolean {
    return this.runs.has(runId);
  }

  /** Stops tracking a run, unless it has been claimed again since. */
  end({ id, fence }: RunAtFence): void {
    if (this.runs.get(id)?.fence === fence) this.runs.delete(id);
  }

  /** Makes a claim, and tracks the runs that it returns. */
  async trackClaimed<Result extends { readonly claimed: readonly RunAtFence[] }>(
    claim: () => Promise<Result>,
  ): Promise<Result> {
    this.claimsOpened += 1;
    const claimNumber = this.claimsOpened;
    this.openClaims.add(claimNumber);
    try {
      const result = await claim();
      for (const run of result.claimed) {
        this.begin(run);
        if (claimNumber <= (this.takenDuringClaim.get(run.id) ?? 0)) this.abort(run.id, 'taken');
      }
      return result;
    } finally {
      this.openClaims.delete(claimNumber);
      const oldest = this.oldestOpenClaim();
      for (const [runId, opened] of this.takenDuringClaim)
        if (oldest > opened) this.takenDuringClaim.delete(runId);
    }
  }

  /** Aborted when the call to the run's handler is to end. */
  signalOf({ id, fence }: RunAtFence): AbortSignal {
    const run = this.runs.get(id);
    return run?.fence === fence ? run.control.signal : AbortSignal.abort('taken');
  }

  abort(runId: string, reason: AbortReason): void {
    const run = this.runs.get(runId);
    if (run !== undefined) run.control.abort(reason);
    else if (this.openClaims.size > 0) this.takenDuringClaim.set(runId, this.claimsOpened);
  }

  abortAll(reason: AbortReason): void {
    for (const { control } of this.runs.values()) control.abort(reason);
  }

  /**
   * Returns those runs of this worker, according to the database, that no slot here is executing. A claim that was open
   * when such a run was first seen may be about to return it; once these claims are closed, none will.
   */
  untracked(assigned: readonly RunAtFence[]): RunAtFence[] {
    const seen = assigned.filter((run) => !this.runs.has(run.id));
    const before = this.suspects;
    this.suspects = new Map(
      seen.map((run) => [keyOf(run), before.get(keyOf(run)) ?? this.claimsOpened] as const),
    );
    const oldest = this.oldestOpenClaim();
    return seen.filter((run) => oldest > (this.suspects.get(keyOf(run)) ?? 0));
  }

  /** Aborts the calls of runs that no longer belonged to this worker when it queried the database at `askedAt`. */
  abortAllExcept(assigned: readonly RunAtFence[], askedAt: number): void {
    const ours = new Map(assigned.map((run) => [run.id, run.fence]));
    for (const [id, { control, fence, claimedAt }] of this.runs) {
      if (claimedAt < askedAt && ours.get(id) !== fence) control.abort('taken');
    }
  }

  private begin({ id, fence }: RunAtFence): void {
    const control = new AbortController();
    setMaxListeners(0, control.signal);
    this.runs.set(id, { control, fence, claimedAt: performance.now() });
  }

  private oldestOpenClaim(): number {
    return this.openClaims.values().next().value ?? Infinity;
  }
}

function keyOf({ id, fence }: RunAtFence): string {
  return `${id}.${fence}`;
}
