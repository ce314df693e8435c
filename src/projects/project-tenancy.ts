import { Injectable } from '@nestjs/common';
import { whenResolved } from '../cache-invalidation/index.js';
import type { MaybePromise } from '../cache-invalidation/index.js';
import type { RunRights, TenantId } from '../http/index.js';
import { EVENT_TYPES, Tenancy } from '../tenancy/index.js';
import type { RightsHolder, TenantNames } from '../tenancy/index.js';
import { ProjectDirectory } from './project-directory.js';
import { ProjectHolders } from './project-holders.js';

@Injectable()
export class ProjectTenancy extends Tenancy {
  readonly noun = 'project';
  readonly rowColumn = 'project_id';
  readonly auditTarget = 'project';
  readonly goneRefusal = 'invalid_api_key';
  protected readonly lockSql = 'SELECT id FROM projects WHERE id = $1 FOR KEY SHARE';
  readonly hasOpenJobs = true;
  readonly eventTypes = EVENT_TYPES;

  constructor(
    private readonly directory: ProjectDirectory,
    private readonly holders: ProjectHolders,
  ) {
    super();
  }

  hookScope(tenantId: TenantId): string {
    return tenantId;
  }

  async find(reference: string): Promise<TenantId | null> {
    return (await this.directory.findByRef(reference))?.id ?? null;
  }

  async namesOf(tenantId: TenantId): Promise<TenantNames | null> {
    const found = await this.directory.findById(tenantId);
    return found === null ? null : { ref: found.ref, name: found.name };
  }

  async rightsOf(tenantId: TenantId, holder: RightsHolder): Promise<RunRights | null> {
    return await this.holders.rightsOf(tenantId, holder);
  }

  /** By its ref, as tokens name it; by its id when it was deleted while a handler runs. */
  handlerHeaders(tenantId: TenantId): MaybePromise<Record<string, string>> {
    return whenResolved(this.directory.findById(tenantId), (project) => ({
      'X-Service-Project': project?.ref ?? tenantId,
    }));
  }
}
