import type { TenantId } from '../platform/http/index.js';
import { Tenancy } from '../platform/tenancy/index.js';

export class OrganizationTenancy extends Tenancy {
  readonly noun = 'organization';
  readonly auditTarget = 'org';

  handlerHeaders(tenantId: TenantId): Promise<Record<string, string>> {
    return Promise.resolve({ 'X-Service-Org': tenantId });
  }
}
