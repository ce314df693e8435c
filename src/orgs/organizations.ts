import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import type { Actor } from '../audit/index.js';
import type { UserOrganizationDto, UserOrganizations } from '../identity/index.js';
import { newId } from '../platform/crypto/index.js';
import { Database } from '../platform/database/index.js';
import { ServiceError } from '../platform/http/index.js';
import type { Origin } from '../platform/http/index.js';
import { RoleRepository } from '../rbac/index.js';
import { insertMember } from './member.repository.js';
import type { Membership } from './membership.repository.js';
import { MembershipRepository } from './membership.repository.js';
import { Memberships } from './memberships.js';
import { OrganizationDirectory } from './organization-directory.js';
import type { OrganizationEntity } from './organization.entity.js';
import { OrganizationRepository } from './organization.repository.js';

@Injectable()
export class Organizations implements UserOrganizations {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationRepository,
    private readonly membershipRows: MembershipRepository,
    private readonly memberships: Memberships,
    private readonly directory: OrganizationDirectory,
    private readonly roles: RoleRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** Makes an organization with its built-in roles, for the user who owns it. @throws slug_taken, invalid_access_token */
  async create(
    userId: string,
    wanted: { slug: string; name: string },
    maker: Actor,
    origin: Origin,
  ): Promise<OrganizationEntity> {
    const organization = { ...wanted, id: newId(), createdAt: new Date() };
    await this.database.transaction(async (tx) => {
      if (!(await this.organizations.insert(tx, organization))) throw new ServiceError('slug_taken');
      await this.roles.insertBuiltins(tx, organization.id);
      await insertMember(tx, { orgId: organization.id, userId, role: 'owner' });
      await this.audit.append(tx, {
        actor: maker,
        action: 'org.created',
        target: { type: 'org', id: organization.id },
        orgId: organization.id,
        userId: null,
        origin,
        details: { slug: wanted.slug, name: wanted.name, ...(maker.id === userId ? {} : { owner: userId }) },
      });
      await this.memberships.changed(tx, userId);
      await this.directory.changed(tx, organization.id);
    });
    return organization;
  }

  async memberOf(userId: string): Promise<Membership[]> {
    return await this.membershipRows.ofUser(this.database.reader, userId);
  }

  async ofUser(userId: string): Promise<UserOrganizationDto[]> {
    return (await this.memberOf(userId)).map(({ orgId, slug, name, role }) => ({
      id: orgId,
      slug,
      name,
      role,
    }));
  }
}
