/** Rounding of a fraction that no binary number is equal to: 0.29 × 100 is a little less than 29. */
const ROUNDING = 1e-9;

/**
 * How many of a worker's slots one tenant may hold: a share of them, rounded down, at least one, and never the last
 * one where there is more than one.
 */
export function tenantSlots(slots: number, share: number): number {
  if (slots === 1) return 1;
  return Math.max(Math.min(Math.floor(slots * share + ROUNDING), slots - 1), 1);
}

/**
 * The slots of this worker by the tenant that holds them. Counted in memory, where no two look at once, and before a
 * claim: so the limit holds whatever is claimed at about one time, and a crash leaves nothing to repair.
 */
export class WorkerShares {
  private readonly held = new Map<string, number>();

  /** @param limit slots that one tenant may hold */
  constructor(private readonly limit: number) {}

  hasFreeSlot(tenantId: string): boolean {
    return (this.held.get(tenantId) ?? 0) < this.limit;
  }

  /** Takes a slot for the tenant; false when it holds its share. */
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
