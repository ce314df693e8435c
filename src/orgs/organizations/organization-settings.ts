import { Injectable } from '@nestjs/common';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Requester, TenantId } from '../../http/index.js';
import { TenantDeletion } from '../../tenancy/index.js';
import { LockedOrganizationCommands } from '../commands/locked-organization-commands.js';
import { OrganizationDirectory } from '../directory/organization-directory.js';
import { OrganizationRepository } from '../directory/organization.repository.js';
import type { OrganizationEntity } from '../directory/organization.repository.js';
import { Memberships } from '../members/memberships.js';

/** What to change of an organization. */
export interface WantedSettings {
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly requireSecondFactor?: boolean | undefined;
}

/** The settings of an organization, and its deletion. */
@Injectable()
export class OrganizationSettings {
  constructor(
    private readonly database: Database,
    private readonly commands: LockedOrganizationCommands,
    private readonly organizations: OrganizationRepository,
    private readonly memberships: Memberships,
    private readonly directory: OrganizationDirectory,
    private readonly deletion: TenantDeletion,
    private readonly changes: CacheInvalidation,
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
    return await this.commands.run(by, attempt, async (command) => {
      const { tx, organization } = command;
      const { id } = organization;
      const {
        slug = organization.slug,
        name = organization.name,
        requireSecondFactor = organization.requireSecondFactor,
      } = wanted;
      const details: Record<string, unknown> = {};
      if (name !== organization.name) {
        await this.organizations.rename(tx, id, name);
        details.name = { from: organization.name, to: name };
      }
      if (slug !== organization.slug) {
        if (!(await this.organizations.changeSlug(tx, id, slug))) throw new ServiceError('slug_taken');
        // After the change: an own former slug that is taken back no longer counts.
        await command.requireQuota('formerSlugs', () => this.organizations.countFormerSlugs(tx, id));
        await this.organizations.reserveSlug(tx, id, organization.slug);
        details.slug = { from: organization.slug, to: slug };
      }
      if (requireSecondFactor !== organization.requireSecondFactor) {
        // Or else the caller would be locked out by the own request.
        const userId = by.caller.type === 'user' ? by.caller.userId : null;
        if (!(await this.organizations.setSecondFactorRequirement(tx, id, requireSecondFactor, userId)))
          throw new ServiceError('factor_required');
        details.require_second_factor = { from: organization.requireSecondFactor, to: requireSecondFactor };
      }
      if (Object.keys(details).length === 0) return organization;
      await command.record('org.updated', target, details);
      await this.memberships.changed(tx, id);
      await this.directory.changed(tx, id);
      return { ...organization, slug, name, requireSecondFactor };
    });
  }

  /** Deletes the organization with all that belongs to it; its audit entries stay. */
  async delete(by: Requester): Promise<void> {
    const target = { type: 'org', id: by.tenant.id };
    const attempt = { permission: 'auth:orgs:delete', action: 'org.deletion', target };
    await this.commands.run(by, attempt, async (command) => {
      const { tx, organization, organizationId } = command;
      const { slug, name } = organization;
      // Before the audit entry: a follower may wait for a transaction that is about to write one, while this one held
      // the trail.
      await this.deletion.removeRest(tx, organizationId);
      await command.record('org.deleted', target, { slug, name });
      await this.organizations.delete(tx, organizationId);
      await this.memberships.changed(tx, organizationId);
      await this.directory.changed(tx, organizationId);
      await this.changes.announce(tx, { kind: 'api_key', id: '*' });
    });
  }
}
