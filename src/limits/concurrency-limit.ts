import { ServiceError } from '../http/index.js';

/** Within which another permit may be released. */
const RETRY_AFTER_SECS = '5';

/** The right to have one of what is limited under way. */
export interface Permit {
  /** Releases the permit. Calling it again has no effect. */
  release(): void;
}

export interface ConcurrencyPolicy {
  /** The key in the section `[limits]` for those of one tenant; a caller gets half as many. */
  readonly setting: string;
  /** 0 for as many as the instance allows. */
  readonly perTenant: number;
  /** For all tenants together, so that an instance has room for them. */
  readonly perInstance: number;
}

/** Limits what is under way at one time at this instance, by tenant and by caller: streams, searches. */
export class ConcurrencyLimit {
  private readonly permits = new Set<{ readonly tenant: string; readonly caller: string }>();

  constructor(private readonly policy: ConcurrencyPolicy) {}

  /**
   * Acquires a permit synchronously, so that concurrent requests cannot all take the last one.
   * @throws rate_limited when the tenant or the caller has as many as it may; overloaded when the instance has
   */
  acquire(tenant: string, caller: string): Permit {
    const { setting, perTenant, perInstance } = this.policy;
    const headers = { 'Retry-After': RETRY_AFTER_SECS };
    const ofTenant = [...this.permits].filter((permit) => permit.tenant === tenant);
    const ofCaller = ofTenant.filter((permit) => permit.caller === caller);
    if (perTenant > 0 && (ofTenant.length >= perTenant || ofCaller.length >= Math.ceil(perTenant / 2)))
      throw new ServiceError('rate_limited', {
        message:
          'Too many of these are under way; wait until one has ended, or try again after Retry-After seconds.',
        hint: `limits.${setting} is ${perTenant}: as many for one organization or project, and half as many for one caller, at one instance.`,
        headers,
      });
    if (this.permits.size >= perInstance)
      throw new ServiceError('overloaded', {
        message: 'Too many of these are under way at this instance; try again after Retry-After seconds.',
        headers,
      });
    const permit = { tenant, caller };
    this.permits.add(permit);
    return { release: () => this.permits.delete(permit) };
  }
}
