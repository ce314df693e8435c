/** Compensates for binary rounding: 0.29 × 100 is slightly less than 29. */
const ROUNDING = 1e-9;

/**
 * How many of a worker's slots one tenant may hold: its share, rounded down, but at least one slot, and never all
 * slots if the worker has more than one.
 */
export function tenantSlots(slots: number, share: number): number {
  if (slots === 1) return 1;
  return Math.max(Math.min(Math.floor(slots * share + ROUNDING), slots - 1), 1);
}

/**
 * The slots of this worker that are in use, in total and by tenant. They are counted in memory, where no two callers
 * interfere, and taken before the claim. So the limit holds for concurrent claims too, and a crash leaves nothing to
 * repair.
 */
export class WorkerSlots {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new Set<() => void>();
  private inUse = 0;

  /**
   * @param slots how many there are
   * @param limit how many of them one tenant may hold
   */
  constructor(
    private readonly slots: number,
    private readonly limit: number,
  ) {}

  get isFull(): boolean {
    return this.inUse >= this.slots;
  }

  /** Whether the tenant holds less than its share. */
  isWithinShare(tenantId: string): boolean {
    return (this.taken.get(tenantId) ?? 0) < this.limit;
  }

  /** Takes a slot for the tenant. Returns false when there is none, or the tenant already holds its share. */
  take(tenantId: string): boolean {
    if (this.isFull || !this.isWithinShare(tenantId)) return false;
    this.taken.set(tenantId, (this.taken.get(tenantId) ?? 0) + 1);
    this.inUse += 1;
    return true;
  }

  /** @returns how many slots the tenant still holds */
  release(tenantId: string): number {
    const left = (this.taken.get(tenantId) ?? 0) - 1;
    if (left > 0) this.taken.set(tenantId, left);
    else this.taken.delete(tenantId);
    this.inUse -= 1;
    this.resumeAll();
    return Math.max(left, 0);
  }

  /** Resolves when a slot has become free, or when `limitMs` have passed. */
  async whenFree(limitMs: number): Promise<void> {
    if (!this.isFull) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.delete(resume);
        resolve();
      }, limitMs);
      const resume = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.add(resume);
    });
  }

  /** Lets all go on that wait for a free slot. */
  resumeAll(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resume of waiting) resume();
  }
}
