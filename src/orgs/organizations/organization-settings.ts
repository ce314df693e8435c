import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import type { AuditContext } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Requester, TenantId } from '../../http/index.js';
import { requireQuota } from '../../limits/index.js';
import { LockedOrganizationCommands } from '../commands/locked-organization-commands.js';
import { OrganizationDirectory } from '../directory/organization-directory.js';
import { OrganizationRepository } from '../directory/organization.repository.js';
import type { OrganizationEntity } from '../directory/organization.repository.js';
import { OrganizationChanges } from './organization-changes.js';
import type { OrganizationChange, WantedSettings } from './organization-changes.js';

/** The settings of an organization, and its deletion, for its members and API keys. */
@Injectable()
export class OrganizationSettings {
  constructor(
    private readonly database: Database,
    private readonly commands: LockedOrganizationCommands,
    private readonly organizations: OrganizationRepository,
    private readonly changes: OrganizationChanges,
  ) {}

  /** @throws not_a_member when it has just been deleted */
  async find(organizationId: TenantId): Promise<OrganizationEntity> {
    const organization = await this.organizations.find(this.database.reader, organizationId);
    if (organization === null) throw new ServiceError('not_a_member');
    return organization;
  }

  /**
   * Renames the organization, moves it to another slug, and says whether members need a second factor.
   * @throws slug_taken, limit_reached, factor_required
   */
  async update(by: Requester, wanted: WantedSettings): Promise<OrganizationEntity> {
    const target = { type: 'org', id: by.tenant.id };
    const attempt = { permission: 'auth:orgs:update', action: 'org.update', target };
    const userId = by.caller.type === 'user' ? by.caller.userId : null;
    return await this.commands.run(by, attempt, (command) => this.changes.update(command, wanted, userId));
  }

  async delete(by: Requester): Promise<void> {
    const target = { type: 'org', id: by.tenant.id };
    const attempt = { permission: 'auth:orgs:delete', action: 'org.deletion', target };
    await this.commands.run(by, attempt, (command) => this.changes.delete(command));
  }
}

/** The settings of any organization, which is named by id or slug, and its deletion, for the operator. */
@Injectable()
export class OperatorOrganizationSettings {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly directory: OrganizationDirectory,
    private readonly organizations: OrganizationRepository,
    private readonly changes: OrganizationChanges,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws org_not_found, slug_taken, limit_reached */
  async update(org: string, wanted: WantedSettings, by: AuditContext): Promise<OrganizationEntity> {
    return await this.run(org, by, (change) => this.changes.update(change, wanted, null));
  }

  /** @throws org_not_found */
  async delete(org: string, by: AuditContext): Promise<void> {
    await this.run(org, by, (change) => this.changes.delete(change));
  }

  private async run<Result>(
    org: string,
    { actor, origin }: AuditContext,
    act: (change: OrganizationChange) => Promise<Result>,
  ): Promise<Result> {
    const tenantId = await this.directory.idOf(org);
    return await this.database.serialTransaction(tenantId, actor, async (tx) => {
      const organization = await this.organizations.lock(tx, tenantId);
      if (organization === null) throw new ServiceError('org_not_found');
      return await act({
        tx,
        organization,
        requireQuota: (quota, present) => requireQuota(this.config.limits, quota, present),
        record: (action, target, details) =>
          this.audit.append(tx, { actor, action, target, tenantId, userId: null, origin, details }),
      });
    });
  }
}
