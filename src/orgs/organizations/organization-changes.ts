import { Injectable } from '@nestjs/common';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import { ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';
import { TenantDeletion } from '../../tenancy/index.js';
import type { LockedOrganizationCommand } from '../commands/locked-organization-commands.js';
import type { UpdateOrganizationBody } from '../directory/dto/organization.js';
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

export function wantedSettings({
  slug,
  name,
  require_second_factor: requireSecondFactor,
}: UpdateOrganizationBody): WantedSettings {
  return { slug, name, requireSecondFactor };
}

/** A transaction that holds the lock of an organization, for whoever changes it. */
export type OrganizationChange = Pick<
  LockedOrganizationCommand,
  'tx' | 'organization' | 'requireQuota' | 'record'
>;

/** Changes and deletes a locked organization, whether a member does it or the operator. */
@Injectable()
export class OrganizationChanges {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly memberships: Memberships,
    private readonly directory: OrganizationDirectory,
    private readonly deletion: TenantDeletion,
    private readonly invalidation: CacheInvalidation,
  ) {}

  /**
   * @param userId the member who changes it, who would be locked out by a factor that they lack; null for others
   * @throws slug_taken, limit_reached, factor_required
   */
  async update(
    change: OrganizationChange,
    wanted: WantedSettings,
    userId: string | null,
  ): Promise<OrganizationEntity> {
    const { tx, organization } = change;
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
      await change.requireQuota('formerSlugs', () => this.organizations.countFormerSlugs(tx, id));
      await this.organizations.reserveSlug(tx, id, organization.slug);
      details.slug = { from: organization.slug, to: slug };
    }
    if (requireSecondFactor !== organization.requireSecondFactor) {
      if (!(await this.organizations.setSecondFactorRequirement(tx, id, requireSecondFactor, userId)))
        throw new ServiceError('factor_required');
      details.require_second_factor = { from: organization.requireSecondFactor, to: requireSecondFactor };
    }
    if (Object.keys(details).length === 0) return organization;
    await change.record('org.updated', { type: 'org', id }, details);
    await this.memberships.changed(tx, id);
    await this.directory.changed(tx, id);
    return { ...organization, slug, name, requireSecondFactor };
  }

  /** Deletes the organization with all that belongs to it; its audit entries stay. */
  async delete(change: OrganizationChange): Promise<void> {
    const { tx, organization } = change;
    const { id, slug, name } = organization;
    // Before the audit entry: a follower may wait for a transaction that is about to write one, while this one held
    // the trail.
    await this.deletion.removeRest(tx, id as TenantId);
    await change.record('org.deleted', { type: 'org', id }, { slug, name });
    await this.organizations.delete(tx, id);
    await this.memberships.changed(tx, id);
    await this.directory.changed(tx, id);
    await this.invalidation.announce(tx, { kind: 'api_key', id: '*' });
  }
}
