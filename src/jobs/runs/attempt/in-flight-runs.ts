import { setMaxListeners } from 'node:events';
import type { AbortReason } from './run-attempts.js';
import type { RunAtFence } from '../model/waiting-run.js';

interface InFlightRun {
  readonly control: AbortController;
  /** Null until the claim returns. */
  fence: number | null;
  claimedAt: number;
}

/**
 * The runs that this worker is executing, tracked in memory from before their claim until after their end is written.
 */
export class InFlightRuns {
  private readonly runs = new Map<string, InFlightRun>();
  /** Open claims that may return any run, by the order in which they were opened. */
  private readonly openClaims = new Set<number>();
  private claimsOpened = 0;
  /**
   * Runs taken from this worker while such claims were open, one of which may be about to return the run, with the
   * number of claims opened until then.
   */
  private readonly takenDuringClaim = new Map<string, number>();
  /** Runs that no slot was executing at the last heartbeat, with the number of claims opened until then. */
  private suspects = new Map<string, number>();

  has(runId: string): boolean {
    return this.runs.has(runId);
  }

  /** @returns a signal that, when aborted, ends the call to the run's handler */
  begin(runId: string): AbortSignal {
    const control = new AbortController();
    setMaxListeners(0, control.signal);
    this.runs.set(runId, { control, fence: null, claimedAt: Infinity });
    return control.signal;
  }

  claimed({ id, fence }: RunAtFence): void {
    const run = this.runs.get(id);
    if (run === undefined) return;
    run.fence = fence;
    run.claimedAt = performance.now();
  }

  /**
   * Stops tracking a run, if it is still tracked with this signal. By now another slot may be executing the same run:
   * a claim for a freed slot can return a run whose wake-up is being claimed here too, before the wake-up's claim
   * finds that it is too late.
   */
  end(runId: string, signal: AbortSignal): void {
    if (this.signalOf(runId) === signal) this.runs.delete(runId);
  }

  /**
   * Makes a claim that may return any run, and tracks the run that it returns.
   *
   * @param runOf the run in the result of the claim
   */
  async claimAny<Result>(
    claim: () => Promise<Result>,
    runOf: (result: Result) => RunAtFence | null,
  ): Promise<Result> {
    this.claimsOpened += 1;
    const place = this.claimsOpened;
    this.openClaims.add(place);
    try {
      const result = await claim();
      const run = runOf(result);
      if (run !== null) {
        this.begin(run.id);
        this.claimed(run);
        if (place <= (this.takenDuringClaim.get(run.id) ?? 0)) this.abort(run.id, 'taken');
      }
      return result;
    } finally {
      this.openClaims.delete(place);
      const oldest = this.oldestOpenClaim();
      for (const [runId, opened] of this.takenDuringClaim)
        if (oldest > opened) this.takenDuringClaim.delete(runId);
    }
  }

  signalOf(runId: string): AbortSignal | undefined {
    return this.runs.get(runId)?.control.signal;
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
  untracked(held: readonly RunAtFence[]): RunAtFence[] {
    const seen = held.filter((run) => !this.runs.has(run.id));
    const before = this.suspects;
    this.suspects = new Map(
      seen.map((run) => [keyOf(run), before.get(keyOf(run)) ?? this.claimsOpened] as const),
    );
    const oldest = this.oldestOpenClaim();
    return seen.filter((run) => oldest > (this.suspects.get(keyOf(run)) ?? 0));
  }

  /** Aborts the calls of runs that no longer belonged to this worker when it queried the database at `askedAt`. */
  abortAllExcept(held: readonly RunAtFence[], askedAt: number): void {
    const ours = new Map(held.map((run) => [run.id, run.fence]));
    for (const [id, { control, fence, claimedAt }] of this.runs) {
      if (claimedAt < askedAt && ours.get(id) !== fence) control.abort('taken');
    }
  }

  private oldestOpenClaim(): number {
    return this.openClaims.values().next().value ?? Infinity;
  }
}

function keyOf({ id, fence }: RunAtFence): string {
  return `${id}.${fence}`;
}
