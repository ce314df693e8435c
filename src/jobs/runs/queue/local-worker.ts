import { Injectable } from '@nestjs/common';
import type { ClaimedRun } from '../model/run.js';

/** A slot that is kept for a run while the run is claimed. */
export interface ReservedSlot {
  /** Attempts the run, in the background. */
  start(run: ClaimedRun): void;
  /** Gives the slot back, because the run was not claimed. */
  release(): void;
}

/** What a worker offers to the rest of its process. */
export interface WorkerInProcess {
  readonly workerId: string;
  reserve(run: { readonly id: string; readonly tenantId: string }): ReservedSlot | null;
  wake(runs: readonly { readonly id: string; readonly tenantId: string }[]): void;
}

/**
 * The worker of this process, if it has one. A run that is accepted here and finds a free slot begins at once, without
 * a way through Redis; and while Redis is unavailable, wake-ups reach at least this worker.
 */
@Injectable()
export class LocalWorker {
  private worker: WorkerInProcess | null = null;

  /** @param worker null when it shuts down */
  set(worker: WorkerInProcess | null): void {
    this.worker = worker;
  }

  get workerId(): string | null {
    return this.worker?.workerId ?? null;
  }

  /** Reserves a slot for a run that is about to be accepted. Returns null when there is none for its tenant. */
  reserve(run: { readonly id: string; readonly tenantId: string }): ReservedSlot | null {
    return this.worker?.reserve(run) ?? null;
  }

  /** Wakes the worker for runs that are due. */
  wake(runs: readonly { readonly id: string; readonly tenantId: string }[]): void {
    this.worker?.wake(runs);
  }
}
