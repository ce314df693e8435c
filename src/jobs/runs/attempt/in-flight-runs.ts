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
  /** Open claims that may return any run. */
  private openClaims = 0;
  /**
   * Runs taken from this worker while such a claim was open, because the claim may be about to return one of them.
   */
  private readonly takenDuringClaim = new Set<string>();

  has(runId: string): boolean {
    return this.runs.has(runId);
  }

  /** @returns a signal that, when aborted, ends the call to the run's handler */
  begin(runId: string): AbortSignal {
    const control = new AbortController();
    setMaxListeners(0, control.signal);
    this.runs.set(runId, { control, fence: null, claimedAt: Infinity });
    if (this.takenDuringClaim.has(runId)) this.abort(runId, 'taken');
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

  /** Makes a claim that may return any run, and tracks the run that it returns. */
  async claimAny<Run extends RunAtFence>(claim: () => Promise<Run | null>): Promise<Run | null> {
    this.openClaims += 1;
    try {
      const run = await claim();
      if (run !== null) {
        this.begin(run.id);
        this.claimed(run);
      }
      return run;
    } finally {
      this.openClaims -= 1;
      if (this.openClaims === 0) this.takenDuringClaim.clear();
    }
  }

  signalOf(runId: string): AbortSignal | undefined {
    return this.runs.get(runId)?.control.signal;
  }

  abort(runId: string, reason: AbortReason): void {
    const run = this.runs.get(runId);
    if (run !== undefined) run.control.abort(reason);
    else if (this.openClaims > 0) this.takenDuringClaim.add(runId);
  }

  abortAll(reason: AbortReason): void {
    for (const { control } of this.runs.values()) control.abort(reason);
  }

  /** Returns those runs of this worker, according to the database, that no slot here is executing. */
  untracked(held: readonly RunAtFence[]): RunAtFence[] {
    // An open claim may be about to return one of them; the next heartbeat decides.
    return this.openClaims > 0 ? [] : held.filter((run) => !this.runs.has(run.id));
  }

  /** Aborts the calls of runs that no longer belonged to this worker when it queried the database at `askedAt`. */
  abortAllExcept(held: readonly RunAtFence[], askedAt: number): void {
    const ours = new Map(held.map((run) => [run.id, run.fence]));
    for (const [id, { control, fence, claimedAt }] of this.runs) {
      if (claimedAt < askedAt && ours.get(id) !== fence) control.abort('taken');
    }
  }
}
