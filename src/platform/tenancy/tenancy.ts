import type { TenantId } from '../http/index.js';

/**
 * What the profiles say differently of a tenant, where a word of it leaves the program. Each profile provides one;
 * jobs, vault, audit and logs ask it, and know nothing else of profiles.
 */
export abstract class Tenancy {
  /** How audit entries and messages call a tenant. */
  abstract readonly noun: 'organization' | 'project';

  /** The type of an audit entry's target that is the tenant itself. */
  abstract readonly auditTarget: 'org' | 'project';

  /** The headers that tell a handler which tenant it is called for. */
  abstract handlerHeaders(tenantId: TenantId): Promise<Record<string, string>>;
}
