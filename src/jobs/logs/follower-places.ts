import { ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';

/** For all tenants together, so that their streams fit into the memory of an instance. */
const MAX_FOLLOWERS = 500;

/** The right to keep one stream open, from before its first byte until its connection is closed. */
export interface FollowerPlace {
  readonly tenantId: TenantId;
  /** Frees the place. Calling it again has no effect. */
  release(): void;
}

/** How many streams of logs are open at this instance, by tenant and by caller. */
export class FollowerPlaces {
  private readonly taken = new Set<{ readonly tenantId: TenantId; readonly caller: string }>();

  /** @param limit how many one tenant may have; 0 for as many as the instance allows */
  constructor(private readonly limit: number) {}

  /**
   * Takes a place synchronously, so that concurrent requests cannot all take the last one.
   * @param caller one caller gets at most half of its tenant's places
   * @throws overloaded
   */
  take(tenantId: TenantId, caller: string): FollowerPlace {
    if (this.taken.size >= MAX_FOLLOWERS)
      throw overloaded('Too many are following logs at this instance; try again after Retry-After seconds.');
    const ofTenant = [...this.taken].filter((place) => place.tenantId === tenantId);
    const ofCaller = ofTenant.filter((place) => place.caller === caller);
    if (this.limit > 0 && (ofTenant.length >= this.limit || ofCaller.length >= Math.ceil(this.limit / 2)))
      throw overloaded(
        'Too many streams of logs are open; close one, or try again after Retry-After seconds.',
        `limits.log_followers is ${this.limit}: as many for one organization or project, and half as many for one caller, at one instance.`,
      );
    const place = { tenantId, caller };
    this.taken.add(place);
    return { tenantId, release: () => this.taken.delete(place) };
  }
}

function overloaded(message: string, hint?: string): ServiceError {
  return new ServiceError('overloaded', {
    message,
    headers: { 'Retry-After': '5' },
    ...(hint === undefined ? {} : { hint }),
  });
}
