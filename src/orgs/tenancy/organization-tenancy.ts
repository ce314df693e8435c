import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../platform/http/index.js';
import { DEPLOYMENT_SCOPE, Tenancy } from '../../platform/tenancy/index.js';
import { OrganizationDirectory } from '../directory/organization-directory.js';

@Injectable()
export class OrganizationTenancy extends Tenancy {
  readonly noun = 'organization';
  readonly rowColumn = 'org_id';
  readonly auditTarget = 'org';
  readonly goneRefusal = 'not_a_member';
  readonly hasOpenJobs = false;

  constructor(private readonly directory: OrganizationDirectory) {
    super();
  }

  hookScope(): string {
    return DEPLOYMENT_SCOPE;
  }

  async find(reference: string): Promise<TenantId | null> {
    return ((await this.directory.find(reference))?.id ?? null) as TenantId | null;
  }

  handlerHeaders(tenantId: TenantId): Promise<Record<string, string>> {
    return Promise.resolve({ 'X-Service-Org': tenantId });
  }
}
