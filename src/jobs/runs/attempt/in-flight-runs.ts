import { setMaxListeners } from 'node:events';
import type { BreakOff } from './run-attempts.js';
import type { RunAtFence } from '../model/waiting-run.js';

interface Work {
  readonly control: AbortController;
  /** Null until the claim is answered. */
  fence: number | null;
  claimedAt: number;
}

/** The runs that this worker works on by its own memory, from before their claim to after their written end. */
export class InFlightRuns {
  private readonly works = new Map<string, Work>();
  /** Claims that may bring any run. */
  private openClaims = 0;
  /** Runs that were taken away while such a claim was open: it may be about to bring them. */
  private readonly takenMeanwhile = new Set<string>();

  has(runId: string): boolean {
    return this.works.has(runId);
  }

  /** @returns what ends the run's call when it is aborted */
  begin(runId: string): AbortSignal {
    const control = new AbortController();
    setMaxListeners(0, control.signal);
    this.works.set(runId, { control, fence: null, claimedAt: Infinity });
    if (this.takenMeanwhile.has(runId)) this.breakOff(runId, 'taken');
    return control.signal;
  }

  claimed({ id, fence }: RunAtFence): void {
    const work = this.works.get(id);
    if (work === undefined) return;
    work.fence = fence;
    work.claimedAt = performance.now();
  }

  /**
   * Ends what this signal was given for. By now the run may be another's here: a claim for capacity that was left can
   * bring a run while a wake-up's claim of the same run is still to find that it comes too late.
   */
  end(runId: string, signal: AbortSignal): void {
    if (this.signalOf(runId) === signal) this.works.delete(runId);
  }

  /** Makes a claim of which nobody knows beforehand what run it brings; `begin` follows at once when it has. */
  async claiming<Run extends RunAtFence>(claim: () => Promise<Run | null>): Promise<Run | null> {
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
      if (this.openClaims === 0) this.takenMeanwhile.clear();
    }
  }

  signalOf(runId: string): AbortSignal | undefined {
    return this.works.get(runId)?.control.signal;
  }

  breakOff(runId: string, why: BreakOff): void {
    const work = this.works.get(runId);
    if (work !== undefined) work.control.abort(why);
    else if (this.openClaims > 0) this.takenMeanwhile.add(runId);
  }

  breakOffAll(why: BreakOff): void {
    for (const { control } of this.works.values()) control.abort(why);
  }

  /** Of the runs that are ours by the database, those that nothing here works on. */
  forgotten(held: readonly RunAtFence[]): RunAtFence[] {
    // One of them may be what an open claim is about to bring; the next beat will tell.
    return this.openClaims > 0 ? [] : held.filter((run) => !this.works.has(run.id));
  }

  /** Breaks off the calls of runs that were no longer ours when the database was asked. */
  breakOffAllBut(held: readonly RunAtFence[], askedAt: number): void {
    const ours = new Map(held.map((run) => [run.id, run.fence]));
    for (const [id, { control, fence, claimedAt }] of this.works) {
      if (claimedAt < askedAt && ours.get(id) !== fence) control.abort('taken');
    }
  }
}
