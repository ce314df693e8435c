import type { ClaimedRun } from '../model/run.js';

interface TenantAhead {
  /** Claimed, in their turn, and without a slot. */
  readonly ready: ClaimedRun[];
  /** Claims that are under way. */
  asked: number;
  /** About how long the last calls took, ms. */
  callMs: number;
}

/**
 * Runs that this worker has claimed before it has a slot for them. So a slot calls the next handler as soon as the last one
 * has answered, while its end is still being written. As they count as running, no more are claimed than calls end within a
 * moment: where calls take long, the time between two of them does not matter, and another worker may have a slot at once.
 */
export class RunsAhead {
  private readonly tenants = new Map<string, TenantAhead>();

  /**
   * @param most how many runs of one tenant there may be
   * @param aheadMs for about how long one may wait for its slot
   */
  constructor(
    private readonly most: number,
    private readonly aheadMs: number,
  ) {}

  /** The next run for a slot whose call took so long; null when there is none. */
  next(tenantId: string, callMs: number): ClaimedRun | null {
    const tenant = this.of(tenantId);
    // A call that takes long counts at once, and one that does not is no proof for the others.
    tenant.callMs = Math.max(callMs, (tenant.callMs + callMs) / 2);
    return tenant.ready.shift() ?? null;
  }

  /** How many runs to claim with the end of that call. @param hasNext whether the slot has its next run already */
  ask(tenantId: string, hasNext: boolean): number {
    const tenant = this.of(tenantId);
    const forSlot = hasNext ? 0 : 1;
    const wanted = Math.min(this.most, Math.floor(this.aheadMs / Math.max(tenant.callMs, 1)));
    const asked = Math.max(wanted + forSlot - tenant.ready.length - tenant.asked, forSlot);
    tenant.asked += asked;
    return asked;
  }

  /** Takes what a claim of so many runs returned. */
  add(tenantId: string, asked: number, claimed: readonly ClaimedRun[]): void {
    const tenant = this.of(tenantId);
    tenant.asked -= asked;
    tenant.ready.push(...claimed);
  }

  /** A run for a slot that has become free; null when there is none. */
  take(tenantId: string): ClaimedRun | null {
    return this.tenants.get(tenantId)?.ready.shift() ?? null;
  }

  /** The tenants with runs that wait for a slot. */
  waiting(): string[] {
    return [...this.tenants].filter(([, { ready }]) => ready.length > 0).map(([tenantId]) => tenantId);
  }

  /** Forgets a tenant that has no run here. */
  forget(tenantId: string): void {
    const tenant = this.tenants.get(tenantId);
    if (tenant?.ready.length === 0 && tenant.asked === 0) this.tenants.delete(tenantId);
  }

  private of(tenantId: string): TenantAhead {
    const known = this.tenants.get(tenantId);
    if (known !== undefined) return known;
    const tenant = { ready: [], asked: 0, callMs: 0 };
    this.tenants.set(tenantId, tenant);
    return tenant;
  }
}
