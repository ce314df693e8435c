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
 * Counts, per tenant, the slots of this worker that are in use. The count is in memory, where no two callers
 * interfere, and precedes the claim. So the limit holds for concurrent claims too, and a crash leaves nothing to
 * repair.
 */
export class WorkerShares {
  private readonly held = new Map<string, number>();

  /** @param limit how many slots one tenant may hold */
  constructor(private readonly limit: number) {}

  hasFreeSlot(tenantId: string): boolean {
    return (this.held.get(tenantId) ?? 0) < this.limit;
  }

  /** Takes a slot for the tenant. Returns false when the tenant already holds its share. */
  take(tenantId: string): boolean {
    if (!this.hasFreeSlot(tenantId)) return false;
    this.held.set(tenantId, (this.held.get(tenantId) ?? 0) + 1);
    return true;
  }

  /** @returns how many slots the tenant still holds */
  release(tenantId: string): number {
    const left = (this.held.get(tenantId) ?? 0) - 1;
    if (left > 0) this.held.set(tenantId, left);
    else this.held.delete(tenantId);
    return Math.max(left, 0);
  }
}
